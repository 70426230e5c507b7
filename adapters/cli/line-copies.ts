const SEGMENTS = 64;
const FIRST_CAPACITY = 64;
const FULLEST = 0.75;
const GROWTH = 1.5;
const KEY_BYTES = 6;
const KEYS = 2 ** (8 * KEY_BYTES);

/**
 * Counts how often each digest came, in 16 to 24 bytes for each one: 54 of its bits and a count, in open addressing. Should two
 * digests agree in these bits, they are numbered as copies of one another, which is harmless: the same file gives the same numbers
 * again. Segments grow one at a time, so growing never needs everything twice.
 */
export class LineCopies {
  readonly #segments = Array.from({ length: SEGMENTS }, () => new Segment(FIRST_CAPACITY));

  /** How many times this digest came so far, this time included. */
  count(digest: Buffer): number {
    const index = digest.readUInt8(0) % SEGMENTS;
    const segment = this.#segments[index] ?? new Segment(FIRST_CAPACITY);
    const roomy = segment.isFull() ? segment.grown() : segment;
    this.#segments[index] = roomy;
    return roomy.add(digest.readUIntBE(1, KEY_BYTES), 1);
  }

  byteSize(): number {
    return this.#segments.reduce((size, segment) => size + segment.byteSize(), 0);
  }
}

/** Keys in the order of their values, as far as collisions let them, each with its count; a count of 0 is a free place. */
class Segment {
  readonly #keys: Float64Array;
  readonly #counts: Uint32Array;
  #size = 0;

  constructor(private readonly capacity: number) {
    this.#keys = new Float64Array(capacity);
    this.#counts = new Uint32Array(capacity);
  }

  /** Adds to the count of a key and answers it. */
  add(key: number, times: number): number {
    let place = Math.floor((key / KEYS) * this.capacity);
    while (this.#counts[place] !== 0 && this.#keys[place] !== key) place = place + 1 === this.capacity ? 0 : place + 1;
    const count = this.#counts[place] ?? 0;
    if (count === 0) this.#size += 1;
    this.#keys[place] = key;
    this.#counts[place] = count + times;
    return count + times;
  }

  isFull(): boolean {
    return this.#size >= this.capacity * FULLEST;
  }

  grown(): Segment {
    const grown = new Segment(Math.ceil(this.capacity * GROWTH));
    for (const [place, count] of this.#counts.entries()) if (count > 0) grown.add(this.#keys[place] ?? 0, count);
    return grown;
  }

  byteSize(): number {
    return this.#keys.byteLength + this.#counts.byteLength;
  }
}
