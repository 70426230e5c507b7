import type { Db, Document } from 'mongodb';
import { createHash } from 'node:crypto';
import { BatchQueue } from '../../domain/batch-queue.js';
import type { CategoryId } from '../../domain/category.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import {
  chapterOf,
  BLOCKS,
  CHAPTER_SIZE,
  correct,
  MARKED_FIELDS,
  marksOf,
  sealedEnd,
  unpack,
  UNSEALED,
  type Chapter,
  type MarkedDocument,
} from './chapters.js';
import { reading } from './commands.js';
import { AUTOMATIONS, CHAPTERS } from './collections.js';
import { withRetries, Snapshot } from './snapshot.js';

/** Where a part of the list begins: below this number, after so many others. */
export interface Place {
  readonly below: number;
  readonly skip: number;
}

type Counts = ReadonlyMap<CategoryId, number>;

/** The numbers of automations on sale at one moment. It is valid only until the function that got it returns. */
export interface ListState {
  readonly snapshot: Snapshot;
  /** The number of automations on sale that are in no sealed block. */
  readonly tailSize: number;
  readonly marked: readonly MarkedDocument[];
  /** A name for this state. */
  readonly revision: string;
  total(category?: CategoryId): number;
  totals(): Counts;
  /** Returns the place of the automation that has `position` newer ones. */
  locate(position: number, category?: CategoryId): Place;
}

interface KnownChapter {
  readonly v: unknown;
  readonly chapter: Chapter;
}

/** What one read finds. */
interface Found {
  readonly snapshot: Snapshot;
  readonly chapters: ReadonlyMap<number, KnownChapter>;
  readonly tailStart: number;
  readonly tail: readonly TailCount[];
  readonly marked: readonly MarkedDocument[];
}

type Use = (state: ListState) => unknown;

const MAX_SHARING = 1_000;
/** Higher ones are damage: they would be of numbers that JavaScript cannot count. */
export const MAX_CHAPTER = 2 ** 36;

/**
 * The counts by which a page is found without counting: all automations on sale are those in the sealed blocks of the
 * chapters, those in the tail above, and the corrections by marks. A process keeps the chapters in memory and reads
 * those again whose `v` has changed.
 */
export class AutomationList {
  #chapters: ReadonlyMap<number, KnownChapter> = new Map();
  #tailStart: number | undefined;
  #sealedEnd = 0;
  readonly #reads = new BatchQueue<Use, unknown>((uses) => this.#readFor(uses), MAX_SHARING);

  /** Reads the chapters at first use. */
  constructor(private readonly db: Db) {}

  /** The end of the highest sealed block when the chapters were last read. No number below it may be given. */
  get sealedEnd(): number {
    return this.#sealedEnd;
  }

  /** The first number that was in no sealed block when the chapters were last read. */
  get tailStart(): number {
    return this.#tailStart ?? 0;
  }

  /**
   * Reads the state and returns what `use` makes of it. Calls that wait share a read that starts after they came.
   * Rejects as `unavailable` when the store is out of reach.
   */
  read<Answer>(use: (state: ListState) => Answer): Promise<Answer> {
    return this.#reads.ask(use) as Promise<Answer>;
  }

  /**
   * Reads the chapters alone, and returns the first number that is in no sealed block. It takes no longer when chapters
   * are lost and the tail is long, so what counts them again can always begin.
   */
  async readTailStart(): Promise<number> {
    const chapters = await reading((signal) =>
      withRetries(async () => {
        const snapshot = new Snapshot(this.db);
        return this.#load(await snapshot.read<Version>(aggregate(CHAPTERS, VERSIONS), signal), snapshot, signal);
      }),
    );
    return this.#note(chapters);
  }

  async #readFor(uses: readonly Use[]): Promise<readonly unknown[]> {
    const found = await reading((signal) => withRetries(() => this.#find(signal)));
    this.#note(found.chapters);
    applyMarks(found, 1);
    try {
      const state = stateOf(found);
      return uses.map((use) => use(state));
    } finally {
      applyMarks(found, -1);
    }
  }

  #note(chapters: ReadonlyMap<number, KnownChapter>): number {
    this.#chapters = chapters;
    this.#sealedEnd = highestSealed(chapters);
    this.#tailStart = startOfTail(chapters);
    return this.#tailStart;
  }

  /** The tail is counted from where it was; if it begins elsewhere now, once more. */
  async #find(signal: AbortSignal): Promise<Found> {
    const snapshot = new Snapshot(this.db);
    const expected = this.#tailStart ?? Number.MAX_SAFE_INTEGER;
    const rows = await snapshot.read<StateRow>(stateCommand(expected), signal);
    const chapters = await this.#load(rows.filter(isVersion), snapshot, signal);
    const tailStart = startOfTail(chapters);
    const counted =
      tailStart === expected ? rows : await snapshot.read<StateRow>(aggregate(AUTOMATIONS, tailOf(tailStart)), signal);
    return { snapshot, chapters, tailStart, tail: counted.filter(isTailCount), marked: rows.filter(isMarked) };
  }

  async #load(
    versions: readonly Version[],
    snapshot: Snapshot,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, KnownChapter>> {
    // The background may replace them meanwhile, by those of another moment.
    const known = this.#chapters;
    const isNew = ({ _id, v }: Version) => v === undefined || known.get(_id)?.v !== v;
    const ids = versions.filter(isNew).map(({ _id }) => _id);
    const documents =
      ids.length === 0 ? [] : await snapshot.read<Document>({ find: CHAPTERS, filter: { _id: { $in: ids } } }, signal);
    const loaded = new Map(documents.map((document) => [document['_id'] as number, unpack(document)]));
    return new Map(
      versions.map(({ _id, v }) => {
        const chapter = loaded.get(_id) ?? known.get(_id)?.chapter ?? UNSEALED;
        return [_id, { v, chapter }];
      }),
    );
  }
}

