/** The program of a `StorageThread`: a storage over a connection of its own, whose methods are called by messages. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { DomainError } from '../../../domain/errors.js';
import { sqlStorage } from '../storage.js';
import { SqliteConnection } from './connection.js';
import { partsOf } from './sent-errors.js';
import type { CallRequest, CallResponse, ThreadData } from './thread.js';

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

const { file, ...settings } = workerData as ThreadData;
const port = parentPort as MessagePort;
const storage = sqlStorage(new SqliteConnection(file), settings);
const ports = storage as unknown as Readonly<Record<string, Methods>>;
port.postMessage('open');

const underWay = new Set<Promise<void>>();

port.on('message', (message: CallRequest | 'close') => {
  if (message === 'close') void close();
  else track(respond(message));
});

function track(response: Promise<void>): void {
  underWay.add(response);
  void response.then(() => underWay.delete(response));
}

async function respond({ number, port: name, method, args, beginUntil }: CallRequest): Promise<void> {
  const target = name === undefined ? (storage as unknown as Methods) : ports[name];
  let response: CallResponse;
  try {
    if (Date.now() > beginUntil)
      throw new DomainError('unavailable', 'store-unavailable', 'the call has waited too long for others');
    response = { number, answer: await target?.[method]?.(...args) };
  } catch (error) {
    response = { number, error: partsOf(error) };
  }
  port.postMessage(response);
}

/** A call that waits for another process learns from the closed connection that it is not done. */
async function close(): Promise<void> {
  await storage.close();
  await Promise.all(underWay);
  setImmediate(() => port.close());
}
