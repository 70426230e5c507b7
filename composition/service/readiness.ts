import type { Storage } from '../../domain/ports.js';

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
  #isOpen = false;
  readonly #isReachable: () => Promise<boolean>;

  constructor(storage: Pick<Storage, 'ping'>) {
    this.#isReachable = oncePerSecond(() => storage.ping().then(() => true, () => false));
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  readonly isReady = async (): Promise<boolean> => this.#isOpen && (await this.#isReachable()) && this.#isOpen;
}
