import { randomUUID } from 'node:crypto';
import type { Base } from './insertion.js';
import type { TurnNote, TurnNotes } from './turn-notes.js';

/** In milliseconds. */
const LOOK_EVERY = 200;
const REMEMBERED = 1_000;
const PATIENCE = 1_000;
/** From whoever has the turn it is taken when there is no note for so long. */
const SILENCE = 250;
/**
 * In that time all have a turn each, in which one batch is added after the other. It ends when nothing comes for a
 * while.
 */
const ROUND = 30;
const NOTHING_COMES = 4;

/** Categories whose numbers are handed over at most. */
const MOST_HANDED_OVER = 100;

interface Waiting {
  readonly resolve: (base?: Base) => void;
  readonly reject: (error: unknown) => void;
  readonly silence: NodeJS.Timeout;
}

/**
 * Has processes that add at the same time do so by turns, since otherwise they overtake one another again and again. It
 * is a courtesy: the unique indexes keep the numbers apart whoever's turn it is. So a turn need not be durable. They
 * agree by notes, which all read in one order: that somebody wants turns too, or who takes turns from now on, the first
 * of them having it. Of two notes that give the same turn the first counts. Who has it hands it on with the numbers
 * that it left behind, and comes last. Who has seen nobody else for a while takes no turns, and only looks now and then
 * whether somebody does.
 */
export class Turns {
  readonly #me = randomUUID();
  #count = 0;
  #ring: readonly string[] = [];
  readonly #joining = new Set<string>();
  /** What was left behind by whoever had the turn before. */
  #numbers: TurnNote['numbers'];
  /** Since when it is our turn, while it is. */
  #since: number | undefined;
  #batchSince = -Infinity;
  #ending: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
  #isFollowing = false;
  #crowdedUntil = -Infinity;
  #lookedAt = -Infinity;
  #sawAt = -Infinity;
  #seen: string | undefined;

  constructor(private readonly notes: Pick<TurnNotes, 'add' | 'follow' | 'last'>) {}

  noteOther(): void {
    this.#crowdedUntil = performance.now() + REMEMBERED;
  }

  /**
   * Waits for a turn if there are others. If others may have added since our last one, answers the numbers that are
   * known to have been given, if they are; `undefined` if nobody else has. Where no turn can be had it goes on without
   * one, and asks for none for a while.
   */
  async take(): Promise<{ base: Base | undefined } | undefined> {
    clearTimeout(this.#ending);
    this.#batchSince = performance.now();
    if (this.#since !== undefined) return undefined;
    if (this.#batchSince > this.#crowdedUntil) {
      void this.#lookAround();
      return undefined;
    }
    try {
      const base = await this.#wait();
      this.#batchSince = performance.now();
      return { base };
    } catch {
      this.#crowdedUntil = -Infinity;
      return { base: undefined };
    }
  }

  /**
   * One batch is added, and these are the highest numbers now; the turn may go on, if there is time for another one.
   */
  done(base: Base): void {
    if (this.#since === undefined) return;
    const now = performance.now();
    const isOver = now + (now - this.#batchSince) > this.#since + ROUND / (1 + this.#others().length);
    if (isOver) this.#handOn(numbersOf(base), [this.#me]);
    else this.#ending = setTimeout(() => this.#handOn(numbersOf(base)), NOTHING_COMES);
  }

  /** Who wants no more turns does not come last. */
  #handOn(numbers: TurnNote['numbers'], last: readonly string[] = []): void {
    this.#since = undefined;
    this.#give([...this.#others(), ...last], numbers);
  }

  #others(): readonly string[] {
    return [...this.#ring, ...this.#joining].filter((one) => one !== this.#me);
  }

  /** Takes the turn from whoever has it, if somebody has. Who had it may have added, and left nothing behind. */
  #seize(): void {
    const [holder] = this.#ring;
    const others = this.#others().filter((one) => one !== holder);
    this.#give([this.#me, ...others], holder === undefined ? this.#numbers : undefined);
  }

  #give(ring: string[], numbers: TurnNote['numbers']): void {
    void this.#say({ by: this.#me, turn: this.#count + 1, ring, ...(numbers !== undefined && { numbers }) });
  }

  /** A turn that could not be handed on is seized before long. */
  #say(note: TurnNote): Promise<void> {
    return this.notes.add(note).catch((error: unknown) => this.#waiting?.reject(error));
  }

  /** Until it is our turn. Who has lost patience goes on without one. */
  async #wait(): Promise<Base | undefined> {
    const silence = setInterval(() => this.#seize(), SILENCE);
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject, silence };
        patience = setTimeout(() => resolve(undefined), PATIENCE);
        if (!this.#isFollowing) void this.#join().then(() => this.#follow());
        else if (this.#ring.length === 0) this.#seize();
        else if (!this.#ring.includes(this.#me)) void this.#join();
      });
    } finally {
      clearInterval(silence);
      clearTimeout(patience);
      this.#waiting = undefined;
    }
  }

  #join(): Promise<void> {
    return this.#say({ by: this.#me });
  }

  /** As long as there are others. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    try {
      await this.notes.follow(
        (note) => this.#hear(note),
        () => this.#waiting !== undefined || performance.now() < this.#crowdedUntil,
      );
      if (this.#since !== undefined) this.#handOn(undefined);
    } catch (error) {
      this.#since = undefined;
      this.#waiting?.reject(error);
    } finally {
      this.#isFollowing = false;
    }
  }

  #hear(note: TurnNote): void {
    if (note.by !== this.#me) this.noteOther();
    this.#waiting?.silence.refresh();
    if (note.turn === undefined) this.#joining.add(note.by);
    else if (note.turn > this.#count) this.#begin(note.turn, note);
    if (this.#waiting === undefined || this.#ring.includes(this.#me)) return;
    if (this.#joining.has(this.#me)) {
      if (this.#ring.length === 0) this.#seize();
    } else if (note.by === this.#me) void this.#join();
  }

  #begin(turn: number, { ring = [], numbers }: TurnNote): void {
    this.#count = turn;
    this.#ring = ring;
    this.#numbers = numbers;
    for (const one of ring) this.#joining.delete(one);
    this.#since = ring[0] === this.#me ? performance.now() : undefined;
    if (this.#since === undefined) return;
    if (this.#waiting === undefined) this.#handOn(numbers);
    else this.#waiting.resolve(numbers === undefined ? undefined : baseOf(numbers));
  }

  /**
   * Nobody waits for it: who is overtaken before it is answered sees by that that there are others. Of what was long
   * ago nothing follows.
   */
  async #lookAround(): Promise<void> {
    const now = performance.now();
    if (now < this.#lookedAt + LOOK_EVERY) return;
    this.#lookedAt = now;
    try {
      const last = await this.notes.last();
      const seen = last?._id.toHexString();
      if (now < this.#sawAt + REMEMBERED && seen !== this.#seen && last?.by !== this.#me) this.noteOther();
      this.#seen = seen;
      this.#sawAt = now;
    } catch {
      this.#lookedAt = -Infinity;
    }
  }
}

function numbersOf({ overall, within }: Base): string {
  return JSON.stringify([overall, Array.from(within).slice(-MOST_HANDED_OVER)]);
}

function baseOf(numbers: string): Base {
  const [overall, within] = JSON.parse(numbers) as [number, [string, number][]];
  return { overall, within: new Map(within) };
}
