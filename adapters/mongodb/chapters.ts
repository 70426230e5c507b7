import { Binary, type Document } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE, BlockCounts } from '../storage/block-counts.js';
import type { AutomationDocument, Mark } from './documents.js';

/** The blocks of a chapter. */
export const BLOCKS = 128;
/** The numbers of a chapter. */
export const CHAPTER_SIZE = BLOCKS * BLOCK_SIZE;

/**
 * The numbers of automations on sale per block and category, for 128 blocks of 256 numbers. It may be missing or wrong
 * at any time: the automations are the truth.
 */
export interface ChapterDocument {
  /** 0 for the lowest numbers. */
  _id: number;
  /** Random, and another one after each write. A count would repeat when a chapter is deleted or restored. */
  v: string;
  /** The number of blocks that are counted, from the lowest. No number in them is free, so none can be added. */
  sealed: number;
  /** For each category two bytes per block, the lowest first. */
  counts: { category: CategoryId; blocks: Binary }[];
  /** The ids of marks that are counted here and may still stand at their automations. */
  folded: string[];
}

/** The content of a chapter. Blocks are counted from the lowest of the chapter. */
export interface Chapter {
  readonly sealed: number;
  readonly counts: BlockCounts;
  readonly folded: ReadonlySet<string>;
}

/** A chapter that is missing, unreadable or implausible. The sealer makes it again. */
export const UNSEALED: Chapter = { sealed: 0, counts: new BlockCounts(), folded: new Set() };

/** A document with marks, as far as the counts need it. */
export type MarkedDocument = Pick<AutomationDocument, 'seq' | 'on_sale' | 'category_id' | 'marks'>;

export const MARKED_FIELDS = { _id: 0, seq: 1, on_sale: 1, category_id: 1, marks: 1 } as const;

export function chapterOf(seq: number): number {
  return Math.floor(seq / CHAPTER_SIZE);
}

/** Returns the block of a number, counted from the lowest of its chapter. */
export function blockOf(seq: number): number {
  return Math.floor((seq % CHAPTER_SIZE) / BLOCK_SIZE);
}

/** Returns the number after the sealed blocks of a chapter. */
export function sealedEnd(number: number, { sealed }: Chapter): number {
  return number * CHAPTER_SIZE + sealed * BLOCK_SIZE;
}

/** Returns the content of a stored chapter. Accepts anything: an implausible one is not sealed. */
export function unpack(document: Document): Chapter {
  const { sealed, counts: stored, folded } = document as Partial<ChapterDocument>;
  if (!Number.isInteger(sealed) || !Array.isArray(stored) || !Array.isArray(folded)) return UNSEALED;
  const counts = new BlockCounts();
  if (sealed === undefined || sealed < 0 || sealed > BLOCKS) return UNSEALED;
  for (const column of stored as (Partial<ChapterDocument['counts'][number]> | null)[]) {
    const numbers = unpackBlocks(column?.blocks);
    if (numbers === undefined || typeof column?.category !== 'string') return UNSEALED;
    for (let block = 0; block < sealed; block += 1) counts.add(column.category, block, numbers[block] ?? 0);
  }
  for (let block = 0; block < sealed; block += 1) if (counts.sum(block) > BLOCK_SIZE) return UNSEALED;
  return { sealed, counts, folded: new Set(folded) };
}

/** Returns the document of a chapter, with a new `v`. */
export function pack(number: number, { sealed, counts, folded }: Chapter): ChapterDocument {
  return {
    _id: number,
    v: randomUUID(),
    sealed,
    counts: counts.categories().map((category) => ({ category, blocks: packBlocks(category, counts) })),
    folded: Array.from(folded),
  };
}

/**
 * Corrects the counts by a document with marks: takes away how the chapter counted it, and adds what it is now. The
 * chapter counted it as its oldest mark says that is not in `folded`.
 */
export function correct(counts: BlockCounts, document: MarkedDocument, folded: ReadonlySet<string>, sign = 1): void {
  const mark = marksOf(document).find(({ id }) => !folded.has(id));
  if (mark === undefined) return;
  const block = blockOf(document.seq);
  counts.add(String(mark.was) as CategoryId, block, -sign);
  if (document.on_sale) counts.add(String(document.category_id) as CategoryId, block, sign);
}

export function marksOf({ marks }: Pick<AutomationDocument, 'marks'>): readonly Mark[] {
  return Array.isArray(marks) ? marks : [];
}

function unpackBlocks(blocks: unknown): Uint16Array | undefined {
  if (!(blocks instanceof Object) || !('buffer' in blocks)) return undefined;
  const bytes = Uint8Array.from(blocks.buffer as Uint8Array).slice(0, BLOCKS * 2);
  return bytes.length < BLOCKS * 2 ? undefined : new Uint16Array(bytes.buffer);
}

function packBlocks(category: CategoryId, counts: BlockCounts): Binary {
  const numbers = Uint16Array.from({ length: BLOCKS }, (_, block) => counts.get(category, block));
  return new Binary(new Uint8Array(numbers.buffer));
}
