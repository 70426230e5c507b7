import type { Store } from './store.js';

/** In milliseconds. */
const BELIEVED = 1_000;

/** Whether requests can be served. However many ask, the store is asked once a second at most. */
export class Readiness {
  #open = false;
  #asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  constructor(private readonly store: Pick<Store, 'ping'>) {}

  open(): void {
    this.#open = true;
  }

  close(): void {
    this.#open = false;
  }

  readonly isReady = async (): Promise<boolean> => {
    if (!this.#open) return false;
    const now = performance.now();
    if (this.#asked === undefined || now - this.#asked.at >= BELIEVED) this.#asked = { at: now, answer: this.#isInReach() };
    return (await this.#asked.answer) && this.#open;
  };

  async #isInReach(): Promise<boolean> {
    try {
      await this.store.ping();
      return true;
    } catch {
      return false;
    }
  }
}
