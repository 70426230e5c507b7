import type { Db, Document, WithId } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import type { CategoryId } from '../../domain/category.js';
import type { Difference } from '../../domain/ports.js';
import { BLOCK_SIZE, BlockCounts } from '../storage/block-counts.js';
import { aggregate } from './automation-list.js';
import {
  blockOf,
  BLOCKS,
  CHAPTER_SIZE,
  correct,
  MARKED_FIELDS,
  marksOf,
  pack,
  UNSEALED,
  unpack,
  type Chapter,
  type ChapterDocument,
  type MarkedDocument,
} from './chapters.js';
import { WRITE } from './commands.js';
import { AUTOMATIONS, CHAPTERS, collectionsOf, type Collections } from './collections.js';
import { withoutMembers, type AutomationDocument } from './documents.js';
import { isDuplicate } from './failures.js';
import { withRetries, Snapshot } from './snapshot.js';

/**
 * The reason to write a chapter: to count blocks that are full, to count marks, or to count all blocks again and
 * correct what differs. `repair` writes it even if nothing differs, so that each process reads it again. `report` never
 * writes.
 */
export type Purpose = 'seal' | 'fold' | 'report' | 'check' | 'repair';

/** `idle`: nothing to do. `lost`: another process was faster; look again. */
export interface ChapterResult {
  readonly outcome: 'written' | 'idle' | 'lost';
  /** What a check found wrong. */
  readonly differences: readonly Difference[];
}

/** A chapter in one snapshot. */
interface Seen {
  readonly number: number;
  readonly snapshot: Snapshot;
  readonly stored: WithId<Document> | undefined;
  readonly chapter: Chapter;
  /** The documents with marks, in whatever block. */
  readonly marked: readonly (MarkedDocument & Pick<AutomationDocument, '_id'>)[];
  /** The number of blocks that will be sealed. */
  readonly sealed: number;
}

const IDLE: ChapterResult = { outcome: 'idle', differences: [] };
/** A chapter has 32,768 numbers. */
const COUNTING = { maxTimeMS: 30_000 };
const MAX_UPDATED = 1_000;

/**
 * Writes chapters, always in one form: it counts in one snapshot, notes all marks of the chapter in `folded`, also
 * those in the tail, and replaces the chapter if its `v` is still the one that was read. Only when that is won, and a
 * majority has it, it removes these marks. It may be interrupted anywhere, and any number of processes may do it at
 * once.
 */
export class ChapterWriter {
  readonly #collections: Collections;

  /** Writes the chapters of one store. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
  }

  /** Writes one chapter, if there is a reason. */
  async write(number: number, purpose: Purpose): Promise<ChapterResult> {
    const seen = await withRetries(() => this.#see(number));
    if (purpose === 'seal' && seen.sealed === seen.chapter.sealed) return IDLE;
    if (seen.stored === undefined && (purpose === 'report' || purpose === 'check')) return IDLE;
    if (purpose === 'fold' && seen.marked.length === 0) return IDLE;

    const corrected = correctedCounts(seen);
    const isRecount = purpose !== 'seal' && purpose !== 'fold';
    const counted = await this.#count(seen, isRecount ? 0 : seen.chapter.sealed);
    const differences = isRecount ? differencesOf(seen, corrected, counted, purpose !== 'report') : [];
    if (purpose === 'report' || (purpose === 'check' && differences.length === 0)) return { ...IDLE, differences };
    const counts = isRecount ? counted : joined(corrected, seen.chapter.sealed, counted);
    const markIds = seen.marked.flatMap((document) => marksOf(document).map(({ id }) => id));
    const next = pack(number, { sealed: seen.sealed, counts, folded: new Set(markIds) });
    const isWon = await this.#swap(seen.stored, next);
    if (isWon) await this.#removeMarks(seen.marked, markIds);
    return { outcome: isWon ? 'written' : 'lost', differences };
  }

  /** Writes one chapter, again when another process was faster. Returns what a check found wrong. */
  async writeUntilDone(number: number, purpose: Purpose): Promise<readonly Difference[]> {
    for (;;) {
      const { outcome, differences } = await this.write(number, purpose);
      if (outcome !== 'lost') return differences;
      await setTimeout(Math.random() * 20);
    }
  }

  async #see(number: number): Promise<Seen> {
    const snapshot = new Snapshot(this.db, COUNTING);
    const [stored] = await snapshot.read<WithId<Document>>({ find: CHAPTERS, filter: { _id: number } });
    const chapter = stored === undefined ? UNSEALED : unpack(stored);
    const sealed = chapter.sealed + (await this.#countFull(number, chapter.sealed, snapshot));
    const marked = await snapshot.read<Seen['marked'][number]>({
      find: AUTOMATIONS,
      filter: { marks: { $exists: true }, seq: range(number, 0, BLOCKS) },
      projection: { ...MARKED_FIELDS, _id: 1 },
    });
    return { number, snapshot, stored, chapter, marked, sealed };
  }

  /** Returns how many blocks from this one have no free number. */
  async #countFull(number: number, from: number, snapshot: Snapshot): Promise<number> {
    if (from === BLOCKS) return 0;
    const taken = await snapshot.read<{ _id: number; count: number }>(
      aggregate(AUTOMATIONS, [
        { $match: { seq: range(number, from, BLOCKS) } },
        { $group: { _id: BLOCK_OF_SEQ, count: { $sum: 1 } } },
      ]),
    );
    const full = new Set(taken.filter(({ count }) => count === BLOCK_SIZE).map(({ _id }) => blockOf(_id * BLOCK_SIZE)));
    let blocks = 0;
    while (full.has(from + blocks)) blocks += 1;
    return blocks;
  }

