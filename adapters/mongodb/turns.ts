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
/** Once it is one's turn, what comes meanwhile is added too, since to take a turn costs as much as a batch: so long that all have had theirs in this time. It ends when nothing comes for a while. */
const ROUND = 80;
const NOTHING_COMES = 4;
const PATIENCE = 1_000;
/** Who is next and does not come loses its place. */
const GRACE = 100;

const MOST_WAITING = 1_000;

/** Categories whose numbers are handed over at most. */
const MOST_HANDED_OVER = 500;

const TURN = { _id: 'adding' };

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
  #keptFor = ROUND;
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
   * given, if they are; `undefined` if nobody else has.
   */
  async take(): Promise<{ base: Base | undefined } | undefined> {
    await this.#givenBack;
    const start = performance.now();
    clearTimeout(this.#ending);
    if (this.#since !== undefined && start < this.#since + LONGEST_TURN) return undefined;
    this.#since = undefined;
    if (start > this.#crowdedUntil) {
      void this.#lookAround();
      return undefined;
    }
    while (performance.now() < start + PATIENCE) {
      const { before, base } = await this.#ask();
      if (before === 0) return { base };
      await setTimeout(before * (1 + Math.random() * 2));
    }
    return { base: undefined };
  }

  /** One batch is added, and these are the highest numbers now; the turn may go on. */
  done(base: Base): void {
    if (this.#since === undefined) return;
    const isOver = performance.now() > this.#since + this.#keptFor;
    if (isOver) this.#giveBack(base);
    else this.#ending = later(() => this.#giveBack(base), NOTHING_COMES);
  }

  #giveBack(base: Base): void {
    this.#since = undefined;
    this.#givenBack = this.#release(base);
  }

  /** One that could not be given back ends by itself. */
  async #release(base: Base): Promise<void> {
    const free = { holder: '', until: '$$NOW', base: { $literal: packed(base) } };
    await this.#turns.updateOne({ ...TURN, holder: this.#me }, [{ $set: free }], WITHIN).catch(() => undefined);
  }

  /** Nobody waits for it: who is overtaken before it is answered sees by that that there are others. */
  async #lookAround(): Promise<void> {
    if (performance.now() < this.#lookedAt + LOOK_EVERY) return;
    this.#lookedAt = performance.now();
    try {
      this.#see(await reading((signal) => this.#turns.findOne(TURN, { ...WITHIN, signal })));
    } catch {
      this.#lookedAt = -Infinity;
    }
  }

  /** Takes the turn if it is free and we are next, else queues up. Answers how many are before us, none if it is ours; then also the numbers that the one before ours left behind. */
  async #ask(): Promise<{ before: number; base?: Base | undefined }> {
    const turn = await reading(() =>
      this.#turns.findOneAndUpdate(TURN, taking(this.#me), { upsert: true, returnDocument: 'after', ...WITHIN }),
    );
    const { holder, base, waiting = [] } = turn ?? {};
    const granted = holder === this.#me;
    this.#see(turn, granted ? 1 : 0);
    if (!granted) return { before: 1 + Math.max(0, waiting.indexOf(this.#me)) };
    this.#since = performance.now();
    this.#keptFor = ROUND / (waiting.length + 1);
    return { before: 0, base: base && unpacked(base) };
  }

  /** Whoever took a turn since the last look, but for our own one, is another; of what was long ago nothing follows. */
  #see(turn: TurnDocument | null, own = 0): void {
    const count = turn?.count ?? 0;
    if (performance.now() < this.#sawAt + REMEMBERED && count !== this.#count + own) this.noteOther();
    this.#count = count;
    this.#sawAt = performance.now();
  }
}

/** The turn is taken by whoever is next in the queue, or by anybody when nobody is or the next does not come; others queue up. */
function taking(me: string): Document[] {
  const until = { $ifNull: ['$until', new Date(0)] };
  const queue = { $ifNull: ['$waiting', []] };
  const before = (milliseconds: number) => ({ $lte: [until, { $subtract: ['$$NOW', milliseconds] }] });
  const isNext = { $eq: [{ $ifNull: [{ $first: queue }, me] }, me] };
  const queued = { $cond: [{ $in: [me, queue] }, queue, { $concatArrays: [queue, [me]] }] };
  return [
    { $set: { given: { $and: [before(0), { $or: [isNext, before(GRACE)] }] } } },
    {
      $set: {
        base: { $cond: [{ $and: ['$given', before(REMEMBERED)] }, '$$REMOVE', '$base'] },
        waiting: { $cond: ['$given', { $cond: [before(GRACE), [], { $slice: [queue, 1, MOST_WAITING] }] }, queued] },
        holder: { $cond: ['$given', me, { $cond: [before(0), '', '$holder'] }] },
        count: { $cond: ['$given', { $add: [{ $ifNull: ['$count', 0] }, 1] }, '$count'] },
        until: { $cond: ['$given', { $add: ['$$NOW', LONGEST_TURN] }, '$until'] },
      },
    },
    { $unset: 'given' },
  ];
}

function packed({ overall, within }: Base): NonNullable<TurnDocument['base']> {
  return { overall, within: Array.from(within).slice(-MOST_HANDED_OVER) };
}

function unpacked({ overall, within }: NonNullable<TurnDocument['base']>): Base {
  return { overall, within: new Map(within) };
}
