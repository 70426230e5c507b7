import { setTimeout } from 'node:timers/promises';

/** Fires at a steady rate, whether or not the earlier ones are answered, until it is stopped. */
export class Load {
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];
  readonly #done: Promise<void>;
  #stopped = false;
  fired = 0;

  constructor(
    perSecond: number,
    private readonly fire: (n: number) => Promise<void>,
    /**
     * More than these are not begun: what is not answered by then is the machine's fault, and would be refused by its
     * sockets.
     */
    private readonly mostUnderWay = 200,
  ) {
    this.#done = this.#run(perSecond);
  }

  /** Resolves once all are answered; fails as the first of them that failed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
    await Promise.all(this.#underWay);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #run(perSecond: number): Promise<void> {
    const started = performance.now();
    while (!this.#stopped) {
      const due = ((performance.now() - started) / 1000) * perSecond;
      for (; this.fired < due && this.#underWay.size < this.mostUnderWay; this.fired += 1) this.#begin(this.fired);
      await setTimeout(5);
    }
  }

  #begin(n: number): void {
    const underWay = this.fire(n)
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#underWay.delete(underWay));
    this.#underWay.add(underWay);
  }
}
