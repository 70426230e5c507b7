/** The program of the thread in which `ThreadWriter` writes. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.js';
import { openConnection } from './connection.js';
import { refuseForeign } from './upgrade.js';
import { ConnectionWriter, type WriteRequest, type WriteResponse } from './writer.js';

const file = workerData as string;
const port = parentPort as MessagePort;
const writer = new ConnectionWriter(openConnection(file, (connection) => refuseForeign(connection, file)));

port.on('message', (message: WriteRequest | 'close') => {
  if (message === 'close') void close();
  else void respond(message);
});

const underWay = new Set<Promise<WriteResponse>>();

async function respond(request: WriteRequest): Promise<void> {
  const response = responseTo(request);
  underWay.add(response);
  port.postMessage(await response);
  underWay.delete(response);
}

async function responseTo({ number, name, args }: WriteRequest): Promise<WriteResponse> {
  try {
    return { number, answer: await writer.write(name, args as never) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { number, error };
    const { kind, code, message, fields, cause } = error;
    return { number, domainError: { kind, code, message, fields, cause } };
  }
}

/** A write that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await writer.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
