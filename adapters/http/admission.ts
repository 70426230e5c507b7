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

/** In milliseconds, from any start. */
interface Clocks {
  readonly now: () => number;
  /** How long this process has been at work. */
  readonly worked: () => number;
}

interface Moment {
  readonly at: number;
  readonly worked: number;
}

/**
 * Lets requests in as long as they need not wait for others. Those that arrive while the event loop is busy are served
 * one after the other in its next turn: what a request has waited is the time since that turn began, and before it the time for which the
 * loop stood still; time in which the machine did other work does not count, since shedding would not shorten it. As in CoDel (RFC 8289) a wait counts once waits have been too long for a while. Where the waiting is done by the storage,
 * no more requests are under way than one second answers.
 */
export class Admission {
  #turnBegan: Moment | undefined;
  #longestWait = 0;
  #tooLongSince: number | undefined;
  readonly #served = new Map<string, number>();
  #underWay = 0;
  #answered = 0;
  #answeredLastSecond = 0;
  #secondBegan: number;
  #looked: Moment;
  readonly #look: NodeJS.Timeout;

  constructor(private readonly clocks: Clocks = CLOCKS) {
    this.#looked = this.#moment();
    this.#secondBegan = this.#looked.at;
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
    const waited = this.#waited();
    this.#longestWait = Math.max(this.#longestWait, waited);
    if (waited <= TARGET || (waited <= LONGEST_WAIT && !this.#isOverloaded())) return true;
    return this.#takesShare(request.headers.authorization ?? '');
  }

  /** Since the turn began whose requests come now. */
  #waited(): number {
    const began = this.#turnBegan ?? this.#beginTurn(this.#moment());
    const passed = this.clocks.now() - began.at;
    return passed <= TARGET ? passed : Math.min(passed, this.clocks.worked() - began.worked);
  }

  /** It ends when the loop has read all that was there. */
  #beginTurn(moment: Moment): Moment {
    this.#turnBegan = moment;
    setImmediate(() => this.#endTurn());
    return moment;
  }

  #moment(): Moment {
    return { at: this.clocks.now(), worked: this.clocks.worked() };
  }

  #endTurn(): void {
    if (this.#longestWait <= TARGET) this.#tooLongSince = undefined;
    else this.#tooLongSince ??= this.clocks.now();
    this.#turnBegan = undefined;
    this.#longestWait = 0;
    this.#served.clear();
  }

  #isOverloaded(): boolean {
    return this.#tooLongSince !== undefined && this.clocks.now() - this.#tooLongSince > PATIENCE;
  }

  #takesShare(credential: string): boolean {
    const served = this.#served.get(credential) ?? 0;
    if (served >= FAIR_SHARE || (served === 0 && this.#served.size >= MOST_SHARES)) return false;
    this.#served.set(credential, served + 1);
    return true;
  }

  #lookAtLoop(): void {
    const before = this.#looked;
    this.#looked = this.#moment();
    const { at } = this.#looked;
    if (at - before.at - LOOK > TARGET && this.#turnBegan === undefined)
      this.#beginTurn({ at: before.at + LOOK, worked: before.worked + LOOK });
    if (at - this.#secondBegan < SECOND) return;
    this.#answeredLastSecond = this.#answered;
    this.#answered = 0;
    this.#secondBegan = at;
  }
}

const CLOCKS: Clocks = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
