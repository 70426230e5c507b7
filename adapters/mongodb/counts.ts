import { Binary, type Document } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import type { CountsDocument } from './collections.js';

/** The blocks whose counts are in one document. */
export const BLOCKS = 128;
/** The numbers that one document of counts is about. */
export const SPAN = BLOCKS * BLOCK_SIZE;
/** Documents of higher ids are damage: a billion automations are below. */
export const MAX_COUNTS = 2 ** 15;
/** More than one delta can have of one block and category. A higher one is damage. */
const MAX_DIFFERENCE = 4_000;

/** The count of one block and category, or in a delta its change. */
interface BlockCount {
  readonly category: CategoryId;
  readonly block: number;
  readonly count: number;
}

/** What may stand in a document, also after damage. */
interface Stored {
  readonly _id?: unknown;
  readonly categories?: unknown;
  readonly changes?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null;
}

/** Yields what a document of counts or a delta says. Leaves out what is implausible. */
export function* blockCountsIn(document: Document): Generator<BlockCount> {
  const { _id: number, categories, changes } = document as Stored;
  if (Array.isArray(categories))
    for (const { category, blocks } of (categories as readonly unknown[]).filter(isPacked))
      for (const [index, count] of unpacked(blocks).entries())
        if (count !== 0) yield { category: category as CategoryId, block: Number(number) * BLOCKS + index, count };
  for (const [block, byCategory] of Object.entries(changes ?? {}))
    for (const [category, count] of Object.entries(byCategory ?? {}))
      if (isPlausible(Number(block), count)) yield { category: category as CategoryId, block: Number(block), count };
}

function isPacked(value: unknown): value is CountsDocument['categories'][number] {
  const { category, blocks } = (value ?? {}) as Partial<CountsDocument['categories'][number]>;
  return typeof category === 'string' && blocks?._bsontype === 'Binary' && blocks.position === BLOCKS * 2;
}

function isPlausible(block: number, count: unknown): count is number {
  if (!Number.isInteger(block) || block < 0 || block >= MAX_COUNTS * BLOCKS) return false;
  return Number.isInteger(count) && Math.abs(count as number) <= MAX_DIFFERENCE;
}

function unpacked({ buffer }: Binary): Int16Array {
  return new Int16Array(Uint8Array.from(buffer).buffer, 0, BLOCKS);
}

/** The counts of the 128 blocks of one document, by category. */
export type Columns = ReadonlyMap<CategoryId, Int16Array>;

/** Returns what some documents say of these 128 blocks, less what others say. */
export function columnsOf(number: number, plus: readonly Document[], minus: readonly Document[] = []): Columns {
  const columns = new Map<CategoryId, Int16Array>();
  const add = (document: Document, sign: 1 | -1) => {
    for (const { category, block, count } of blockCountsIn(document)) {
      const index = block - number * BLOCKS;
      if (index < 0 || index >= BLOCKS) continue;
      const column = columns.get(category) ?? new Int16Array(BLOCKS);
      column[index] = (column[index] ?? 0) + sign * count;
      columns.set(category, column);
    }
  };
  for (const document of plus) add(document, 1);
  for (const document of minus) add(document, -1);
  return columns;
}

/** Returns the document of these counts, with a new `v`. */
export function packed(number: number, columns: Columns): CountsDocument {
  const used = Array.from(columns).filter(([, column]) => column.some((count) => count !== 0));
  const categories = used.map(([category, column]) => ({
    category,
    blocks: new Binary(new Uint8Array(column.buffer)),
  }));
  return { _id: number, v: randomUUID(), categories };
}

/** Returns the ids of the documents of counts that deltas change. */
export function countsIn(deltas: readonly Document[]): readonly number[] {
  const numbers = deltas.flatMap((delta) =>
    Array.from(blockCountsIn(delta), ({ block }) => Math.floor(block / BLOCKS)),
  );
  return [...new Set(numbers)];
}
