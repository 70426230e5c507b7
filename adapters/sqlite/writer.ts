import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.js';
import { patiently, storeClosed, transact, type Connection } from './connection.js';
import { writesOf, type Writes } from './writes.js';

/** Runs writes by their names, each in a transaction. */
export interface Writer {
  /** All of the write is durable when it resolves, and none of it is stored when it rejects as `unavailable`. */
  write<Name extends keyof Writes>(name: Name, args: Parameters<Writes[Name]>): Promise<ReturnType<Writes[Name]>>;
  /** Lets the writes end that were asked for, and releases what the writer holds. */
  close(): Promise<void>;
}

/** Writes over a connection, in the thread of the caller. */
export class ConnectionWriter implements Writer {
  readonly #writes: Writes;

  constructor(private readonly connection: Connection) {
    this.#writes = writesOf(connection);
  }

  write<Name extends keyof Writes>(name: Name, args: Parameters<Writes[Name]>): Promise<ReturnType<Writes[Name]>> {
    const write = this.#writes[name] as (...args: Parameters<Writes[Name]>) => ReturnType<Writes[Name]>;
    return patiently(this.connection, () => transact(this.connection, 'IMMEDIATE', () => write(...args)));
  }

  close(): Promise<void> {
    if (this.connection.open) this.connection.close();
    return Promise.resolve();
  }
}

/** A write on its way to the thread. */
export interface WriteRequest {
  readonly number: number;
  readonly name: keyof Writes;
  readonly args: readonly unknown[];
}

/** What the thread returns. A `DomainError` comes as its parts, since a copied error loses its class and its fields. */
export type WriteResponse = { readonly number: number } & (
  | { readonly answer: unknown }
  | { readonly domainError: Pick<DomainError, 'kind' | 'code' | 'message' | 'fields' | 'cause'> }
  | { readonly error: unknown }
);

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes in a thread with a connection of its own, so that the flush to the disk does not hold up the caller's thread.
 * The thread starts with the first write. It keeps the process alive only while a write is under way.
 */
export class ThreadWriter implements Writer {
  readonly #pending = new Map<number, Pending>();
  #thread: Worker | undefined;
  #count = 0;
  #closed = false;

  constructor(private readonly file: string) {}

  write<Name extends keyof Writes>(name: Name, args: Parameters<Writes[Name]>): Promise<ReturnType<Writes[Name]>> {
    if (this.#closed) return Promise.reject(storeClosed());
    const thread = (this.#thread ??= this.#start());
    return new Promise((resolve, reject) => {
      const request: WriteRequest = { number: (this.#count += 1), name, args };
      thread.postMessage(request);
      this.#pending.set(request.number, { resolve, reject });
      thread.ref();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.ref();
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData: this.file });
    let failure: unknown;
    thread.on('message', (response: WriteResponse) => this.#settle(response, thread));
    thread.on('error', (error) => (failure = error));
    thread.on('exit', () => this.#onExit(failure));
    return thread;
  }

  #settle(response: WriteResponse, thread: Worker): void {
    const pending = this.#pending.get(response.number);
    this.#pending.delete(response.number);
    if (this.#pending.size === 0 && !this.#closed) thread.unref();
    if ('answer' in response) pending?.resolve(response.answer as never);
    else pending?.reject('error' in response ? response.error : domainErrorOf(response.domainError));
  }

  #onExit(cause: unknown): void {
    this.#thread = undefined;
    for (const { reject } of this.#pending.values())
      reject(new DomainError('outcome-unknown', 'no-answer', 'the thread that writes has ended', [], { cause }));
    this.#pending.clear();
  }
}

function domainErrorOf({
  kind,
  code,
  message,
  fields,
  cause,
}: Pick<DomainError, 'kind' | 'code' | 'message' | 'fields' | 'cause'>): DomainError {
  return new DomainError(kind, code, message, fields, { cause });
}
