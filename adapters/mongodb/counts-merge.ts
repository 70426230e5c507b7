import type { Db, Document } from 'mongodb';
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

/** Adds deltas to the counts and deletes them, in the background: one transaction at a time. */
export class CountsMerge {
  readonly #collections: Collections;
  readonly #full: string[] = [];
  #isIdleDue = false;
  #nextAt = 0;
  #work: Promise<void> | undefined;

  /** Merges when it is told. */
  constructor(
    private readonly db: Db,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#collections = collectionsOf(db);
  }

  /** Merges a full delta of this process, soon. */
  noteFull(id: string): void {
    this.#full.push(id);
    this.#wake();
  }

  /** Merges the deltas that processes have left, when there are many, now and then. */
  noteCount(deltas: number): void {
    if (deltas < MIN_IDLE || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + PAUSE_MS * (1 + Math.random());
    this.#isIdleDue = true;
    this.#wake();
  }

  /** Merges the deltas that were not written since a time. */
  async mergeIdle(since = new Date(Date.now() - IDLE_MS)): Promise<void> {
    const options = { ...READ_ALL, projection: { _id: 1 }, limit: MAX_MERGED };
    const { countDeltas } = this.#collections;
    const idle = await reading((signal) => countDeltas.find({ at: { $lt: since } }, { ...options, signal }).toArray());
    if (idle.length > 0) await this.#merge(idle.map(({ _id }) => _id));
  }

  /** Resolves when the work that goes on has ended. */
  async stop(): Promise<void> {
    await this.#work;
  }

  /** Reports a failure. The deltas stay, and are merged when they are idle. */
  #wake(): void {
    this.#work ??= this.#workOff()
      .catch(this.onError)
      .finally(() => (this.#work = undefined));
  }

  async #workOff(): Promise<void> {
    while (this.#full.length > 0 || this.#isIdleDue) {
      const full = this.#full.splice(0, MAX_MERGED);
      if (full.length > 0) await this.#merge(full);
      else await this.mergeIdle().finally(() => (this.#isIdleDue = false));
    }
  }

  #merge(ids: readonly string[]): Promise<void> {
    return transaction(this.db, async (session) => {
      const { counts, countDeltas } = this.#collections;
      const known = { _id: { $in: [...ids] } };
      const deltas = await countDeltas.find(known, { ...READ_ALL, session }).toArray();
      const numbers = [...countsIn(deltas)];
      const stored = await counts.find({ _id: { $in: numbers } }, { ...READ_ALL, session }).toArray();
      const changes = numbers.map((number) => replacementOf(number, [...stored, ...deltas]));
      if (changes.length > 0) await counts.bulkWrite(changes, { ...WRITE, ordered: false, session });
      await countDeltas.deleteMany(known, { ...WRITE, session });
    });
  }
}

function replacementOf(number: number, documents: readonly Document[]) {
  const { _id, ...replacement } = packed(number, columnsOf(number, documents));
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}
