import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE, BlockCounts } from '../storage/block-counts.js';
import { firstRow, type Reader, type Statement } from './connection.js';
import { MAX_CHANGE } from './schema.js';

/** One JSON array for each column: 200,000 rows take 75 instead of 200 ms. */
type ColumnTexts = [categories: string, blocks: string, counts: string];

/** The block of the automation with the number 1,000,000,000. Counts of higher blocks are damage. */
const MAX_BLOCK = Math.floor(1_000_000_000 / BLOCK_SIZE);

type Progress = [generation: string | null, newest: number];

/** The rows of `block_counts` in memory. It reads those that have changed since it last looked. */
export class SqliteCounts {
  readonly #counts = new BlockCounts();
  readonly #progress: Statement;
  readonly #changedSince: Statement;
  #state = '';
  #generation: string | null = null;
  #newest = -1;

  constructor(private readonly database: Reader) {
    this.#progress = database
      .prepare(
        `SELECT (SELECT value FROM settings WHERE name = 'counts'),
           (SELECT coalesce(max(change), 0) FROM block_counts)`,
      )
      .raw();
    this.#changedSince = database
      .prepare(
        `SELECT json_group_array(category_id), json_group_array(block), json_group_array(on_sale)
         FROM block_counts INDEXED BY block_counts_by_change WHERE change > ? AND block BETWEEN 0 AND ${MAX_BLOCK}`,
      )
      .raw();
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
    const [generation, newest] = firstRow(this.#progress) as Progress;
    if (generation !== this.#generation || newest < this.#newest) {
      this.#counts.clear();
      this.#newest = -1;
    }
    const [categories, blocks, counts] = (firstRow(this.#changedSince, [this.#newest]) as ColumnTexts).map(parsed);
    categories?.forEach((category, row) => {
      const count = Math.max(0, Math.min(Number(counts?.[row]), BLOCK_SIZE));
      this.#counts.set(category as CategoryId, Number(blocks?.[row]), count);
    });
    this.#generation = generation;
    this.#newest = Math.min(newest, MAX_CHANGE);
  }
}

function parsed(text: string): readonly (string | number)[] {
  return JSON.parse(text) as (string | number)[];
}
