import { Binary, type ClientSession, type Document, type UpdateFilter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE, type BlockCounts } from '../storage/block-counts.js';
import type { Collections, CountsDocument } from './collections.js';
import { WRITE } from './commands.js';

/** The blocks whose counts are in one document. */
export const BLOCKS = 128;
/** The numbers that one document of counts is about. */
export const SPAN = BLOCKS * BLOCK_SIZE;
/** Documents of higher ids are damage: a billion automations are below. */
export const MAX_COUNTS = 2 ** 15;
/** More than one delta can have of one block and category. A higher one is damage. */
const MAX_DIFFERENCE = 4_000;
/** A delta of so many blocks and categories, or after so many transactions, is merged. */
const FULL_SIZE = 256;
const FULL_USES = 1_000;

/** An automation that is on sale from now on, or not any more, in a category. */
export interface Change {
  readonly seq: number;
  readonly category: CategoryId;
  readonly difference: 1 | -1;
}

/** The deltas of this process. A transaction takes one before its first command, and no other one has it meanwhile. */
export class CountDeltas {
  readonly #free: Delta[] = [];

  /** Takes a delta for one transaction. */
  take(): Delta {
    return this.#free.pop() ?? new Delta();
  }

  /** Takes a delta back after its transaction was committed. Returns its id when it is full, and is to be merged. */
  giveBack(delta: Delta): string | undefined {
    if (delta.isFull) return delta.id;
    this.#free.push(delta);
    return undefined;
  }
}

/** A document of changes that one transaction at a time writes. One whose transaction failed is not used again. */
export class Delta {
  readonly id: string = randomUUID();
  readonly #paths = new Set<string>();
  #uses = 0;

  get isFull(): boolean {
    return this.#paths.size >= FULL_SIZE || this.#uses >= FULL_USES;
  }

  /** Adds changes in a transaction. Also without any: a new `v` tells that something else has changed. */
  async write({ countDeltas }: Collections, changes: readonly Change[], session: ClientSession): Promise<void> {
    const $inc: Record<string, number> = {};
    for (const { seq, category, difference } of changes) {
      const path = `changes.${Math.floor(seq / BLOCK_SIZE)}.${category}`;
      $inc[path] = ($inc[path] ?? 0) + difference;
    }
    for (const path of Object.keys($inc)) this.#paths.add(path);
    this.#uses += 1;
    const change: UpdateFilter<Document> = {
      $set: { v: randomUUID(), at: new Date() },
      ...(changes.length > 0 && { $inc }),
    };
    await countDeltas.updateOne({ _id: this.id }, change, { ...WRITE, upsert: true, session });
  }
}

/** What may stand in a document, also after damage. */
interface Stored {
  readonly _id?: unknown;
  readonly categories?: unknown;
  readonly changes?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null;
}

/** Adds what a document says to the counts, or with -1 takes it away. Leaves out what is implausible. */
export function addTo(counts: Pick<BlockCounts, 'add'>, document: Document, sign: 1 | -1 = 1): void {
  const { _id: number, categories, changes } = document as Stored;
  if (Array.isArray(categories))
    for (const { category, blocks } of (categories as readonly unknown[]).filter(isPacked))
      for (const [index, count] of unpacked(blocks).entries())
        if (count !== 0) counts.add(category as CategoryId, Number(number) * BLOCKS + index, sign * count);
  for (const [block, byCategory] of Object.entries(changes ?? {}))
    for (const [category, difference] of Object.entries(byCategory ?? {}))
      if (isPlausible(Number(block), difference)) counts.add(category as CategoryId, Number(block), sign * difference);
}

function isPacked(value: unknown): value is CountsDocument['categories'][number] {
  const { category, blocks } = (value ?? {}) as Partial<CountsDocument['categories'][number]>;
  return typeof category === 'string' && blocks?._bsontype === 'Binary' && blocks.position === BLOCKS * 2;
}

function isPlausible(block: number, difference: unknown): difference is number {
  if (!Number.isInteger(block) || block < 0 || block >= MAX_COUNTS * BLOCKS) return false;
  return Number.isInteger(difference) && Math.abs(difference as number) <= MAX_DIFFERENCE;
}

function unpacked({ buffer }: Binary): Int16Array {
  return new Int16Array(Uint8Array.from(buffer).buffer, 0, BLOCKS);
}

/** The counts of 128 blocks by category. */
export type Columns = ReadonlyMap<string, Int16Array>;

/** Returns the document of these counts, with a new `v`. */
export function packed(number: number, columns: Columns): CountsDocument {
  const used = Array.from(columns).filter(([, column]) => column.some((count) => count !== 0));
  const pack = ([category, column]: readonly [string, Int16Array]) => ({
    category,
    blocks: new Binary(new Uint8Array(column.slice().buffer)),
  });
  return { _id: number, v: randomUUID(), categories: used.map(pack) };
}

/** Returns the sums of what documents say of these 128 blocks. */
export function columnsOf(number: number, documents: readonly Document[]): Columns {
  const columns = new Map<string, Int16Array>();
  const add = (category: CategoryId, block: number, count: number) => {
    const index = block - number * BLOCKS;
    if (index < 0 || index >= BLOCKS) return;
    const column = columns.get(category) ?? new Int16Array(BLOCKS);
    column[index] = (column[index] ?? 0) + count;
    columns.set(category, column);
  };
  for (const document of documents) addTo({ add }, document);
  return columns;
}

/** Returns the ids of the documents of counts that deltas change. */
export function countsIn(deltas: readonly Document[]): ReadonlySet<number> {
  const numbers = new Set<number>();
  const add = (_category: CategoryId, block: number) => void numbers.add(Math.floor(block / BLOCKS));
  for (const delta of deltas) addTo({ add }, delta);
  return numbers;
}
