import { setImmediate as endOfTurn } from 'node:timers/promises';

const SAMPLE_MS = 20;
/** The weight of the newest sample in the mean. */
const NEWEST = 0.3;

/** Measures the delay of the event loop, without keeping the process alive. */
export class EventLoopDelay {
  #meanMs = 0;
  #sampling: NodeJS.Timeout | undefined;
  #isUsed = false;

  /** `isIdle` tells whether the measure can end: an application that is dropped leaves no timer. */
  constructor(private readonly isIdle: () => boolean) {}

  get meanMs(): number {
    return this.#meanMs;
  }

  /** Goes on measuring until nothing has asked for it from one sample to the next. */
  measure(): void {
    this.#isUsed = true;
    if (this.#sampling !== undefined) return;
    let due = performance.now() + SAMPLE_MS;
    this.#sampling = setInterval(() => {
      const now = performance.now();
      this.#meanMs += NEWEST * (now - due - this.#meanMs);
      due = now + SAMPLE_MS;
      if (!this.#isUsed && this.isIdle()) this.#end();
      this.#isUsed = false;
    }, SAMPLE_MS).unref();
  }

  #end(): void {
    clearInterval(this.#sampling);
    this.#sampling = undefined;
    this.#meanMs = 0;
  }
}

/** Lets one after the other go on, each in a turn of the event loop of its own. */
export class OwnTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves in the next turn that nothing else has. */
  next(): Promise<unknown> {
    this.#last = this.#last.then(() => endOfTurn());
    return this.#last;
  }
}

/** Lets the requests of one turn of the event loop go on together. */
export class Turns {
  #turn: Promise<void> | undefined;

  /**
   * Resolves for all requests of one turn of the event loop together. They go on side by side, each step of all before
   * the next step of any, which keeps the code in the processor's caches: 1.5 times the lists and gets a second.
   * Refusals wait, too. Sent at once, they bring the next requests into the same turn, which then does not end: in an
   * experiment 2 % of the capacity was served, in place of 40 %.
   */
  end(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return this.#turn;
  }
}
