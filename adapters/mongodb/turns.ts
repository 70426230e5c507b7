import { randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import { setTimeout as later } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { collectionsOf, type Collections, type TurnDocument } from './documents.js';
import type { Base } from './insertion.js';
import { reading, WITHIN } from './operations.js';

/** In milliseconds. */
const LOOK_EVERY = 200;
const REMEMBERED = 1_000;
const LONGEST_TURN = 250;
/** In that time all have a turn each, in which one batch is added after the other, since to take a turn costs as much as a batch. It ends when nothing comes for a while. */
const ROUND = 64;
const NOTHING_COMES = 4;
const PATIENCE = 1_000;
/** About what it takes to hand a turn on. Who has others before it in the queue does not look before they have had their turns: each look costs those who add. */
const HANDING_ON = 8;
const MOST_WAITING = 1_000;

/** Categories whose numbers are handed over at most. */
const MOST_HANDED_OVER = 500;

const TURN = { _id: 'adding' };

type Look = Omit<TurnDocument, 'until'> & { isOver?: boolean };

/**
 * Has processes that add at the same time do so by turns, since otherwise they overtake one another again and again. It is a courtesy:
 * the unique indexes keep the numbers apart whoever's turn it is. So a turn need not be durable, and ends by itself if it is not given back.
 * Who has seen nobody else for a while takes no turns, and only looks now and then whether somebody does.
 */
export class Turns {
  readonly #turns: Collections['turns'];
  readonly #me = randomUUID();
  #count = 0;
  #sawAt = -Infinity;
  #givenBack: Promise<void> | undefined;
  /** Since when it is our turn, while it is. */
  #since: number | undefined;
  #keptFor = 0;
  #batchSince = -Infinity;
  #ending: NodeJS.Timeout | undefined;
  #lookedAt = -Infinity;
  #crowdedUntil = -Infinity;

  constructor(db: Db) {
    this.#turns = collectionsOf(db).turns;
  }

  noteOther(): void {
    this.#crowdedUntil = performance.now() + REMEMBERED;
  }

  /**
   * Waits for a turn if there are others. If others may have added since our last one, answers the numbers that are known to have been
   * given, if they are; `undefined` if nobody else has. Where no turn can be had it goes on without one, and asks for none for a while.
   */
  async take(): Promise<{ base: Base | undefined } | undefined> {
    await this.#givenBack;
    const start = performance.now();
    clearTimeout(this.#ending);
    this.#batchSince = start;
    if (this.#since !== undefined && start < this.#since + LONGEST_TURN) return undefined;
    this.#since = undefined;
    if (start > this.#crowdedUntil) {
      void this.#lookAround();
      return undefined;
    }
    try {
      return { base: await this.#queue(start + PATIENCE) };
    } catch {
      this.#crowdedUntil = -Infinity;
      return { base: undefined };
    }
  }

  /** One batch is added, and these are the highest numbers now; the turn may go on, if there is time for another one. */
  done(base: Base): void {
    if (this.#since === undefined) return;
    const now = performance.now();
    const isOver = now + (now - this.#batchSince) > this.#since + this.#keptFor;
    if (isOver) this.#giveBack(base);
    else this.#ending = later(() => this.#giveBack(base), NOTHING_COMES);
  }

  #giveBack(base: Base): void {
    this.#since = undefined;
    this.#givenBack = this.#release(base);
  }

  /** One that could not be given back ends by itself. */
  async #release(base: Base): Promise<void> {
    await this.#turns.updateOne({ ...TURN, holder: this.#me }, handingOn(base), WITHIN).catch(() => undefined);
  }

  /** Waits until it is our turn, and answers what the one before ours has left behind. Who has lost patience goes on without a turn. */
  async #queue(deadline: number): Promise<Base | undefined> {
    let turn = await this.#ask();
    while (turn?.holder !== this.#me) {
      this.noteOther();
      if (performance.now() > deadline) {
        await this.#leave();
        return undefined;
      }
      const waiting = turn?.waiting ?? [];
      const before = Math.max(0, waiting.indexOf(this.#me));
      await setTimeout(1 + Math.random() * 2 + before * (shareOf(waiting.length + 1) + HANDING_ON));
      turn = await this.#look();
      if (turn?.isOver !== false) turn = await this.#ask();
    }
    this.#since = this.#batchSince = performance.now();
    const othersAndWhoeverWasBefore = (turn.waiting?.length ?? 0) + 1;
    this.#keptFor = shareOf(1 + othersAndWhoeverWasBefore);
    return turn.base && unpacked(turn.base);
  }

  /** Takes the turn if nobody has it, else queues up. */
  async #ask(): Promise<Look | null> {
    const turn = await reading(() =>
      this.#turns.findOneAndUpdate(TURN, taking(this.#me), { upsert: true, returnDocument: 'after', ...WITHIN }),
    );
    this.#see(turn, turn?.holder === this.#me ? 1 : 0);
    return turn;
  }

  async #look(): Promise<Look | null> {
    const turn = await reading((signal) => this.#turns.findOne<Look>(TURN, { ...WITHIN, signal, projection: lookOf(this.#me) }));
    this.#see(turn);
    return turn;
  }

  /** Nobody waits for it: who is overtaken before it is answered sees by that that there are others. */
  async #lookAround(): Promise<void> {
    if (performance.now() < this.#lookedAt + LOOK_EVERY) return;
    this.#lookedAt = performance.now();
    await this.#look().catch(() => (this.#lookedAt = -Infinity));
  }

  async #leave(): Promise<void> {
    await this.#turns.updateOne(TURN, { $pull: { waiting: this.#me } }, WITHIN).catch(() => undefined);
  }

  /** Whoever took a turn since the last look, but for our own one, is another; of what was long ago nothing follows. */
  #see(turn: Look | null, own = 0): void {
    const count = turn?.count ?? 0;
    if (performance.now() < this.#sawAt + REMEMBERED && count !== this.#count + own) this.noteOther();
    this.#count = count;
    this.#sawAt = performance.now();
  }
}

/** How long a turn lasts if so many processes take turns. */
function shareOf(processes: number): number {
  return ROUND / processes;
}

const IS_OVER = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
const QUEUE = { $ifNull: ['$waiting', []] };

/** The numbers that were left behind are for whoever has the turn. */
function lookOf(me: string): Document {
  return { holder: 1, waiting: 1, count: 1, isOver: IS_OVER, base: { $cond: [{ $eq: ['$holder', me] }, '$base', '$$REMOVE'] } };
}

/** A turn that is over is taken by whoever asks first, others queue up. Numbers that were left behind long ago tell nothing. */
function taking(me: string): Document[] {
  const others = { $filter: { input: QUEUE, cond: { $ne: ['$$this', me] } } };
  const queued = { $concatArrays: [{ $slice: [others, MOST_WAITING] }, [me]] };
  const isOld = { $lte: ['$until', { $subtract: ['$$NOW', REMEMBERED] }] };
  return [
    {
      $set: {
        base: { $cond: [isOld, '$$REMOVE', '$base'] },
        waiting: { $cond: [IS_OVER, others, queued] },
        holder: { $cond: [IS_OVER, me, '$holder'] },
        count: { $add: [{ $ifNull: ['$count', 0] }, { $cond: [IS_OVER, 1, 0] }] },
        until: { $cond: [IS_OVER, { $add: ['$$NOW', LONGEST_TURN] }, '$until'] },
      },
    },
  ];
}

/** The next in the queue has the turn at once; if there is none, it is over. */
function handingOn(base: Base): Document[] {
  const next = { $ifNull: [{ $first: QUEUE }, ''] };
  const isTaken = { $ne: [next, ''] };
  return [
    {
      $set: {
        base: { $literal: packed(base) },
        waiting: { $slice: [QUEUE, 1, MOST_WAITING] },
        holder: next,
        count: { $add: ['$count', { $cond: [isTaken, 1, 0] }] },
        until: { $cond: [isTaken, { $add: ['$$NOW', LONGEST_TURN] }, '$$NOW'] },
      },
    },
  ];
}

function packed({ overall, within }: Base): NonNullable<TurnDocument['base']> {
  return { overall, within: Array.from(within).slice(-MOST_HANDED_OVER) };
}

function unpacked({ overall, within }: NonNullable<TurnDocument['base']>): Base {
  return { overall, within: new Map(within) };
}
