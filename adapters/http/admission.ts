import type { IncomingMessage } from 'node:http';
import { FairQueue } from './fair-queue.js';
import { SLICE } from './in-slices.js';
import { Patience } from './patience.js';
import { Turns } from './turns.js';

/** How many requests go side by side, each step of all before the next step of any: what a step needs stays in the caches of the processor, which saves a tenth of the time, and half where other programs empty them. */
const SIDE_BY_SIDE = 32;
/** In milliseconds: for how long the event loop may stand still before what came meanwhile is shed. */
const LONGEST_STALL = 400;
/** How many requests of one line may wait whatever the others ask, so that one who asks a lot keeps out nobody who asks little. */
const FAIR_SHARE = 8;
const MOST_SHARES = 64;
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

type Work = () => void;

/**
 * Lets requests in that can be answered soon. The first of a line is answered at once; the others wait until the connections have been
 * read, and are answered in slices, one line after the other; between slices the connections are read again, so that nobody waits long
 * because another asks a lot.
 * Who would have to wait too long is shed at once. Where the waiting is done by the storage, no more requests are under way than one second answers.
 */
export class Admission {
  readonly #waiting = new FairQueue<Work>();
  /** Of whom one was answered at once, since the connections began to be read. */
  readonly #atOnce = new Set<string>();
  #underWay = 0;
  #answered = 0;
  #answeredLastSecond = 0;
  #secondBegan: number;
  readonly #turns: Turns;
  readonly #patience: Patience;
  #stalled = false;
  #looked: Moment;
  readonly #look: NodeJS.Timeout;

  constructor(private readonly clocks: Clocks = CLOCKS) {
    this.#turns = new Turns(clocks.now, () => this.#work());
    this.#patience = new Patience(clocks.now);
    this.#looked = this.#moment();
    this.#secondBegan = this.#looked.at;
    this.#look = setInterval(() => this.#lookAtLoop(), LOOK).unref();
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Calls one of the two, soon if not at once. Who is served is under way from then on. */
  enter(line: string, serve: Work, shed: Work): void {
    if (this.#isFull(this.#underWay)) this.#shed(shed);
    else if (this.#isFirst(line)) this.#answerAtOnce(line, serve);
    else if (this.#isTooMany(line)) this.#shed(shed);
    else this.#wait(line, serve);
  }

  /** One that was served goes on only when its client has sent more, or the answer tells: meanwhile it is not under way, or slow senders would fill all places. */
  untilSent(request: IncomingMessage): () => void {
    let isSent = false;
    const goOn = () => {
      if (!isSent) this.#underWay += 1;
      isSent = true;
    };
    this.#underWay -= 1;
    request.once('close', goOn);
    return goOn;
  }

  /** One that was served is done with; how fast its client reads the answer is no matter, or slow readers would fill all places. */
  leave(): void {
    this.#underWay -= 1;
    this.#answered += 1;
  }

  close(): void {
    clearInterval(this.#look);
  }

  #isFull(requests: number): boolean {
    return requests >= Math.max(FEWEST_UNDER_WAY, this.#answeredLastSecond);
  }

  /** Whether it asks for little: none of its requests wait, and none was answered since the connections began to be read. */
  #isFirst(line: string): boolean {
    return this.#waiting.waitingOf(line) === 0 && !this.#atOnce.has(line) && this.#atOnce.size < MOST_SHARES;
  }

  #isTooMany(line: string): boolean {
    const own = this.#waiting.waitingOf(line);
    if (own < FAIR_SHARE && (own > 0 || this.#waiting.subjects < MOST_SHARES)) return false;
    if (this.#stalled || this.#isFull(this.#underWay + this.#waiting.size)) return true;
    return this.#patience.isExceeded(this.#waiting.size);
  }

  #shed(shed: Work): void {
    const began = this.clocks.now();
    shed();
    this.#patience.noteShed(this.clocks.now() - began);
    this.#turns.hasten();
  }

  #answerAtOnce(line: string, serve: Work): void {
    this.#atOnce.add(line);
    this.#begin(serve);
    this.#turns.take();
  }

  #wait(line: string, serve: Work): void {
    if (this.#waiting.size === 0) this.#patience.noteWait();
    this.#waiting.add(line, serve);
    this.#turns.take();
  }

  #begin(serve: Work): void {
    this.#underWay += 1;
    serve();
  }

  /** The waiting are answered when the loop has read all that was there; as long as somebody waits, again after each reading. */
  async #work(): Promise<void> {
    this.#atOnce.clear();
    await this.#serveForASlice();
    if (this.#waiting.size > 0) this.#turns.take();
  }

  async #serveForASlice(): Promise<void> {
    const began = this.clocks.now();
    const end = began + SLICE;
    const waited = this.#waiting.size;
    const nextInTime = () => (this.clocks.now() < end ? this.#waiting.next() : undefined);
    for (let serve = nextInTime(); serve; serve = nextInTime()) {
      for (let begun = 1; serve; begun += 1) {
        this.#begin(serve);
        serve = begun < SIDE_BY_SIDE ? nextInTime() : undefined;
      }
      await asFarAsTheyGo();
    }
    this.#patience.noteServed(waited - this.#waiting.size, this.clocks.now() - began);
  }

  #lookAtLoop(): void {
    const before = this.#looked;
    this.#looked = this.#moment();
    const worked = this.#looked.worked - before.worked;
    this.#stalled = Math.min(this.#looked.at - before.at, worked) - LOOK > LONGEST_STALL;
    if (this.#looked.at - this.#secondBegan < SECOND) return;
    this.#answeredLastSecond = this.#answered;
    this.#answered = 0;
    this.#secondBegan = this.#looked.at;
  }

  #moment(): Moment {
    return { at: this.clocks.now(), worked: this.clocks.worked() };
  }
}

const CLOCKS: Clocks = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** Until all have come as far as they do without waiting for anything else: the microtasks of the first tick are done when the second comes. */
async function asFarAsTheyGo(): Promise<void> {
  for (let tick = 1; tick <= 2; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
}
