import type { IncomingMessage } from 'node:http';

/** In milliseconds: what a request may have waited for its turn while all is well. */
const TARGET = 50;
/** In milliseconds: how long waits may be longer than that before requests are shed; a burst is none. */
const PATIENCE = 250;
/** In milliseconds: the longest wait that even a burst may make. */
const LONGEST_WAIT = 400;
/** How many requests of one credential are served in a turn that sheds, so that one who asks a lot keeps out nobody who asks little. */
const FAIR_SHARE = 4;
const MOST_SHARES = 100;
/** How many requests may be under way at once, if more are not answered in a second. */
const FEWEST_UNDER_WAY = 1_000;
/** In milliseconds: how often the event loop is looked at. */
const LOOK = 50;
const SECOND = 1_000;

/**
 * Lets requests in as long as they need not wait for others. Those that arrive while the event loop is busy are served
 * one after the other in its next turn: what a request has waited is the time since that turn began, and before it the time for which the
 * loop stood still. As in CoDel (RFC 8289) a wait counts once waits have been too long for a while. Where the waiting is done by the storage,
 * no more requests are under way than one second answers.
 */
export class Admission {
  #turnBegan: number | undefined;
  #longestWait = 0;
  #tooLongSince: number | undefined;
  readonly #served = new Map<string, number>();
  #underWay = 0;
  #answered = 0;
  #answeredLastSecond = 0;
  #secondBegan: number;
  #looked: number;
  readonly #look: NodeJS.Timeout;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#looked = this.#secondBegan = now();
    this.#look = setInterval(() => this.#lookAtLoop(), LOOK).unref();
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Whether this request is to be served, and is under way from now on; else it is to be shed. */
  admits(request: IncomingMessage): boolean {
    if (!this.#hasRoom(request)) return false;
    this.#underWay += 1;
    return true;
  }

  /** One that was admitted is over. */
  isOver(): void {
    this.#underWay -= 1;
    this.#answered += 1;
  }

  close(): void {
    clearInterval(this.#look);
  }

  #hasRoom(request: IncomingMessage): boolean {
    if (this.#underWay >= Math.max(FEWEST_UNDER_WAY, this.#answeredLastSecond)) return false;
    const now = this.now();
    const waited = now - this.#turn(now);
    this.#longestWait = Math.max(this.#longestWait, waited);
    if (waited <= TARGET || (waited <= LONGEST_WAIT && !this.#isOverloaded(now))) return true;
    return this.#takesShare(request.headers.authorization ?? '');
  }

  /** When the turn began whose requests come now; it ends when the loop has read all that was there. */
  #turn(now: number): number {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      setImmediate(() => this.#endTurn());
    }
    return this.#turnBegan;
  }

  #endTurn(): void {
    if (this.#longestWait <= TARGET) this.#tooLongSince = undefined;
    else this.#tooLongSince ??= this.now();
    this.#turnBegan = undefined;
    this.#longestWait = 0;
    this.#served.clear();
  }

  #isOverloaded(now: number): boolean {
    return this.#tooLongSince !== undefined && now - this.#tooLongSince > PATIENCE;
  }

  #takesShare(credential: string): boolean {
    const served = this.#served.get(credential) ?? 0;
    if (served >= FAIR_SHARE || (served === 0 && this.#served.size >= MOST_SHARES)) return false;
    this.#served.set(credential, served + 1);
    return true;
  }

  #lookAtLoop(): void {
    const now = this.now();
    const stoodStill = now - this.#looked - LOOK;
    this.#looked = now;
    if (stoodStill > TARGET) this.#turn(now - stoodStill);
    if (now - this.#secondBegan < SECOND) return;
    this.#answeredLastSecond = this.#answered;
    this.#answered = 0;
    this.#secondBegan = now;
  }
}
