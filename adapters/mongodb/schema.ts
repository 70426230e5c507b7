import type { Db, Document, IndexDescription } from 'mongodb';
import { parseCurrency, type Currency } from '../../domain/currency.js';
import { requireOptions } from '../../domain/options.js';
import type { Difference } from '../../domain/ports.js';
import { foreignPrices } from '../../domain/store-record.js';
import { AUTOMATION_FILES, AUTOMATIONS, checkDriver, collectionsOf, COUNT_DELTAS, COUNTS } from './collections.js';
import {
  BUILDING,
  findOne,
  persistently,
  READ,
  reading,
  readSchemaVersion,
  SCHEMA,
  untilRead,
  WRITE,
  writing,
} from './commands.js';
import { isCollectionMissing, isDuplicate } from './failures.js';
import { WORD_INDEXES } from './words.js';
import { RECORD_LIFETIME_S } from './writing-sessions.js';

/** Settings of a storage in MongoDB, or of one of its parts. */
export interface MongoStorageSettings {
  /** Gets each failure of work in the background, which is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Whether to keep words, by which automations are found; true by default. */
  readonly search?: boolean | undefined;
}

/** The server demands a name. */
type NamedIndex = IndexDescription & { readonly name: string };

export const MONGO_SETTINGS = { onError: true, search: true } as const;

/** Leads a store from one version of the schema to the next. It may be repeated, also by several processes at once. */
export type SchemaStep = (db: Db) => Promise<void>;

/** The steps to the current version, from version 1 on. */
const STEPS: readonly SchemaStep[] = [];

/**
 * The indexes of each collection. The name of one is its fields and directions, unless it is given. They are made in
 * this order; a collection without one is made by its first write.
 */
