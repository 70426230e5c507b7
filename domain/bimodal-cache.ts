/** Of the new values that find no room one in so many is kept. */
const ADMITTED = 32;

/**
 * Keeps so many values by name. Once it is full one new value in 32 takes the place of the oldest, and the others are not kept: else whoever asks by turns for
 * more than there is room for would drive out each value before it is asked for again (bimodal insertion; Qureshi et al., Adaptive Insertion Policies for High
 * Performance Caching, ISCA 2007).
 */
export class BimodalCache<Value> {
  readonly #values = new Map<string, Value>();
  #refused = 0;

  constructor(private readonly most: number) {}

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  /** Keeps what is made, and answers it; or makes nothing, and keeps nothing. */
  keep(name: string, make: () => Value): Value | undefined {
    if (this.#values.size >= this.most && !this.#makesRoom()) return undefined;
    const value = make();
    this.#values.set(name, value);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  #makesRoom(): boolean {
    this.#refused += 1;
    if (this.#refused % ADMITTED > 0) return false;
    const [oldest = ''] = this.#values.keys();
    return this.#values.delete(oldest);
  }
}
