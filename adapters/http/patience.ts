/** In milliseconds: the longest wait to expect in a crowd. */
const TARGET = 15;
/** In milliseconds: the longest wait to expect in a burst, and how long a burst may last before it is a crowd. */
const LONGEST_WAIT = 1_000;
const LONGEST_BURST = 250;
/** In milliseconds: a crowd is over when for so long nobody was shed. */
const CALM = 1_000;
/** So many may wait however long it takes: a hundred clients are no overload of a slow machine. */
const NO_CROWD = 128;
/** A crowd is shed if so many refusals cost less than one answer: otherwise it is sooner served. To read a request costs more than to refuse it, and is in neither: with it eight are four. */
const REFUSALS = 8;

/**
 * How long a queue may get. The wait to expect is the number that wait times what serving one costs. A burst may make it long; once the queue
 * has not been empty for a while it must be short, since a standing queue adds delay and nothing else (CoDel, RFC 8289). The clock is in
 * milliseconds, from any start.
 */
export class Patience {
  readonly #serving = new Cost();
  readonly #shedding = new Cost();
  #waitedSince = -Infinity;
  #shedAt = -Infinity;

  constructor(private readonly now: () => number) {}

  /** Somebody has to wait, and nobody did. */
  noteWait(): void {
    const now = this.now();
    if (now - this.#shedAt > CALM) this.#waitedSince = now;
  }

  noteServed(count: number, took: number): void {
    this.#serving.add(count, took);
  }

  noteShed(took: number): void {
    this.#shedAt = this.now();
    this.#shedding.add(1, took);
  }

  isExceeded(waiting: number): boolean {
    return waiting >= NO_CROWD && waiting * this.#serving.each > this.#longestWait();
  }

  #longestWait(): number {
    const isWorthIt = this.#serving.each > REFUSALS * this.#shedding.each;
    return isWorthIt && this.now() - this.#waitedSince > LONGEST_BURST ? TARGET : LONGEST_WAIT;
  }
}

/** The mean cost of one of late, in milliseconds. It starts as if a thousand had cost nothing, so that the first few do not count for much. */
class Cost {
  #count = 1_000;
  #took = 0;

  get each(): number {
    return this.#took / this.#count;
  }

  add(count: number, took: number): void {
    this.#count += count;
    this.#took += took;
    if (this.#count < 10_000) return;
    this.#count /= 2;
    this.#took /= 2;
  }
}
