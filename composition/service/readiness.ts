import type { Readiness as State } from '../../adapters/edge/probes/health.js';
import type { Storage } from '../../domain/ports.js';
import type { ServiceLog } from './service-log.js';

const MAX_AGE_MS = 1_000;

/**
 * Returns a function that asks at most once a second: other callers share the answer, or the failure, of the last
 * second.
 */
export function oncePerSecond<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly at: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    const at = performance.now();
    if (last === undefined || at - last.at >= MAX_AGE_MS) last = { at, answer: ask() };
    return last.answer;
  };
}

/** Whether requests can be served. The store is asked at most once a second. */
export class Readiness {
  #phase: 'starting' | 'open' | 'draining' = 'starting';
  #takesWrites = true;
  /** Why the store cannot be used; undefined while it can. */
  #failure: string | undefined;
  readonly #stateOfStore: () => Promise<State>;

  constructor(
    storage: Pick<Storage, 'ping'>,
    private readonly log: ServiceLog,
  ) {
    this.#stateOfStore = oncePerSecond(() =>
      storage.ping().then(
        (state) => {
          this.#storeWorks();
          this.#noteWrites(state !== 'read-only');
          return state === 'read-only' ? state : 'ready';
        },
        (error: unknown) => {
          this.storeFailed(error);
          return 'storage';
        },
      ),
    );
  }

  open(): void {
    this.#phase = 'open';
    this.#storeWorks();
  }

  close(): void {
    this.#phase = 'draining';
  }

  /** Writes a line when the store cannot be used, and another one when the cause changes; none during a stop. */
  storeFailed(error: unknown): void {
    if (this.#phase === 'draining') return;
    const failure = error instanceof Error ? error.message : String(error);
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.log.warn({ err: error }, `the store is not ready: ${failure}`);
  }

  /** Returns `ready`, `read-only`, or one word for what is missing. */
  readonly state = async (): Promise<State> => {
    const beforeOpen = this.#failure === undefined ? 'starting' : 'storage';
    const state = this.#phase === 'open' ? await this.#stateOfStore() : beforeOpen;
    return this.#phase === 'draining' ? 'draining' : state;
  };

  /** Writes a line when the store takes no writes, and when it takes them again. */
  #noteWrites(takesWrites: boolean): void {
    if (takesWrites === this.#takesWrites || this.#phase === 'draining') return;
    this.#takesWrites = takesWrites;
    if (takesWrites) this.log.info({}, 'the storage takes writes again');
    else this.log.warn({}, 'the storage takes no writes at the moment; reading works, and writes are refused');
  }

  #storeWorks(): void {
    if (this.#failure !== undefined) this.log.info({}, 'the store is ready');
    this.#failure = undefined;
  }
}
