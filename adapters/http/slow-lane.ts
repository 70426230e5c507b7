import { LRUCache } from 'lru-cache';

type Work = () => void;

/** In milliseconds: so many of those that wait go on at each step. */
const STEP = 10;
const AT_ONCE = 8;
const MOST_WAITING = 1_000;
/** In milliseconds: for how long a lane that was over its quota is taken to be. */
const REMEMBERED = 1_000;
const MOST_REMEMBERED = 1_000;

/**
 * Has those who are over their quota, and go on asking, wait for their refusals, 800 of them a second: they get nothing else, and at full speed
 * they would take the time of everybody else. Nobody else waits here.
 */
export class SlowLane {
  readonly #over = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  readonly #waiting: Work[] = [];

  /** Goes on at once, or a little later. */
  enter(lane: string, goOn: Work): void {
    const until = this.#over.get(lane);
    if (until === undefined || performance.now() > until || this.#waiting.length >= MOST_WAITING) goOn();
    else if (this.#waiting.push(goOn) === 1) setTimeout(() => this.#step(), STEP);
  }

  /** One in this lane was refused for its quota. */
  noteOver(lane: string): void {
    this.#over.set(lane, performance.now() + REMEMBERED);
  }

  #step(): void {
    for (const goOn of this.#waiting.splice(0, AT_ONCE)) goOn();
    if (this.#waiting.length > 0) setTimeout(() => this.#step(), STEP);
  }
}
