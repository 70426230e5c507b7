import type { Db, Document } from 'mongodb';
import type { Difference } from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { AUTOMATIONS, collectionsOf, COUNT_DELTAS, COUNTS } from './collections.js';
import { persistently, WRITE } from './commands.js';
import { BLOCKS, columnsOf, countsIn, MAX_COUNTS, packed, SPAN, type Columns } from './counts.js';
import { isDuplicate } from './failures.js';
import { Snapshot, withRetries } from './snapshot.js';

/** To count the automations of one document takes some 100 ms. */
const COUNTING = { maxTimeMS: 30_000 };
const MAX_TRIES = 20;

/** The counts of a part of the automations: as they are stored, and as they should be. */
interface Compared {
  /** The `v` of the document of counts; undefined when there is none. */
  readonly v: unknown;
  readonly stored: Columns;
  readonly deltas: Columns;
  readonly actual: Columns;
}

/** Counts the automations again, one document of counts after the other, each at one moment. Returns what differed. */
export async function checkCounts(db: Db, repair: boolean): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const number of await numbersOf(db)) differences.push(...(await checkOne(db, number, repair)));
  return differences;
}

/** Returns the ids of all documents of counts that there are or should be. */
async function numbersOf(db: Db): Promise<readonly number[]> {
  const snapshot = new Snapshot(db, COUNTING);
  const highest = { filter: { seq: { $gte: 0 } }, sort: { seq: -1 }, limit: 1, projection: { seq: 1 } };
  const [last] = await snapshot.find<{ seq: number }>(AUTOMATIONS, highest);
  const stored = await snapshot.find<{ _id: number }>(COUNTS, { filter: KNOWN, projection: { _id: 1 } });
  const deltas = await snapshot.find<Document>(COUNT_DELTAS, {});
  const end = Math.min(MAX_COUNTS, Math.floor((last?.seq ?? -1) / SPAN) + 1);
  const below = Array.from({ length: end }, (_, number) => number);
  return [...new Set([...below, ...stored.map(({ _id }) => _id).filter(Number.isInteger), ...countsIn(deltas)])];
}

const KNOWN = { _id: { $gte: 0, $lt: MAX_COUNTS } };

/** Repairs only what it has read: when another process has changed the document meanwhile, it counts again. */
async function checkOne(db: Db, number: number, repair: boolean): Promise<readonly Difference[]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const compared = await withRetries(() => compare(db, number));
    const differences = differencesOf(number, compared);
    if (differences.length === 0 || !repair) return described(differences, false);
    if (await replace(db, number, compared)) return described(differences, true);
  }
  throw new Error('the counts are changed too often to be repaired');
}

async function compare(db: Db, number: number): Promise<Compared> {
  const snapshot = new Snapshot(db, COUNTING);
  const [stored] = await snapshot.find<Document>(COUNTS, { filter: { _id: number } });
  const deltas = await snapshot.find<Document>(COUNT_DELTAS, {});
  const counted = await snapshot.aggregate<Counted>(AUTOMATIONS, countingOf(number));
  const actual = new Map<string, Int16Array>();
  for (const { _id, count } of counted) {
    const column = actual.get(String(_id.category)) ?? new Int16Array(BLOCKS);
    column[_id.block - number * BLOCKS] = count;
    actual.set(String(_id.category), column);
  }
  const ofStored = stored === undefined ? [] : [stored];
  return { v: stored?.['v'], stored: columnsOf(number, ofStored), deltas: columnsOf(number, deltas), actual };
}

interface Counted {
  readonly _id: { readonly block: number; readonly category: unknown };
  readonly count: number;
}

function countingOf(number: number): readonly Document[] {
  const block = { $floor: { $divide: ['$seq', BLOCK_SIZE] } };
  return [
    { $match: { on_sale: true, seq: { $gte: number * SPAN, $lt: (number + 1) * SPAN } } },
    { $group: { _id: { block, category: '$category_id' }, count: { $sum: 1 } } },
  ];
}

interface Miscount {
  readonly category: string;
  readonly block: number;
  readonly counted: number;
  readonly actual: number;
}

function differencesOf(number: number, { stored, deltas, actual }: Compared): readonly Miscount[] {
  const categories = [...new Set([...stored.keys(), ...deltas.keys(), ...actual.keys()])].sort();
  const all = categories.flatMap((category) =>
    Array.from({ length: BLOCKS }, (_, index) => ({
      category,
      block: number * BLOCKS + index,
      counted: (stored.get(category)?.[index] ?? 0) + (deltas.get(category)?.[index] ?? 0),
      actual: actual.get(category)?.[index] ?? 0,
    })),
  );
  return all.filter(({ counted, actual: there }) => counted !== there);
}

function described(miscounts: readonly Miscount[], repaired: boolean): readonly Difference[] {
  return miscounts.map(({ category, block, counted, actual }) => {
    const [first, last] = [block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE - 1];
    const description = `category "${category}", numbers ${first} to ${last}: counted ${counted}, there are ${actual}`;
    return { description, repaired };
  });
}

/** Stores what is on sale without what the deltas say. Returns false when the document is another one meanwhile. */
async function replace(db: Db, number: number, { v, deltas, actual }: Compared): Promise<boolean> {
  const { _id, ...content } = packed(number, without(actual, deltas));
  const unchanged = { _id, v: v === undefined ? { $exists: false } : { $eq: v as string } };
  const { counts } = collectionsOf(db);
  try {
    await persistently(() => counts.replaceOne(unchanged, content, { ...WRITE, upsert: true }));
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

function without(actual: Columns, deltas: Columns): Columns {
  const columns = new Map(Array.from(actual, ([category, column]) => [category, column.slice()]));
  for (const [category, differences] of deltas) {
    const column = columns.get(category) ?? new Int16Array(BLOCKS);
    differences.forEach((difference, index) => (column[index] = (column[index] ?? 0) - difference));
    columns.set(category, column);
  }
  return columns;
}
