import type { Db } from 'mongodb';
import { collectionsOf, type Collections } from './collections.js';
import { findAll, READ_ALL, WRITE } from './commands.js';
import { columnsOf, countsIn, packed } from './counts.js';
import { transaction } from './transactions.js';

/** The owner of a delta that was not written for so long may be gone. To be wrong costs it a retry. */
const IDLE_MS = 60_000;
const PAUSE_MS = 10_000;
const MAX_MERGED = 100;

/** Adds deltas to the counts and deletes them, in the background: one transaction at a time. */
export class CountsMerge {
  readonly #collections: Collections;
  #nextAt = 0;
  #isStopped = false;
  #work: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#collections = collectionsOf(db);
  }

  /** Begins to merge what is idle, unless it began a short time ago. Reports a failure. */
  begin(): void {
    if (this.#isStopped || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + PAUSE_MS * (1 + Math.random());
    this.#work ??= this.mergeIdle()
      .catch(this.onError)
      .finally(() => (this.#work = undefined));
  }

  /** Merges the deltas that no process has written since a time. */
  async mergeIdle(since = new Date(Date.now() - IDLE_MS)): Promise<void> {
    for (let found = MAX_MERGED; found === MAX_MERGED && !this.#isStopped;) {
      const options = { projection: { _id: 1 }, limit: MAX_MERGED };
      const idle = await findAll(this.#collections.countDeltas, { at: { $lt: since } }, options);
      if (idle.length > 0) await this.#merge(idle.map(({ _id }) => _id));
      found = idle.length;
    }
  }

  /** Begins nothing from now on, and resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  #merge(ids: readonly string[]): Promise<void> {
    return transaction(this.db, async (session) => {
      const { counts, countDeltas } = this.#collections;
      const known = { _id: { $in: [...ids] } };
      const deltas = await countDeltas.find(known, { ...READ_ALL, session }).toArray();
      const numbers = countsIn(deltas);
      const stored = await counts.find({ _id: { $in: [...numbers] } }, { ...READ_ALL, session }).toArray();
      const changes = numbers.map((number) => {
        const { _id, ...replacement } = packed(number, columnsOf(number, [...stored, ...deltas]));
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      });
      if (changes.length > 0) await counts.bulkWrite(changes, { ...WRITE, ordered: false, session });
      await countDeltas.deleteMany(known, { ...WRITE, session });
    });
  }
}
