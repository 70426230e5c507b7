/** Runs a limited number of tasks at the same time. The others wait and start in their order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(
    slots: number,
    private readonly maxWaiting = Infinity,
  ) {
    this.#free = slots;
  }

  /** True when a further task would have no place to wait. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.length >= this.maxWaiting;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
