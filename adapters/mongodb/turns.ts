import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { collectionsOf, type Collections, type TurnDocument } from './documents.js';
import { reading, WITHIN } from './failures.js';

/** In milliseconds. */
const LOOK_EVERY = 200;
const REMEMBERED = 1_000;
const LONGEST_TURN = 250;
const PATIENCE = 1_000;

const TURN = { _id: 'adding' };

/**
 * Has processes that add at the same time do so by turns, since otherwise they overtake one another again and again. It is a courtesy:
 * the unique indexes keep the numbers apart whoever's turn it is. So a turn need not be durable, and ends by itself if it is not given back.
 * Who has seen nobody else for a while takes no turns, and only looks now and then whether somebody does.
 */
export class Turns {
  readonly #turns: Collections['turns'];
  readonly #me = randomUUID();
  #count = -1;
  #givenBack: Promise<void> | undefined;
  #lookedAt = -Infinity;
  #crowdedUntil = -Infinity;

  constructor(db: Db) {
    this.#turns = collectionsOf(db).turns;
  }

  noteOther(): void {
    this.#crowdedUntil = performance.now() + REMEMBERED;
  }

  /** Waits for a turn if there are others. Answers whether there are. */
  async take(): Promise<boolean> {
    await this.#givenBack;
    const start = performance.now();
    if (start > this.#crowdedUntil) {
      void this.#lookAround();
      return false;
    }
    while (!(await this.#isGranted()) && performance.now() < start + PATIENCE) await setTimeout(1 + Math.random() * 2);
    return true;
  }

  giveBack(): void {
    this.#givenBack = this.#release();
  }

  /** And leaves another time to take it. One that could not be given back ends by itself. */
  async #release(): Promise<void> {
    const free = { $set: { until: new Date(0) } };
    await this.#turns.updateOne({ ...TURN, holder: this.#me }, free, WITHIN).catch(() => undefined);
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
    const free = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const taken = {
      holder: { $cond: [free, this.#me, '$holder'] },
      count: { $cond: [free, { $add: [{ $ifNull: ['$count', 0] }, 1] }, '$count'] },
      until: { $cond: [free, { $add: ['$$NOW', LONGEST_TURN] }, '$until'] },
    };
    const turn = await reading(() =>
      this.#turns.findOneAndUpdate(TURN, [{ $set: taken }], { upsert: true, returnDocument: 'after', ...WITHIN }),
    );
    const granted = turn?.holder === this.#me;
    this.#see(turn, granted ? 1 : 0);
    return granted;
  }

  /** Whoever took a turn since the last look, but for our own one, is another. */
  #see(turn: TurnDocument | null, own = 0): void {
    const count = turn?.count ?? 0;
    if (this.#count >= 0 && count !== this.#count + own) this.noteOther();
    this.#count = count;
  }
}
