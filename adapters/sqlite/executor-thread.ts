/** The program of the thread in which `ThreadExecutor` runs calls. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.js';
import { codeOf, openConnection, readerOf } from './connection.js';
import {
  ConnectionExecutor,
  type CallRequest,
  type CallResponse,
  type ErrorParts,
  type ThreadData,
} from './executor.js';
import { searchesOf } from './searches.js';
import { refuseForeign } from './upgrade.js';
import { wordChecksOf } from './word-check.js';
import { writesOfFile } from './writes.js';

interface AnyExecutor {
  run(name: string, args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

const { file, task } = workerData as ThreadData;
const port = parentPort as MessagePort;
const connection = openConnection(file, (opened) => refuseForeign(opened, file));
const executors: Readonly<Record<ThreadData['task'], () => AnyExecutor>> = {
  write: () => new ConnectionExecutor(connection, 'IMMEDIATE', writesOfFile(connection)),
  search: () => new ConnectionExecutor(connection, 'DEFERRED', searchesOf(readerOf(connection))),
  check: () => new ConnectionExecutor(connection, 'DEFERRED', wordChecksOf(connection)),
};
const executor = executors[task]();

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
    if (!(error instanceof DomainError)) return { number, error: partsOf(error) };
    const { kind, code, message, fields, cause } = error;
    return { number, domainError: { kind, code, message, fields, cause } };
  }
}

function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: '' };
  return { message: error.message, stack: error.stack, code: codeOf(error) };
}

/** A call that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await executor.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