const INDEXES: Readonly<Record<string, IndexDescription[]>> = {
  [AUTOMATION_FILES]: [{ name: '_id_', key: { _id: 1 } }],
  [COUNTS]: [{ key: { _id: 1, v: 1 } }],
  [COUNT_DELTAS]: [{ key: { _id: 1, v: 1 } }],
  writing_sessions: [{ key: { at: 1 }, expireAfterSeconds: RECORD_LIFETIME_S }],
  api_keys: [
    { key: { hash: 1 }, unique: true },
    { key: { position: 1 } },
    { key: { developer_id: 1, position: 1 } },
    { key: { developer_id: 1, ends_at: 1, position: 1 } },
    { key: { ends_at: 1 } },
  ],
  developers: [
    { key: { position: 1 } },
    { key: { role: 1 }, partialFilterExpression: { role: 'operator' } },
    { key: { 'invitation.hash': 1 }, unique: true, partialFilterExpression: { 'invitation.hash': { $exists: true } } },
    { key: { sign_in_key: 1 }, unique: true, partialFilterExpression: { sign_in_key: { $exists: true } } },
    { key: { id_skeleton: 1 } },
    ...['public_name_folded', 'public_name_skeleton'].map((field) => ({
      key: { [field]: 1 },
      unique: true,
      partialFilterExpression: { [field]: { $exists: true } },
    })),
  ],
  identities: [{ key: { developer_id: 1 } }, { key: { '_id.subject': 1 } }],
  sessions: [{ key: { developer_id: 1, created_at: 1 } }, { key: { until: 1 } }],
  audit: [{ key: { developer_id: 1, _id: 1 } }],
  oauth_records: [
    ...['client_id', 'grant_id', 'uid', 'user_code', 'expires_at'].map((field) => ({
      key: { [field]: 1 },
      partialFilterExpression: { [field]: { $exists: true } },
    })),
    { key: { developer_id: 1, _id: 1 }, partialFilterExpression: { developer_id: { $exists: true } } },
  ],
  refused_files: [{ name: '_id_', key: { _id: 1 } }],
  reports: [
    { key: { is_open: 1, automation_id: -1, kind: 1 }, partialFilterExpression: { is_open: true } },
    { key: { automation_id: 1, _id: -1 } },
    { key: { closed_at: 1 }, partialFilterExpression: { closed_at: { $exists: true } } },
    { key: { at: 1 }, partialFilterExpression: { address: { $exists: true } } },
  ],
  [AUTOMATIONS]: [
    { name: 'seq', key: { seq: 1 }, unique: true },
    // Lists, and counts without a look at documents. `on_sale` is in the key, because a filter alone is looked up.
    { name: 'list', key: { on_sale: 1, seq: -1, category_id: 1 } },
    {
      name: 'list_by_category',
      key: { on_sale: 1, category_id: 1, seq: -1 },
      partialFilterExpression: { on_sale: true },
    },
    // `price` comes first, so that no plan without a price considers it.
    { name: 'price', key: { price: 1, on_sale: 1, seq: -1, category_id: 1 } },
    {
      name: 'platform',
      key: { 'file.platform': 1, on_sale: 1, seq: -1, category_id: 1 },
      partialFilterExpression: { 'file.platform': { $exists: true } },
    },
    { name: 'developer', key: { developer_id: 1, on_sale: 1, seq: 1 } },
    {
      name: 'idempotency_key',
      key: { developer_id: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { key: { idempotency_key_until: 1 }, partialFilterExpression: { idempotency_key_until: { $exists: true } } },
  ],
};

/**
 * Creates the collections and their indexes, as far as they are missing, and records the version of the schema. Run
 * it before the repositories are used; several processes may run it at once, and again at every start.
 * @throws Error with a sentence for people, when the server is a standalone one or older than 5.0, and when a newer
 * release has prepared the store; TypeError when the driver is not 7, and for an unknown option.
 */
export async function prepareMongo(
  db: Db,
  settings: MongoStorageSettings = {},
  steps: readonly SchemaStep[] = STEPS,
): Promise<void> {
  requireOptions('prepareMongo', settings, MONGO_SETTINGS);
  checkDriver(db);
  const stored = await reading(async () => {
    await connect(db);
    checkServer(await db.command({ hello: 1, ...READ }));
    return readSchemaVersion(db);
  });
  checkVersion(stored, steps.length + 1);
  await persistently(async () => {
    for (const [collection, indexes] of indexesOf(settings)) await createIndexes(db, collection, indexes);
  });
  await bringUpToDate(db, stored, steps);
}

/** Returns the indexes of each collection, with their names. */
function indexesOf({ search = true }: MongoStorageSettings): readonly (readonly [string, readonly NamedIndex[]])[] {
  const all = Object.entries(INDEXES).map(([collection, indexes]) => [collection, indexes.map(named)] as const);
  return search ? [...all, [AUTOMATIONS, WORD_INDEXES]] : all;
}

async function createIndexes(db: Db, collection: string, indexes: readonly NamedIndex[]): Promise<void> {
  await db.command({ createIndexes: collection, indexes, ...BUILDING });
}

/** Reports the indexes that are not there. With `repair` each is made, unless it is unique and documents forbid it. */
export async function checkIndexes(
  db: Db,
  settings: MongoStorageSettings,
  repair: boolean,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const [collection, indexes] of indexesOf(settings)) {
    const names = await namesOfIndexes(db, collection);
    for (const index of indexes.filter(({ name }) => !names.has(name))) {
      const repaired = repair && (await isMade(db, collection, index));
      const why = repair && !repaired ? ', and cannot be made: several documents have the same values' : '';
      differences.push({ description: `the index ${index.name} of ${collection} is missing${why}`, repaired });
    }
  }
  return differences;
}

/** Makes an index. Returns false for a unique one that documents forbid. */
async function isMade(db: Db, collection: string, index: NamedIndex): Promise<boolean> {
  try {
    await persistently(() => createIndexes(db, collection, [index]));
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Returns the names of the indexes that are there: none where the collection is not. */
async function namesOfIndexes(db: Db, collection: string): Promise<ReadonlySet<unknown>> {
  try {
    const present: readonly Document[] = await reading(() => db.collection(collection).listIndexes(READ).toArray());
    return new Set(present.map((index) => index['name'] as unknown));
  } catch (error) {
    if (isCollectionMissing(error)) return new Set();
    throw error;
  }
}

/** A new store has the current version, and needs no step. */
async function bringUpToDate(db: Db, stored: number, steps: readonly SchemaStep[]): Promise<void> {
  const { settings } = collectionsOf(db);
  const record = (value: number) =>
    persistently(() => settings.updateOne(SCHEMA, { $max: { value } }, { ...WRITE, upsert: true }));
  if (stored === 0) await record(steps.length + 1);
  for (let version = stored; version > 0 && version <= steps.length; version += 1) {
    await steps[version - 1]?.(db);
    await record(version + 1);
  }
}

/** @throws Error when a newer release has prepared the store. */
function checkVersion(stored: number, known: number): void {
  if (stored > known)
    throw new Error(
      `The MongoDB store has version ${stored} of the schema, and this release knows versions up to ${known}. ` +
        'Use the release that prepared the store, or a newer one.',
    );
}

/** Returns whether a store is in this database. */
export async function isStore(db: Db): Promise<boolean> {
  await reading(() => connect(db));
  return (await readSchemaVersion(db)) > 0;
}

/** Stores a currency for good if there is none yet, and returns the one that is stored. */
export async function recordCurrency(db: Db, currency: Currency): Promise<Currency> {
  parseCurrency(currency);
  const { settings } = collectionsOf(db);
  const options = { ...WRITE, upsert: true, returnDocument: 'after' } as const;
  const change = { $setOnInsert: { value: currency } };
  const stored = await writing(db, () => settings.findOneAndUpdate({ _id: 'currency' }, change, options));
  return typeof stored?.value === 'string' ? (stored.value as Currency) : currency;
}

/** Returns the prices that are in another currency. Nothing tells what they should be, so none is changed. */
export async function checkCurrency(db: Db): Promise<readonly Difference[]> {
  const { automations, settings } = collectionsOf(db);
  const recorded = (await findOne(settings, { _id: 'currency' }))?.value as Currency | undefined;
  if (recorded === undefined) return [];
  const others = await untilRead(() =>
    automations
      .aggregate<{ readonly _id: string; readonly count: number }>(
        [
          { $match: { currency: { $ne: recorded } } },
          { $group: { _id: '$currency', count: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ],
        CHECK,
      )
      .toArray(),
  );
  return others.map(({ _id, count }) => foreignPrices(count, _id, recorded));
}

/** Every automation is read. */
const CHECK = { maxTimeMS: 30 * 60_000 };

/** Rejects as `unavailable` when there is no primary within reach. */
export async function ping(db: Db): Promise<void> {
  checkDriver(db);
  await reading(async (signal) => {
    await connect(db);
    await db.command({ ping: 1, ...READ }, { readPreference: 'primary', signal });
  });
}

/**
 * Connects a client whose first connection failed: it does not try again by itself, as it does when a later one fails.
 * Does nothing while it is connected.
 */
async function connect({ client }: Db): Promise<void> {
  await client.connect();
}

/** Returns the index with a name, which the server demands. */
function named(index: IndexDescription): NamedIndex {
  return { name: Object.entries(index.key).flat().join('_'), ...index };
}

/**
 * Of MongoDB 5.0
 * (https://github.com/mongodb/specifications/blob/master/source/wireversion-featurelist/wireversion-featurelist.md).
 */
const OLDEST_WIRE_VERSION = 13;

/** @throws Error when a server, by its answer to `hello`, is not one that these repositories can work with. */
export function checkServer(hello: Document): void {
  if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid')
    throw new Error(
      'The MongoDB server is a standalone one, which cannot keep what it acknowledged nor read at one moment. ' +
        'Make it a replica set: start it with --replSet rs0, then run mongosh --eval "rs.initiate()" once.',
    );
  if (Number(hello['maxWireVersion']) < OLDEST_WIRE_VERSION)
    throw new Error(
      'The MongoDB server is older than 5.0, and lists of automations need what came with 5.0. Use 5.0 or newer.',
    );
}
