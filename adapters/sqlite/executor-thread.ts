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
  type ThreadMessage,
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
port.postMessage('open' satisfies ThreadMessage);

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

async function responseTo({ number, name, args, beginUntil }: CallRequest): Promise<CallResponse> {
  try {
    if (Date.now() > beginUntil)
      throw new DomainError('unavailable', 'store-unavailable', 'the call has waited too long for others');
    return { number, answer: await executor.run(name, args) };
  } catch (error) {
    return { number, error: partsOf(error) };
  }
}

function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: '', cause: undefined };
  const { message, stack, cause } = error;
  const parts = { message, stack, code: codeOf(error), cause: cause === undefined ? undefined : partsOf(cause) };
  return error instanceof DomainError ? { ...parts, kind: error.kind, fields: error.fields } : parts;
}

/** A call that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await executor.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
