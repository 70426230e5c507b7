import type { Db } from 'mongodb';
import type { AutomationList } from './automation-list.js';
import { inTime, READ, reading, WRITE } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';

const COUNTER = { _id: 'automations' };
const MAX_DISTANCE = 100_000;
const MAX_TRIES = 20;

/**
 * The numbers of automations. A counter gives ranges of them. It may be wrong, after a restore for example: a range
 * that cannot be right is given up, and the counter is corrected. Numbers that are not used do no harm.
 */
export class Sequence {
  readonly #collections: Collections;
  /** The number after the highest that this process knows; undefined before it has read it. */
  #next: number | undefined;

  /** Reads the counter at first use. The list knows which blocks are sealed. */
  constructor(
    db: Db,
    private readonly list: AutomationList,
  ) {
    this.#collections = collectionsOf(db);
  }

  /**
   * Returns the first of so many numbers that no other process gets. Rejects as `unavailable` when the store is out of
   * reach; then no number is lost that matters.
   */
  async reserve(count: number): Promise<number> {
    if (this.#next === undefined) await this.readLeast();
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const first = await this.#take(count);
      const next = this.#next ?? 0;
      if (first >= Math.max(next, this.list.sealedEnd) && first <= next + MAX_DISTANCE) return first;
      await this.repair();
    }
    throw new Error('the counter of automations cannot be corrected');
  }

  /** Notes the highest number that was used. */
  noteUsed(number: number): void {
    this.#next = Math.max(this.#next ?? 0, number + 1);
  }

  /** Returns the next number that the counter would give. */
  async read(): Promise<number> {
    const counter = await reading((signal) => this.#collections.counters.findOne(COUNTER, { ...READ, signal }));
    return typeof counter?.next === 'number' && counter.next > 0 ? counter.next : 0;
  }

  /** Sets the counter to what the automations say, unless it is between that and a little above. */
  async repair(): Promise<void> {
    const right = await this.readLeast();
    const isWrong = { $or: [{ $lt: [NEXT, right] }, { $gt: [NEXT, right + MAX_DISTANCE] }] };
    const change = [{ $set: { next: { $cond: [isWrong, right, NEXT] } } }];
    await inTime(reading(() => this.#collections.counters.updateOne(COUNTER, change, { ...WRITE, upsert: true })));
  }

  /** Returns the lowest number that is certainly free. */
  async readLeast(): Promise<number> {
    await this.list.readTailStart();
    this.#next = await this.#readNext();
    return Math.max(this.#next, this.list.sealedEnd);
  }

  /** One machine is enough: what a failover takes back is noticed as any other wrong counter. */
  async #take(count: number): Promise<number> {
    const change = [{ $set: { next: { $add: [NEXT, count] } } }];
    const options = { ...WRITE, upsert: true, returnDocument: 'after', writeConcern: { w: 1 } } as const;
    const counter = await inTime(reading(() => this.#collections.counters.findOneAndUpdate(COUNTER, change, options)));
    return Number(counter?.next) - count;
  }

  async #readNext(): Promise<number> {
    const options = { ...READ, projection: { seq: 1 }, sort: { seq: -1 } } as const;
    const highest = await reading((signal) =>
      this.#collections.automations.findOne({ seq: { $gte: 0 } }, { ...options, signal }),
    );
    return (highest?.seq ?? -1) + 1;
  }
}

/** The counter, or 0 where it is no number. */
const NEXT = { $cond: [{ $isNumber: '$next' }, { $max: [0, { $floor: '$next' }] }, 0] };
