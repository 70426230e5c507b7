/** The program of the thread in which `ThreadExecutor` runs calls. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.js';
import { openConnection, readerOf } from './connection.js';
import { ConnectionExecutor, type CallRequest, type CallResponse, type ThreadData } from './executor.js';
import { searchesOf } from './searches.js';
import { refuseForeign } from './upgrade.js';
import { writesOf } from './writes.js';

const { file, task } = workerData as ThreadData;
const port = parentPort as MessagePort;
const connection = openConnection(file, (opened) => refuseForeign(opened, file));
const executor: { run(name: string, args: readonly unknown[]): Promise<unknown>; close(): Promise<void> } =
  task === 'write'
    ? new ConnectionExecutor(connection, 'IMMEDIATE', writesOf(connection))
    : new ConnectionExecutor(connection, 'DEFERRED', searchesOf(readerOf(connection)));

port.on('message', (message: CallRequest | 'close') => {
  if (message === 'close') void close();
  else void respond(message);
});

const underWay = new Set<Promise<CallResponse>>();

async function respond(request: CallRequest): Promise<void> {
  const response = responseTo(request);
  underWay.add(response);
  port.postMessage(await response);
  underWay.delete(response);
}

async function responseTo({ number, name, args }: CallRequest): Promise<CallResponse> {
  try {
    return { number, answer: await executor.run(name, args) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { number, error };
    const { kind, code, message, fields, cause } = error;
    return { number, domainError: { kind, code, message, fields, cause } };
  }
}

/** A call that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await executor.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
