import { SLICE } from './in-slices.js';

/**
 * Has work done in turns with the reading of connections, which must not last much longer than the work: Node reads on as long as there is something to
 * read, for seconds while many clients ask again as soon as they are refused. The clock is in milliseconds, from any start.
 */
export class Turns {
  #next: NodeJS.Immediate | undefined;
  #readingSince = 0;
  #isAtWork = false;
  /** In milliseconds: how long the work took when it was last done. */
  #took = 0;

  constructor(
    private readonly now: () => number,
    private readonly work: () => Promise<void>,
  ) {}

  /** The work is done when the connections have been read. */
  take(): void {
    if (this.#next !== undefined) return;
    this.#readingSince = this.now();
    this.#next = setImmediate(() => void this.#begin());
  }

  /** The work that was to come is done at once, if reading takes long. */
  hasten(): void {
    const isToCome = this.#next !== undefined && !this.#isAtWork;
    if (isToCome && this.now() - this.#readingSince > Math.max(SLICE, this.#took)) void this.#begin();
  }

  async #begin(): Promise<void> {
    clearImmediate(this.#next);
    this.#next = undefined;
    this.#isAtWork = true;
    const began = this.now();
    await this.work();
    this.#took = this.now() - began;
    this.#isAtWork = false;
  }
}
