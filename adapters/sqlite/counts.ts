import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE, BlockCounts } from '../storage/block-counts.js';
import { prepareRows, type Statement } from './connection.js';
import type { SqliteDatabase } from './database.js';
import { MAX_CHANGE } from './schema.js';

interface CountRow {
  readonly category_id: CategoryId;
  readonly block: number;
  readonly on_sale: number;
}

/** The block of the automation with the number 1,000,000,000. Counts of higher blocks are damage. */
const MAX_BLOCK = Math.floor(1_000_000_000 / BLOCK_SIZE);

type Progress = [generation: string | null, newest: number];

/** The rows of `block_counts` in memory. It reads those that have changed since it last looked. */
export class SqliteCounts {
  readonly #counts = new BlockCounts();
  readonly #progress: Statement;
  readonly #changedSince;
  #state = '';
  #generation: string | null = null;
  #newest = -1;

  constructor(private readonly database: SqliteDatabase) {
    this.#progress = database
      .prepare(
        `SELECT (SELECT value FROM settings WHERE name = 'counts'),
           (SELECT coalesce(max(change), 0) FROM block_counts)`,
      )
      .raw();
    this.#changedSince = prepareRows<CountRow>(
      database,
      ['category_id', 'block', 'on_sale'],
      `FROM block_counts INDEXED BY block_counts_by_change WHERE change > ? AND block BETWEEN 0 AND ${MAX_BLOCK}`,
    );
  }

  /** Returns the counts in the state that the transaction reads, to which this call belongs. */
  current(): BlockCounts {
    const state = this.database.state();
    if (state !== this.#state) this.#refresh();
    this.#state = state;
    return this.#counts;
  }

  /** Reads all rows after a repair, which gives the counts a new generation, and when change numbers went backwards. */
  #refresh(): void {
    const [generation, newest] = this.#progress.get() as Progress;
    if (generation !== this.#generation || newest < this.#newest) {
      this.#counts.clear();
      this.#newest = -1;
    }
    for (const { category_id, block, on_sale } of this.#changedSince(this.#newest))
      this.#counts.set(category_id, block, Math.max(0, Math.min(on_sale, BLOCK_SIZE)));
    this.#generation = generation;
    this.#newest = Math.min(newest, MAX_CHANGE);
  }
}
