import { Worker } from 'node:worker_threads';
import { DomainError, type ErrorCode } from '../../domain/errors.js';
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

/** What the thread sends: that its connection is open, then an answer to each call. */
export type ThreadMessage = 'open' | CallResponse;

/** The answer to a call. */
export type CallResponse = { readonly number: number } & (
  | { readonly answer: unknown }
  | { readonly error: ErrorParts }
);

/** The parts of an error: a copied error loses its class and its fields, and one of libsql also its message. */
export interface ErrorParts extends Partial<Pick<DomainError, 'kind' | 'fields'>> {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string;
  readonly cause: ErrorParts | undefined;
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
  #isOpen = false;
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
    // A thread refuses some options of a main program, such as --input-type.
    const options = { workerData: this.data, execArgv: [] };
    const thread = new Worker(new URL('./executor-thread.js', import.meta.url), options);
    let failure: unknown;
    thread.on('message', (message: ThreadMessage) => {
      if (message === 'open') this.#isOpen = true;
      else this.#settle(message, thread);
    });
    thread.on('error', (error) => (failure = error));
    thread.on('exit', () => this.#onExit(failure));
    return thread;
  }

  #settle(response: CallResponse, thread: Worker): void {
    const pending = this.#take(response.number, thread);
    if ('answer' in response) pending?.resolve(response.answer as never);
    else pending?.reject(errorOf(response.error));
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

  /** Rejects the calls that have no answer. A thread that has not opened its connection has done none of them. */
  #onExit(cause: unknown): void {
    const error = this.#isOpen ? this.#hasEnded(cause) : this.#hasNotStarted(cause);
    this.#thread = undefined;
    this.#isOpen = false;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
  }

  #hasEnded(cause: unknown): DomainError {
    const kind = this.data.task === 'write' ? 'outcome-unknown' : 'unavailable';
    const message = `the thread of the task "${this.data.task}" has ended${reasonOf(cause)}`;
    return new DomainError(kind, 'no-answer', message, [], { cause });
  }

  #hasNotStarted(cause: unknown): DomainError {
    const message = `the thread of the task "${this.data.task}" could not start${reasonOf(cause)}`;
    return new DomainError('unavailable', 'store-unavailable', message, [], { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `: ${cause.message}` : '';
}

function errorOf({ kind, code, message, fields, stack, cause }: ErrorParts): Error {
  const options = cause && { cause: errorOf(cause) };
  if (kind !== undefined) return new DomainError(kind, code as ErrorCode, message, fields, options);
  return Object.assign(new Error(message, options), { stack, code });
}
