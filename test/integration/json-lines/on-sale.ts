import type { Automation, NewAutomation } from 'automation-marketplace';

/** An automation that was stored, and its place among all that ever were, from 1. */
export interface Entry extends NewAutomation {
  readonly number: number;
  isWithdrawn: boolean;
}

/** What is on sale of some kind, in the order of its numbers. What leaves it is a copy. */
export class OnSale {
  readonly #entries: Entry[] = [];

  get count(): number {
    return this.#entries.length;
  }

  put(entry: Entry): void {
    this.#entries.push(entry);
  }

  take(entry: Entry): void {
    this.#entries.splice(this.countBefore(entry.number), 1);
  }

  /** How many have a lower number. */
  countBefore(number: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.number ?? number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** At most so many of the first `count`, backwards. */
  newestFirst(count: number, limit: number): readonly Automation[] {
    return this.oldestFirst(Math.max(0, count - limit), Math.min(limit, Math.max(0, count))).toReversed();
  }

  /** At most so many after the first `count`. */
  oldestFirst(count: number, limit: number): readonly Automation[] {
    return this.#entries.slice(count, count + limit).map(({ automation }) => structuredClone(automation));
  }
}
