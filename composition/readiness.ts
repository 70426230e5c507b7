import { onceASecond } from './once-a-second.js';
import type { Store } from './store.js';

/** Whether requests can be served. However many ask, the store is asked once a second at most. */
export class Readiness {
  #open = false;
  readonly #isInReach: () => Promise<boolean>;

  constructor(store: Pick<Store, 'ping'>) {
    this.#isInReach = onceASecond(() => isInReach(store));
  }

  open(): void {
    this.#open = true;
  }

  close(): void {
    this.#open = false;
  }

  readonly isReady = async (): Promise<boolean> => this.#open && (await this.#isInReach()) && this.#open;
}

async function isInReach(store: Pick<Store, 'ping'>): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch {
    return false;
  }
}
