import type { Db, IndexDescription } from 'mongodb';
import { BUILDING, inTime, persistently, READ, reading, WRITE, writing } from './commands.js';
import { AUTOMATIONS, CHAPTERS, collectionsOf, LAST_INDEX } from './collections.js';
import { checkDriver } from './driver.js';
import { checkServer } from './server.js';
import type { MongoStorageSettings } from './settings.js';
import { upgrade } from './upgrade.js';
import { WordIndex } from './word-index.js';

const NAMESPACE_EXISTS = 48;

/** The name of an index is its fields and directions, unless it is given. They are made in this order. */
const INDEXES: Readonly<Record<string, IndexDescription[]>> = {
  [CHAPTERS]: [{ key: { _id: 1, v: 1 } }],
  api_keys: [
    { key: { hash: 1 }, unique: true },
    { key: { position: 1 } },
    { key: { developer_id: 1, position: 1 } },
    { key: { developer_id: 1, ends_at: 1, position: 1 } },
    { key: { ends_at: 1 } },
    { key: { predecessor: 1 }, partialFilterExpression: { predecessor: { $exists: true } } },
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
  sessions: [{ key: { developer_id: 1, created_at: 1 } }, { key: { until: 1 } }],
  audit_v2: [{ key: { developer_id: 1, _id: 1 } }],
  counters: [],
  settings: [],
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
    { name: 'developer', key: { developer_id: 1, on_sale: 1, seq: 1 } },
    { name: 'marks', key: { seq: 1 }, partialFilterExpression: { marks: { $exists: true } } },
    { name: 'audit', key: { 'audit._id': 1 }, partialFilterExpression: { audit: { $exists: true } } },
    {
      name: LAST_INDEX,
      key: { developer_id: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { key: { idempotency_key_until: 1 }, partialFilterExpression: { idempotency_key_until: { $exists: true } } },
  ],
};

/** The form of the documents, for those who write to a collection by hand. Set when the collection is created. */
const VALIDATORS: Readonly<Record<string, object>> = {
  [AUTOMATIONS]: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['seq'],
      properties: { seq: { bsonType: ['int', 'long', 'double'], minimum: 0, multipleOf: 1 } },
    },
  },
  developers: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'position', 'invited_at', 'id_skeleton'],
      properties: {
        _id: { bsonType: 'string' },
        position: { bsonType: 'objectId' },
        invited_at: { bsonType: 'date' },
        invitation: {
          bsonType: 'object',
          required: ['hash', 'until'],
          properties: { hash: { bsonType: 'string' }, until: { bsonType: 'date' } },
        },
        sign_in_name: { bsonType: 'string' },
        sign_in_key: { bsonType: 'string' },
        password_hash: { bsonType: 'string' },
        active_since: { bsonType: 'date' },
        suspended_at: { bsonType: 'date' },
        role: { bsonType: 'string' },
        public_name: { bsonType: 'string' },
        public_name_folded: { bsonType: 'string' },
        public_name_skeleton: { bsonType: 'string' },
        id_skeleton: { bsonType: 'string' },
        website: { bsonType: 'string' },
      },
      dependencies: {
        sign_in_name: ['sign_in_key', 'password_hash'],
        sign_in_key: ['sign_in_name'],
        public_name: ['public_name_folded', 'public_name_skeleton'],
        public_name_folded: ['public_name'],
        public_name_skeleton: ['public_name'],
      },
    },
  },
  sessions: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'developer_id', 'created_at', 'until'],
      properties: {
        _id: { bsonType: 'string' },
        developer_id: { bsonType: 'string' },
        created_at: { bsonType: 'date' },
        until: { bsonType: 'date' },
        address: { bsonType: 'string' },
      },
    },
  },
};

/**
 * Creates the collections, their validators and their indexes, as far as they are missing, and takes over what an
 * earlier version has stored. Run it before the repositories are used; several processes may run it at once, and again
 * at every start. Words that stored automations lack are not written here, but in the background by
 * `MongoCatalogueSearch`. @throws Error with a sentence for people, when the server is a standalone one or older than
 * 5.0; TypeError when the driver is not 7.
 */
export async function prepareMongo(db: Db, { search }: MongoStorageSettings = {}): Promise<void> {
  checkDriver(db);
  await persistently(db.client, async () => {
    await connect(db);
    checkServer(await db.command({ hello: 1, ...READ }));
    for (const [name, indexes] of Object.entries(INDEXES)) {
      await ensureCollection(db, name);
      if (indexes.length > 0) await db.command({ createIndexes: name, indexes: indexes.map(named), ...BUILDING });
    }
  });
  if (search !== false) await new WordIndex(db).prepare();
  await upgrade(db);
}

/** Returns whether a store is in this database, of this version or of the one before. */
export async function isStore(db: Db): Promise<boolean> {
  return reading(async (signal) => {
    await connect(db);
    const filter = { name: { $in: [AUTOMATIONS, 'tallies'] } };
    return db.listCollections(filter, { nameOnly: true, ...READ, signal }).hasNext();
  });
}

/** Stores a currency for good if there is none yet, and returns the one that is stored. */
export async function recordCurrency(db: Db, currency: string): Promise<string> {
  const { settings } = collectionsOf(db);
  const options = { ...WRITE, upsert: true, returnDocument: 'after' } as const;
  const change = { $setOnInsert: { value: currency } };
  const stored = await writing(db, () => settings.findOneAndUpdate({ _id: 'currency' }, change, options));
  return typeof stored?.value === 'string' ? stored.value : currency;
}

/** Rejects as `unavailable` when there is no primary within reach. */
export async function ping(db: Db): Promise<void> {
  await reading(async (signal) => {
    await connect(db);
    await db.command({ ping: 1, ...READ }, { readPreference: 'primary', signal });
  });
}

/**
 * Connects a client whose first connection failed: it does not try again by itself, as it does when a later one fails.
 * Does nothing while it is connected. The names of `mongodb+srv` may be looked up for longer than a caller waits.
 */
async function connect({ client }: Db): Promise<void> {
  await (client.options.srvHost === undefined ? client.connect() : inTime(client.connect()));
}

/** Returns the index with a name, which the server demands. */
function named(index: IndexDescription): IndexDescription {
  return { name: Object.entries(index.key).flat().join('_'), ...index };
}

async function ensureCollection(db: Db, name: string): Promise<void> {
  const validator = VALIDATORS[name];
  try {
    await db.createCollection(name, { ...WRITE, ...(validator && { validator }) });
  } catch (error) {
    if ((error as { code?: unknown }).code !== NAMESPACE_EXISTS) throw error;
  }
}
