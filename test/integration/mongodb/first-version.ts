import { readFile } from 'node:fs/promises';
import { BSON, UUID, type Db, type Document } from 'mongodb';

/** The store that the first version made, with its validators and indexes: 6 automations, 2 of them withdrawn. */
const STORE = new URL('../../../../test/integration/mongodb/first-version.json', import.meta.url);

interface Dumped {
  readonly name: string;
  readonly options: Document;
  readonly indexes: readonly Document[];
  readonly documents: readonly Document[];
}

export async function makeFirstVersion(db: Db): Promise<void> {
  for (const { name, options, indexes, documents } of BSON.EJSON.parse(await readFile(STORE, 'utf8')) as Dumped[]) {
    await db.createCollection(name, options);
    if (indexes.length > 0) await db.command({ createIndexes: name, indexes });
    if (documents.length > 0) await db.collection(name).insertMany([...documents]);
  }
}

/** Returns the documents of the collections that only the first version uses. */
export async function readFirstVersion(db: Db): Promise<readonly Document[]> {
  const names = ['automations', 'audit', 'categories', 'tallies', 'turn_notes'];
  return Promise.all(names.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
}

export function firstIdOf(n: number): string {
  return `0190000${n % 10}-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** A process of the first version stores the next automation, as it did. */
export async function addAsFirst(db: Db, number: number): Promise<void> {
  const document = {
    _id: new UUID(firstIdOf(number)),
    number,
    category_number: number,
    category_id: 'tools',
    title: `First ${number}`,
    description: 'Was there before',
    price: number * 100,
    currency: 'USD',
    developer_id: 'ada',
    created_at: new Date(number * 1_000),
  };
  await db.command({ insert: 'automations', ordered: true, documents: [document] });
}

/** A process of the first version withdraws an automation, and counts that. */
export async function withdrawAsFirst(db: Db, number: number): Promise<void> {
  const u = { $set: { withdrawn_at: new Date(1), withdrawn_reason: 'By the $first' } };
  await db.command({ update: 'automations', updates: [{ q: { number }, u }] });
  const counted = { $inc: { withdrawn: 1 }, $max: { highest_withdrawn: number } };
  await db.command({ update: 'tallies', updates: [{ q: { _id: '' }, u: counted, upsert: true }] });
}
