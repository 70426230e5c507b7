import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.js';
import { patiently, storeClosed, transact, type Connection } from './connection.js';

/** Functions that use a connection and block its thread, by their names. */
export type Calls<Names> = { readonly [Name in keyof Names]: (...args: never) => unknown };

/** Runs calls by their names. */
export interface Executor<Of extends Calls<Of>> {
  /**
   * Runs a call in a transaction. All of a write is durable when it resolves, and none of it is stored when it rejects
   * as `unavailable`.
   */
  run<Name extends keyof Of & string>(name: Name, args: Parameters<Of[Name]>): Promise<ReturnType<Of[Name]>>;
  /**
   * Lets the calls end that were asked for, and releases what the executor holds. A check, and a call that waits for
   * the lock of another process, are rejected as `unavailable`.
   */
  close(): Promise<void>;
}

/** Runs calls over a connection, in the thread of the caller. */
export class ConnectionExecutor<Of extends Calls<Of>> implements Executor<Of> {
  constructor(
    private readonly connection: Connection,
    private readonly mode: 'DEFERRED' | 'IMMEDIATE',
    private readonly calls: Of,
  ) {}

  run<Name extends keyof Of & string>(name: Name, args: Parameters<Of[Name]>): Promise<ReturnType<Of[Name]>> {
    const call: (...args: never) => unknown = this.calls[name];
    const work = () => call(...(args as never)) as ReturnType<Of[Name]>;
    return patiently(this.connection, () => transact(this.connection, this.mode, work));
  }

  close(): Promise<void> {
    if (this.connection.open) this.connection.close();
    return Promise.resolve();
  }
}

/** What the thread of an executor gets when it starts. */
export interface ThreadData {
  readonly file: string;
  readonly task: 'write' | 'search' | 'check';
}

/** A call on its way to the thread. */
export interface CallRequest {
  readonly number: number;
  readonly name: string;
  readonly args: readonly unknown[];
  /** A call that has waited for others until this time is not begun; by the clock of the system. */
  readonly beginUntil: number;
}

/** What the thread returns. Errors come as their parts, since a copied error loses its class and its fields. */
export type CallResponse = { readonly number: number } & (
  | { readonly answer: unknown }
  | { readonly domainError: Pick<DomainError, 'kind' | 'code' | 'message' | 'fields' | 'cause'> }
  | { readonly error: ErrorParts }
);

/** The parts of an error of SQLite or of Node. */
export interface ErrorParts {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string;
}

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** A call is not begun after this part of its time limit. */
const BEGIN_WITHIN = 0.8;

/**
 * Runs calls in a thread with a connection of its own, so that neither the flush to the disk nor a long search holds
 * up the caller's thread. The thread starts with the first call. It keeps the process alive only while a call is under
 * way.
 */
export class ThreadExecutor<Of extends Calls<Of>> implements Executor<Of> {
  readonly #pending = new Map<number, Pending>();
  #thread: Worker | undefined;
  #count = 0;
  #closed = false;

  /** `timeLimitOf` returns the milliseconds after which a caller gets no answer any more; undefined is any time. */
  constructor(
    private readonly data: ThreadData,
    private readonly timeLimitOf: (name: keyof Of & string) => number | undefined = () => undefined,
  ) {}

  run<Name extends keyof Of & string>(name: Name, args: Parameters<Of[Name]>): Promise<ReturnType<Of[Name]>> {
    if (this.#closed) return Promise.reject(storeClosed());
    const thread = (this.#thread ??= this.#start());
    const timeLimit = this.timeLimitOf(name);
    const number = (this.#count += 1);
    return new Promise((resolve, reject) => {
      const beginUntil = Date.now() + BEGIN_WITHIN * (timeLimit ?? Infinity);
      thread.postMessage({ number, name, args, beginUntil } satisfies CallRequest);
      const timer = timeLimit === undefined ? undefined : setTimeout(() => this.#giveUp(number, thread), timeLimit);
      this.#pending.set(number, { resolve, reject, timer });
      thread.ref();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.ref();
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    if (this.data.task === 'check') await thread.terminate();
    else thread.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./executor-thread.js', import.meta.url), { workerData: this.data });
    let failure: unknown;
    thread.on('message', (response: CallResponse) => this.#settle(response, thread));
    thread.on('error', (error) => (failure = error));
    thread.on('exit', () => this.#onExit(failure));
    return thread;
  }

  #settle(response: CallResponse, thread: Worker): void {
    const pending = this.#take(response.number, thread);
    if ('answer' in response) pending?.resolve(response.answer as never);
    else pending?.reject('error' in response ? errorOf(response.error) : domainErrorOf(response.domainError));
  }

  /** The thread may be at work on the call, or may never begin it. */
  #giveUp(number: number, thread: Worker): void {
    const pending = this.#take(number, thread);
    pending?.reject(new DomainError('outcome-unknown', 'no-answer', 'a write has taken too long'));
  }

  #take(number: number, thread: Worker): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    clearTimeout(pending?.timer);
    if (this.#pending.size === 0 && !this.#closed) thread.unref();
    return pending;
  }

  #onExit(cause: unknown): void {
    this.#thread = undefined;
    const kind = this.data.task === 'write' ? 'outcome-unknown' : 'unavailable';
    const message = `the thread of the task "${this.data.task}" has ended`;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new DomainError(kind, 'no-answer', message, [], { cause }));
    }
    this.#pending.clear();
  }
}

function errorOf({ message, stack, code }: ErrorParts): Error {
  return Object.assign(new Error(message), { stack, code });
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
