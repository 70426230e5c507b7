import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../domain/errors.js';
import { BatchQueue } from '../../storage/batch-queue.js';
import type { OnError, SqlSettings } from '../storage.js';
import { errorOf, storeClosed, type ErrorParts } from './failures.js';

/** What a thread gets when it starts. */
export interface ThreadData extends SqlSettings {
  readonly file: string;
}

/** A call of a method of a port, or of the storage itself. */
export interface Call {
  readonly port?: string | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A call on its way to the thread. */
export interface CallRequest extends Call {
  readonly number: number;
  /** A call that has waited for others until this time is not begun; by the clock of the system. */
  readonly beginUntil: number;
}

/** The number of a response to no call: a failure of work in the background. */
export const NO_CALL = 0;

/** The answer to a call. */
export type CallResponse = { readonly number: number } & (
  | { readonly answer: unknown }
  | { readonly error: ErrorParts }
);

/** What a thread is for. */
export interface Task {
  readonly name: string;
  /**
   * Whether the thread is ended at once when a call takes too long, and when the store is closed. It has one call at a
   * time, so that no other call ends with it.
   */
  readonly endsAtOnce: boolean;
  /** Whether the thread ends when it has nothing to do. */
  readonly endsWhenIdle: boolean;
  /** Returns the milliseconds after which a caller gets no answer any more; undefined is any time. */
  limitOf(method: string): number | undefined;
  /** Returns the error of a call that has taken too long, and of one under way when the thread ends. */
  tooLate(message: string, options?: ErrorOptions): DomainError;
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** A call is not begun after this part of its time limit. */
const BEGIN_WITHIN = 0.8;

/**
 * A thread with a storage of its own over the same file, so that neither the flush to the disk nor a long search holds
 * up the caller's thread. It starts with the first call, and again after it has ended. It keeps the process alive only
 * while a call is under way.
 */
export class StorageThread {
  readonly #inTurn = new BatchQueue<Call, unknown>((calls) => Promise.all(calls.map((call) => this.#send(call))), 1);
  readonly #pending = new Map<number, Pending>();
  #thread: Worker | undefined;
  #count = 0;
  #isClosed = false;

  constructor(
    private readonly task: Task,
    private readonly data: ThreadData,
    private readonly onError?: OnError,
  ) {}

  run(call: Call): Promise<unknown> {
    return this.task.endsAtOnce ? this.#inTurn.ask(call) : this.#send(call);
  }

  /** Lets the calls end that were asked for, unless the task ends at once. Those that wait for a lock are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.ref();
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    if (this.task.endsAtOnce) await thread.terminate();
    else thread.postMessage('close');
    await ended;
  }

  #send(call: Call): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      const thread = (this.#thread ??= this.#start());
      const number = (this.#count += 1);
      const limit = this.task.limitOf(call.method);
      const beginUntil = Date.now() + BEGIN_WITHIN * (limit ?? Infinity);
      thread.postMessage({ ...call, number, beginUntil } satisfies CallRequest);
      const timer = limit === undefined ? undefined : setTimeout(() => this.#giveUp(number, thread), limit);
      this.#pending.set(number, { resolve, reject, timer });
      thread.ref();
    });
  }

  #start(): Worker {
    // A thread refuses some options of a main program, such as --input-type.
    const thread = new Worker(new URL('./thread-program.js', import.meta.url), { workerData: this.data, execArgv: [] });
    let isOpen = false;
    let cause: unknown;
    thread.on('message', (message: 'open' | CallResponse) => {
      if (message === 'open') isOpen = true;
      else this.#settle(message, thread);
    });
    thread.on('error', (error) => (cause = error));
    thread.on('exit', () => this.#onExit(thread, this.#failure(isOpen, cause)));
    return thread;
  }

  #settle(response: CallResponse, thread: Worker): void {
    const pending = this.#take(response.number, thread);
    if ('answer' in response) pending?.resolve(response.answer);
    else if (response.number === NO_CALL) this.onError?.(errorOf(response.error));
    else pending?.reject(errorOf(response.error));
    if (this.task.endsWhenIdle && this.#pending.size === 0) this.#end(thread);
  }

  /** The thread may be at work on the call, or may never begin it. */
  #giveUp(number: number, thread: Worker): void {
    this.#take(number, thread)?.reject(this.task.tooLate('the call has taken too long'));
    if (this.task.endsAtOnce) this.#end(thread);
  }

  #end(thread: Worker): void {
    this.#thread = undefined;
    void thread.terminate();
  }

  #take(number: number, thread: Worker): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    clearTimeout(pending?.timer);
    if (this.#pending.size === 0 && !this.#isClosed) thread.unref();
    return pending;
  }

  #onExit(thread: Worker, error: DomainError): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const number of [...this.#pending.keys()])
      this.#take(number, thread)?.reject(this.#isClosed && this.task.endsAtOnce ? storeClosed() : error);
  }

  /** Returns the error of a call under way. A thread that has not opened its connection has done nothing. */
  #failure(wasOpen: boolean, cause: unknown): DomainError {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    const message = `the thread of the task "${this.task.name}" ${wasOpen ? 'has ended' : 'could not start'}${reason}`;
    if (wasOpen) return this.task.tooLate(message, { cause });
    return new DomainError('unavailable', 'store-unavailable', message, [], { cause });
  }
}
