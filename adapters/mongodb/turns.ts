import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { setTimeout as later } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { collectionsOf, type Collections, type TurnDocument } from './documents.js';
import { reading, WITHIN } from './failures.js';
import type { Base } from './insertion.js';

/** In milliseconds. */
const LOOK_EVERY = 200;
const REMEMBERED = 1_000;
const LONGEST_TURN = 250;
/** Once it is one's turn, what comes meanwhile is added too: to take a turn costs more than a batch. It ends when nothing comes for a while. */
const KEPT_FOR = 40;
const NOTHING_COMES = 4;
const PATIENCE = 1_000;

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
  /** The highest numbers that the turn before ours left behind. */
  #handedOver: Base | undefined;
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
    this.#handedOver = undefined;
    while (this.#since === undefined && performance.now() < start + PATIENCE)
      if (await this.#isGranted()) this.#since = performance.now();
      else await setTimeout(1 + Math.random() * 2);
    return { base: this.#handedOver };
  }

  /** One batch is added, and these are the highest numbers now; the turn may go on. */
  done(base: Base | undefined): void {
    if (this.#since === undefined) return;
    const isOver = performance.now() > this.#since + KEPT_FOR;
    if (isOver) this.#giveBack(base);
    else this.#ending = later(() => this.#giveBack(base), NOTHING_COMES);
  }

  #giveBack(base: Base | undefined): void {
    this.#since = undefined;
    this.#givenBack = this.#release(base);
  }

  /** And leaves another time to take it. One that could not be given back ends by itself. */
  async #release(base: Base | undefined): Promise<void> {
    const free = { until: '$$NOW', base: { $literal: base === undefined ? null : packed(base) } };
    await this.#turns.updateOne({ ...TURN, holder: this.#me }, [{ $set: free }], WITHIN).catch(() => undefined);
    await setTimeout(3);
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

  async #isGranted(): Promise<boolean> {
    const until = { $ifNull: ['$until', new Date(0)] };
    const free = { $lte: [until, '$$NOW'] };
    const old = { $lt: [until, { $subtract: ['$$NOW', REMEMBERED] }] };
    const taken = {
      base: { $cond: [{ $and: [free, old] }, null, '$base'] },
      holder: { $cond: [free, this.#me, '$holder'] },
      count: { $cond: [free, { $add: [{ $ifNull: ['$count', 0] }, 1] }, '$count'] },
      until: { $cond: [free, { $add: ['$$NOW', LONGEST_TURN] }, '$until'] },
    };
    const turn = await reading(() =>
      this.#turns.findOneAndUpdate(TURN, [{ $set: taken }], { upsert: true, returnDocument: 'after', ...WITHIN }),
    );
    const granted = turn?.holder === this.#me;
    this.#see(turn, granted ? 1 : 0);
    if (granted) this.#handedOver = turn.base ? unpacked(turn.base) : undefined;
    return granted;
  }

  /** Whoever took a turn since the last look, but for our own one, is another; of what was long ago nothing follows. */
  #see(turn: TurnDocument | null, own = 0): void {
    const count = turn?.count ?? 0;
    if (performance.now() < this.#sawAt + REMEMBERED && count !== this.#count + own) this.noteOther();
    this.#count = count;
    this.#sawAt = performance.now();
  }
}

function packed({ overall, within }: Base): NonNullable<TurnDocument['base']> {
  return { overall, within: Array.from(within).slice(-MOST_HANDED_OVER) };
}

function unpacked({ overall, within }: NonNullable<TurnDocument['base']>): Base {
  return { overall, within: new Map(within) };
}
