import type { CategoryId } from '../../domain/category.js';

/** The numbers of a block: 256 of them, so that the rest of the way to an item is at most 255 keys of an index. */
export const BLOCK_SIZE = 256;

/** Where a position lies: the block, and the number of matching items above it in this block, to be skipped. */
export interface BlockPosition {
  readonly block: number;
  readonly skip: number;
}

/**
 * Finds the nth newest item without counting items. A store numbers its items in the order in which they came, with
 * gaps; a block is 256 consecutive numbers. This table has the count of the items on sale for each block and category.
 * It takes two bytes for each block and category: 4 MiB for 10,000,000 items in 50 categories.
 */
export class BlockCounts {
  readonly #all = new Column();
  readonly #columns = new Map<CategoryId, Column>();

  /** Changes the count of one block and category by a difference. */
  add(category: CategoryId, block: number, difference: number): void {
    let column = this.#columns.get(category);
    if (column === undefined) this.#columns.set(category, (column = new Column()));
    column.add(block, difference);
    this.#all.add(block, difference);
  }

  /** Returns the number of items, of one category or of all; not below 0, also of counts that are damaged. */
  total(category?: CategoryId): number {
    return Math.max(0, this.#columnOf(category)?.total ?? 0);
  }

  /** Returns the number of items in each category that has any. */
  totals(): ReadonlyMap<CategoryId, number> {
    const counted = Array.from(this.#columns, ([category, { total }]) => [category, total] as const);
    return new Map(counted.filter(([, total]) => total > 0));
  }

  /** Returns where the item lies that has `position` newer ones, 0 for the newest; undefined past the end. */
  locate(position: number, category?: CategoryId): BlockPosition | undefined {
    return this.#columnOf(category)?.locate(position);
  }

  #columnOf(category: CategoryId | undefined): Column | undefined {
    return category === undefined ? this.#all : this.#columns.get(category);
  }
}

/** The counts of all blocks, of one category. */
class Column {
  #counts = new Uint16Array(16);
  #length = 0;
  total = 0;

  add(block: number, difference: number): void {
    if (block >= this.#counts.length) this.#grow(block + 1);
    this.#counts[block] = (this.#counts[block] ?? 0) + difference;
    this.#length = Math.max(this.#length, block + 1);
    this.total += difference;
  }

  locate(position: number): BlockPosition | undefined {
    let rest = position;
    for (let block = this.#length - 1; block >= 0; block -= 1) {
      const count = this.#counts[block] ?? 0;
      if (rest < count) return { block, skip: rest };
      rest -= count;
    }
    return undefined;
  }

  #grow(length: number): void {
    const grown = new Uint16Array(Math.max(length, this.#counts.length * 2));
    grown.set(this.#counts);
    this.#counts = grown;
  }
}
