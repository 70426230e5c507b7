import type { Db } from 'mongodb';
import type { Difference } from '../../domain/ports.js';
import { collectionsOf, type Collections } from './collections.js';
import { findOne, persistently, WRITE } from './commands.js';

const COUNTER = { _id: 'automations' };
/** A distance between the counter and the highest number that no writers leave. */
const MAX_DISTANCE = 1_000_000;

/** The counter, or 0 where it is no number. */
const NEXT = { $cond: [{ $isNumber: '$next' }, { $max: [0, { $floor: '$next' }] }, 0] };

/**
 * The numbers of automations. A counter gives ranges of them, outside of transactions, so that creates do not wait for
 * each other. Numbers that are not used do no harm. The counter may be wrong after a restore: then it is corrected.
 */
export class AutomationNumbers {
  readonly #collections: Collections;
  /** The number after the highest that this process knows; 0 before it has looked. */
  #next = 0;

  constructor(db: Db) {
    this.#collections = collectionsOf(db);
  }

  /** Returns the first of this number of numbers that no other call gets. */
  async reserve(count: number): Promise<number> {
    if (this.#next === 0) await this.correct();
    let first = await this.#take(count);
    if (first < this.#next || first > this.#next + MAX_DISTANCE) {
      await this.correct();
      first = await this.#take(count);
    }
    this.#next = Math.max(this.#next, first + count);
    return first;
  }

  /** Sets the counter to the number after the highest, unless it is there or a little above. */
  async correct(): Promise<void> {
    const next = await this.#readHighest();
    this.#next = next;
    const isWrong = { $or: [{ $lt: [NEXT, next] }, { $gt: [NEXT, next + MAX_DISTANCE] }] };
    const change = [{ $set: { next: { $cond: [isWrong, next, NEXT] } } }];
    await persistently(() => this.#collections.counters.updateOne(COUNTER, change, { ...WRITE, upsert: true }));
  }

  /** Compares the counter with the highest number. */
  async check(repair: boolean): Promise<readonly Difference[]> {
    const next = await this.#readHighest();
    const stored: unknown = (await findOne(this.#collections.counters, COUNTER))?.next ?? 0;
    if (Number.isInteger(stored) && Number(stored) >= next && Number(stored) <= next + MAX_DISTANCE) return [];
    if (repair) await this.correct();
    const description = `the next number was ${JSON.stringify(stored)}, and ${next} is the next free one`;
    return [{ description, repaired: repair }];
  }

  /**
   * Waits for one machine only: the counter stands before the automation in what a failover takes back, so a number
   * that it would give again is of no automation that was acknowledged.
   */
  async #take(count: number): Promise<number> {
    const change = [{ $set: { next: { $add: [NEXT, count] } } }];
    const options = { ...WRITE, upsert: true, returnDocument: 'after', writeConcern: { w: 1 } } as const;
    const counter = await persistently(() => this.#collections.counters.findOneAndUpdate(COUNTER, change, options));
    return Number(counter?.next) - count;
  }

  /** Returns the number after the highest. */
  async #readHighest(): Promise<number> {
    const options = { projection: { seq: 1 }, sort: { seq: -1 } } as const;
    const highest = await findOne(this.#collections.automations, { seq: { $gte: 0 } }, options);
    return (highest?.seq ?? -1) + 1;
  }
}
