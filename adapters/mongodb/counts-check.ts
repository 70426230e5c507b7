import type { Db, Document } from 'mongodb';
import type { Difference } from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { AUTOMATIONS, collectionsOf, COUNT_DELTAS, COUNTS } from './collections.js';
import { afterOthers, persistently, untilRead, WRITE } from './commands.js';
import { BLOCKS, columnsOf, countsIn, MAX_COUNTS, packed, SPAN, type Columns } from './counts.js';
import { isDuplicate } from './failures.js';
import { Snapshot } from './snapshot.js';

/** To count the automations of one document takes some 100 ms. */
const COUNTING = { maxTimeMS: 30_000 };
const MAX_TRIES = 20;

/** The counts of a part of the automations at one moment. */
interface Compared {
  /** The `v` of the document of counts; undefined when there is none. */
  readonly v: unknown;
  /** What document and deltas say. */
  readonly counted: Columns;
  readonly actual: Columns;
  /** What the document should say, as the deltas are. */
  readonly right: Columns;
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
    await afterOthers();
    const compared = await untilRead(() => compare(db, number));
    const differences = differencesOf(number, compared);
    const isRepaired = differences.length > 0 && repair;
    if (!isRepaired || (await replace(db, number, compared)))
      return differences.map((description) => ({ description, repaired: isRepaired }));
  }
  throw new Error('the counts are changed too often to be repaired');
}

async function compare(db: Db, number: number): Promise<Compared> {
  const snapshot = new Snapshot(db, COUNTING);
  const stored = await snapshot.find<Document>(COUNTS, { filter: { _id: number } });
  const deltas = await snapshot.find<Document>(COUNT_DELTAS, {});
  const onSale = await snapshot.aggregate<OnSale>(AUTOMATIONS, countingOf(number));
  const changes = onSale.map(({ _id, count }) => ({ changes: { [_id.block]: { [String(_id.category)]: count } } }));
  return {
    v: stored[0]?.['v'],
    counted: columnsOf(number, [...stored, ...deltas]),
    actual: columnsOf(number, changes),
    right: columnsOf(number, changes, deltas),
  };
}

interface OnSale {
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

/** Returns a sentence for each block and category that is not counted as it is. */
function differencesOf(number: number, { counted, actual }: Compared): readonly string[] {
  const categories = [...new Set([...counted.keys(), ...actual.keys()])].sort();
  return categories.flatMap((category) =>
    Array.from({ length: BLOCKS }, (_, index) => {
      const first = (number * BLOCKS + index) * BLOCK_SIZE;
      const was = counted.get(category)?.[index] ?? 0;
      const is = actual.get(category)?.[index] ?? 0;
      const where = `category "${category}", numbers ${first} to ${first + BLOCK_SIZE - 1}`;
      return was === is ? '' : `${where}: counted ${was}, there are ${is}`;
    }).filter((difference) => difference !== ''),
  );
}

/** Stores the counts that are right. Returns false when the document is another one meanwhile. */
async function replace(db: Db, number: number, { v, right }: Compared): Promise<boolean> {
  const { _id, ...content } = packed(number, right);
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
