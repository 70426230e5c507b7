/** The program of a `StorageThread`: a storage over a connection of its own, whose methods are called by messages. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DomainError } from '../../../domain/errors.js';
import { sqlStorage } from '../storage.js';
import { SqliteConnection } from './connection.js';
import { partsOf } from './failures.js';
import { NO_CALL, type CallRequest, type CallResponse, type ThreadData } from './thread.js';

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

const { file, ...settings } = workerData as ThreadData;
const port = parentPort as MessagePort;
const storage = sqlStorage(new SqliteConnection(file), settings, onError);
port.postMessage('open');

const underWay = new Set<Promise<void>>();

port.on('message', (message: CallRequest | 'close') => {
  if (message === 'close') return void close();
  const response = respond(message);
  underWay.add(response);
  void response.then(() => underWay.delete(response));
});

function onError(error: unknown): void {
  port.postMessage({ number: NO_CALL, error: partsOf(error) } satisfies CallResponse);
}

async function respond(request: CallRequest): Promise<void> {
  const { number } = request;
  const response = await call(request).then(
    (answer) => ({ number, answer }),
    (error: unknown) => ({ number, error: partsOf(error) }),
  );
  port.postMessage(response satisfies CallResponse);
}

async function call({ port: name, method, args, beginUntil }: CallRequest): Promise<unknown> {
  if (Date.now() > beginUntil)
    throw new DomainError('unavailable', 'store-unavailable', 'the call has waited too long for others');
  const ports = storage as unknown as Methods & Readonly<Record<string, Methods>>;
  return (name === undefined ? ports : ports[name])?.[method]?.(...args);
}

/** A call that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await storage.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