  /** Counts the automations on sale in the blocks from this one to the last that will be sealed. */
  async #count({ number, snapshot, sealed }: Seen, from: number): Promise<BlockCounts> {
    const counts = new BlockCounts();
    if (from === sealed) return counts;
    const rows = await snapshot.read<{ _id: { block: number; category: CategoryId }; count: number }>(
      aggregate(AUTOMATIONS, [
        { $match: { on_sale: true, seq: range(number, from, sealed) } },
        { $group: { _id: { block: BLOCK_OF_SEQ, category: '$category_id' }, count: { $sum: 1 } } },
      ]),
    );
    for (const { _id, count } of rows)
      counts.add(String(_id.category) as CategoryId, blockOf(_id.block * BLOCK_SIZE), count);
    return counts;
  }

  async #swap(stored: WithId<Document> | undefined, next: ChapterDocument): Promise<boolean> {
    const { chapters } = this.#collections;
    try {
      if (stored === undefined) await chapters.insertOne(next, WRITE);
      else {
        const { _id, ...content } = next;
        const read: unknown = stored['v'] ?? null;
        const filter = { _id, v: { $eq: read as string } };
        return (await chapters.replaceOne(filter, content, WRITE)).modifiedCount === 1;
      }
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async #removeMarks(marked: Seen['marked'], ids: readonly string[]): Promise<void> {
    const change = withoutMembers('marks', 'id', ids);
    for (let start = 0; start < marked.length; start += MAX_UPDATED) {
      const some = marked.slice(start, start + MAX_UPDATED).map(({ _id }) => _id);
      await this.#collections.automations.updateMany({ _id: { $in: some } }, change, WRITE);
    }
  }
}

const BLOCK_OF_SEQ = { $floor: { $divide: ['$seq', BLOCK_SIZE] } };

/** The numbers of some blocks of a chapter. */
function range(number: number, from: number, to: number): { $gte: number; $lt: number } {
  const start = number * CHAPTER_SIZE;
  return { $gte: start + from * BLOCK_SIZE, $lt: start + to * BLOCK_SIZE };
}

/** Returns the stored counts with the corrections by the marks in the sealed blocks. */
function correctedCounts({ chapter, marked }: Seen): BlockCounts {
  const counts = joined(chapter.counts, chapter.sealed, new BlockCounts());
  for (const document of marked) if (blockOf(document.seq) < chapter.sealed) correct(counts, document, chapter.folded);
  return counts;
}

/** Returns the first so many blocks of one table, and the others of the other. */
function joined(lower: BlockCounts, blocks: number, upper: BlockCounts): BlockCounts {
  const counts = new BlockCounts();
  for (const category of new Set([...lower.categories(), ...upper.categories()]))
    for (let block = 0; block < BLOCKS; block += 1)
      counts.add(category, block, (block < blocks ? lower : upper).get(category, block));
  return counts;
}

function differencesOf(
  { number, stored, chapter }: Seen,
  counted: BlockCounts,
  right: BlockCounts,
  repaired: boolean,
): readonly Difference[] {
  const start = number * CHAPTER_SIZE;
  const differences: Difference[] = [];
  if (stored !== undefined && chapter === UNSEALED)
    differences.push({ description: `the chapter of the numbers from ${start} is unreadable`, repaired });
  for (const category of new Set([...counted.categories(), ...right.categories()]))
    for (let block = 0; block < chapter.sealed; block += 1) {
      const [was, is] = [counted.get(category, block), right.get(category, block)];
      if (was === is) continue;
      const numbers = `numbers ${start + block * BLOCK_SIZE} to ${start + (block + 1) * BLOCK_SIZE - 1}`;
      const description = `category ${JSON.stringify(category)}, ${numbers}: counted ${was}, there are ${is}`;
      differences.push({ description, repaired });
    }
  return differences;
}