interface Version {
  readonly _id: number;
  readonly v?: unknown;
}

interface TailCount {
  readonly category: CategoryId;
  readonly count: number;
  /** The highest number. It is another one when automations are removed by hand and as many are created. */
  readonly highest: number;
}

type StateRow = Version | TailCount | MarkedDocument;

/** The `v` of all chapters. */
const VERSIONS = [{ $match: { _id: { $gte: 0, $lt: MAX_CHAPTER } } }, { $project: { v: 1 } }];

/** The `v` of all chapters, the counts of the tail, and the documents with marks, all covered by indexes or few. */
function stateCommand(tailStart: number): Document {
  return aggregate(CHAPTERS, [
    ...VERSIONS,
    { $unionWith: { coll: AUTOMATIONS, pipeline: tailOf(tailStart) } },
    { $unionWith: { coll: AUTOMATIONS, pipeline: [{ $match: HAS_MARKS }, { $project: MARKED_FIELDS }] } },
  ]);
}

/** With a bound on `seq`, as otherwise the index is not used. */
const HAS_MARKS = { marks: { $exists: true }, seq: { $gte: 0 } };

function tailOf(start: number): Document[] {
  return [
    { $match: { on_sale: true, seq: { $gte: start } } },
    { $group: { _id: '$category_id', count: { $sum: 1 }, highest: { $max: '$seq' } } },
    { $set: { _id: '$$REMOVE', category: { $convert: { input: '$_id', to: 'string', onError: '', onNull: '' } } } },
  ];
}

export function aggregate(collection: string, pipeline: readonly Document[], hint?: string): Document {
  return { aggregate: collection, pipeline, ...(hint !== undefined && { hint }) };
}

function isVersion(row: StateRow): row is Version {
  return '_id' in row && Number.isInteger(row._id);
}

function isTailCount(row: StateRow): row is TailCount {
  return 'count' in row;
}

function isMarked(row: StateRow): row is MarkedDocument {
  return 'marks' in row;
}

function startOfTail(chapters: ReadonlyMap<number, KnownChapter>): number {
  let number = 0;
  while (chapters.get(number)?.chapter.sealed === BLOCKS) number += 1;
  return sealedEnd(number, chapters.get(number)?.chapter ?? UNSEALED);
}

function highestSealed(chapters: ReadonlyMap<number, KnownChapter>): number {
  const ends = Array.from(chapters, ([number, { chapter }]) => (chapter.sealed > 0 ? sealedEnd(number, chapter) : 0));
  return ends.reduce((highest, end) => Math.max(highest, end), 0);
}

/** Corrects the counts of the chapters by the marks below the tail, or with -1 takes the corrections back. */
function applyMarks({ chapters, marked, tailStart }: Found, sign: 1 | -1): void {
  for (const document of marked) {
    const chapter = document.seq < tailStart ? chapters.get(chapterOf(document.seq))?.chapter : undefined;
    if (chapter !== undefined) correct(chapter.counts, document, chapter.folded, sign);
  }
}

function stateOf({ snapshot, chapters, tailStart, tail: tailCounts, marked }: Found): ListState {
  const tail = new Map(tailCounts.map(({ category, count }) => [category, count]));
  const counted = Array.from({ length: Math.ceil(tailStart / CHAPTER_SIZE) }, (_, number) =>
    countsOf(number),
  ).reverse();
  const tailTotal = sumOf(tail.values());

  function countsOf(number: number) {
    return { number, counts: (chapters.get(number)?.chapter ?? UNSEALED).counts };
  }

  function total(category?: CategoryId): number {
    const above = category === undefined ? tailTotal : (tail.get(category) ?? 0);
    return above + sumOf(counted.map(({ counts }) => counts.total(category)));
  }

  function totals(): Counts {
    const categories = new Set([...tail.keys(), ...counted.flatMap(({ counts }) => counts.categories())]);
    const all = Array.from(categories, (category) => [category, total(category)] as const);
    return new Map(all.filter(([, count]) => count > 0));
  }

  function locate(position: number, category?: CategoryId): Place {
    const inTail = category === undefined ? tailTotal : (tail.get(category) ?? 0);
    if (position < inTail) return { below: Number.MAX_SAFE_INTEGER, skip: position };
    let rest = position - inTail;
    for (const { number, counts } of counted) {
      const found = counts.locate(rest, category);
      if (found !== undefined)
        return { below: number * CHAPTER_SIZE + (found.block + 1) * BLOCK_SIZE, skip: found.skip };
      rest -= counts.total(category);
    }
    return { below: 0, skip: 0 };
  }

  const revision = revisionOf(chapters, tailCounts, marked);
  return { snapshot, tailSize: tailTotal, marked, revision, total, totals, locate };
}

/** Two states with one revision have the same content: each change leaves a mark, a new `v`, or another tail. */
function revisionOf(chapters: Found['chapters'], tail: Found['tail'], marked: Found['marked']): string {
  const versions = Array.from(chapters, ([number, { v }]) => [number, v]);
  const marks = marked.flatMap((document) => marksOf(document).map(({ id }) => id));
  const counts = tail.map(({ category, count, highest }) => [category, count, highest]).sort();
  const parts = JSON.stringify([versions, counts, marks]);
  return createHash('sha256').update(parts).digest('base64url');
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
