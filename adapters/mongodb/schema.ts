import type { Db, IndexDescription } from 'mongodb';
import { collectionsOf } from './documents.js';
import { inTime, reading, WITHIN, writing } from './operations.js';
import { checkServer } from './server.js';

const NAMESPACE_EXISTS = 48;

/**
 * For an index, which is built on although nobody waits for it, and by whoever asks again joined; after that it is
 * given up. The driver's own method sets no limit.
 */
const BUILDING = { maxTimeMS: 30 * 60_000 };

/** The indexes that keep the numbers apart. */
export const NUMBER_INDEXES: readonly string[] = ['number', 'category_number'];

const INDEXES: Readonly<Record<string, IndexDescription[]>> = {
  automations: [
    { name: 'number', key: { number: 1 }, unique: true },
    { name: 'category_number', key: { category_id: 1, category_number: 1 }, unique: true },
    {
      name: 'idempotency_key',
      key: { developer_id: 1, idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { key: { developer_id: 1, number: 1 } },
    { key: { idempotency_key_until: 1 }, partialFilterExpression: { idempotency_key_until: { $exists: true } } },
    // Hold what was withdrawn and nothing else.
    { key: { number: 1, withdrawn_at: 1 }, partialFilterExpression: { withdrawn_at: { $exists: true } } },
    {
      key: { category_id: 1, category_number: 1, withdrawn_at: 1 },
      partialFilterExpression: { withdrawn_at: { $exists: true } },
    },
  ],
  api_keys: [{ key: { hash: 1 }, unique: true }, { key: { position: 1 } }, { key: { developer_id: 1, position: 1 } }],
  developers: [
    { key: { position: 1 } },
    { key: { 'invitation.hash': 1 }, unique: true, partialFilterExpression: { 'invitation.hash': { $exists: true } } },
    { key: { sign_in_key: 1 }, unique: true, partialFilterExpression: { sign_in_key: { $exists: true } } },
  ],
  sessions: [{ key: { developer_id: 1 } }, { key: { until: 1 } }],
  audit: [{ key: { position: 1 }, unique: true }, { key: { developer_id: 1, position: 1 } }],
  categories: [],
  tallies: [],
  turn_notes: [],
  settings: [],
};

/** What the documents must be like, for whoever writes to the collection by hand. Set when the collection is made. */
const VALIDATORS: Readonly<Record<string, object>> = {
  automations: {
    $jsonSchema: {
      bsonType: 'object',
      required: [
        '_id',
        'number',
        'category_number',
        'category_id',
        'title',
        'description',
        'price',
        'currency',
        'developer_id',
        'created_at',
      ],
      properties: {
        _id: { bsonType: 'binData' },
        number: { bsonType: ['int', 'long', 'double'] },
        category_number: { bsonType: ['int', 'long', 'double'] },
        category_id: { bsonType: 'string' },
        title: { bsonType: 'string' },
        description: { bsonType: 'string' },
        price: { bsonType: ['int', 'long', 'double'], minimum: 0, multipleOf: 1 },
        currency: { bsonType: 'string' },
        developer_id: { bsonType: 'string' },
        created_at: { bsonType: 'date' },
      },
    },
  },
  developers: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'position', 'invited_at'],
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
      },
      dependencies: { sign_in_name: ['sign_in_key', 'password_hash'], sign_in_key: ['sign_in_name'] },
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
      },
    },
  },
  audit: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'position', 'at', 'actor', 'action'],
      properties: {
        _id: { bsonType: 'string' },
        position: { bsonType: ['int', 'long', 'double'], minimum: 1, multipleOf: 1 },
        at: { bsonType: 'date' },
        actor: { bsonType: 'string' },
        action: { bsonType: 'string' },
        developer_id: { bsonType: 'string' },
        subject: { bsonType: 'string' },
        address: { bsonType: 'string' },
        request_id: { bsonType: 'string' },
      },
    },
  },
};

/** In bytes: those that keep but their newest documents. */
const CAPPED: Readonly<Record<string, number>> = { turn_notes: 256 * 1024 };

/**
 * Makes the collections, their validators and their indexes, as far as they are not there. An explicit step, to be run
 * before the repositories are used; several processes may run it at once, and again at every start.
 * @throws Error with a sentence for people, when the server is a standalone one or older than 5.0.
 */
export function prepareMongo(db: Db): Promise<void> {
  return writing(db.client, async () => {
    await connect(db);
    checkServer(await db.command({ hello: 1, ...WITHIN }));
    for (const [name, indexes] of Object.entries(INDEXES)) {
      await ensureCollection(db, name);
      if (indexes.length > 0) await db.command({ createIndexes: name, indexes: indexes.map(named), ...BUILDING });
    }
  });
}

/** Whether it is prepared already: of the names of the collections that one is hardly anybody else's. */
export async function isStore(db: Db): Promise<boolean> {
  return reading(async (signal) => {
    await connect(db);
    return db.listCollections({ name: 'tallies' }, { nameOnly: true, ...WITHIN, signal }).hasNext();
  });
}

/** Notes a currency for good if there is none yet, and answers the one that is noted. */
export async function recordCurrency(db: Db, currency: string): Promise<string> {
  const { settings } = collectionsOf(db);
  const noted = await writing(db.client, (session) =>
    settings.findOneAndUpdate(
      { _id: 'currency' },
      { $setOnInsert: { value: currency } },
      { upsert: true, returnDocument: 'after', ...WITHIN, session },
    ),
  );
  return noted?.value ?? currency;
}

/** Rejects as `unavailable` when there is no primary within reach. */
export async function ping(db: Db): Promise<void> {
  await reading(async (signal) => {
    await connect(db);
    await db.command({ ping: 1, ...WITHIN }, { readPreference: 'primary', signal });
  });
}

/**
 * A client whose first connection failed does not try again of itself, as it does when a later one fails. Does nothing
 * while it is connected. The names of `mongodb+srv` may be looked up for longer than anybody waits.
 */
async function connect({ client }: Db): Promise<void> {
  await (client.options.srvHost === undefined ? client.connect() : inTime(client.connect()));
}

/** The server wants a name; the usual one is the fields and their directions. */
function named(index: IndexDescription): IndexDescription {
  return { name: Object.entries(index.key).flat().join('_'), ...index };
}

async function ensureCollection(db: Db, name: string): Promise<void> {
  const validator = VALIDATORS[name];
  const size = CAPPED[name];
  try {
    await db.createCollection(name, {
      ...WITHIN,
      ...(validator && { validator }),
      ...(size && { capped: true, size }),
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== NAMESPACE_EXISTS) throw error;
  }
}
