import type { ClientSession, Db, Document } from 'mongodb';
import { collectionsOf, type Collections } from './collections.js';
import { READ_ALL, reading, WRITE } from './commands.js';
import { columnsOf, countsIn, packed } from './counts.js';
import { transaction } from './transactions.js';

/** The owner of a delta that was not written for so long may be gone. To be wrong costs it a retry. */
const IDLE_MS = 60_000;
/** Fewer deltas are left alone. */
const MIN_IDLE = 8;
const PAUSE_MS = 10_000;
const MAX_MERGED = 100;

/** Adds deltas to the counts and deletes them, in the background. */
export class CountsMerge {
  readonly #collections: Collections;
  readonly #work = new Set<Promise<void>>();
  #nextAt = 0;
  #isStopped = false;

  /** Merges when it is told. */
  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#collections = collectionsOf(db);
  }

  /** Merges a full delta of this process. */
  noteFull(id: string): void {
    this.#begin(() => this.#merge([id]));
  }

  /** Merges the deltas that processes have left, when there are many, now and then. */
  noteCount(deltas: number): void {
    if (deltas < MIN_IDLE || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + PAUSE_MS * (1 + Math.random());
    this.#begin(() => this.mergeIdle());
  }

  /** Merges the deltas that were not written lately. */
  async mergeIdle(asOf = new Date(Date.now() - IDLE_MS)): Promise<void> {
    const options = { ...READ_ALL, projection: { _id: 1 }, limit: MAX_MERGED };
    const { countDeltas } = this.#collections;
    const idle = await reading((signal) => countDeltas.find({ at: { $lt: asOf } }, { ...options, signal }).toArray());
    if (idle.length > 0) await this.#merge(idle.map(({ _id }) => _id));
  }

  /** Begins nothing from now on, and resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#work);
  }

  /** Reports a failure. The deltas stay, and are merged later. */
  #begin(merge: () => Promise<void>): void {
    if (this.#isStopped) return;
    const work = merge().catch(this.onError);
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  #merge(ids: readonly string[]): Promise<void> {
    return transaction(this.db, async (session) => {
      const { counts, countDeltas } = this.#collections;
      const known = { _id: { $in: [...ids] } };
      const deltas = await countDeltas.find(known, { ...READ_ALL, session }).toArray();
      const numbers = countsIn(deltas);
      const stored = await counts.find({ _id: { $in: [...numbers] } }, { ...READ_ALL, session }).toArray();
      for (const number of numbers) await this.#replace(number, [...stored, ...deltas], session);
      await countDeltas.deleteMany(known, { ...WRITE, session });
    });
  }

  async #replace(number: number, documents: readonly Document[], session: ClientSession): Promise<void> {
    const { _id, ...content } = packed(number, columnsOf(number, documents));
    await this.#collections.counts.replaceOne({ _id }, content, { ...WRITE, upsert: true, session });
  }
}
