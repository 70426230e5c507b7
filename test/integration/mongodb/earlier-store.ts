import { UUID, type Db } from 'mongodb';

/**
 * A store as the step before withdrawals left it, and what a process of that time sends, word for word: nothing here
 * follows the adapter when that changes.
 */
export async function makeEarlierStore(db: Db): Promise<void> {
  await db.command({ create: 'automations' });
  await prepareAsEarlier(db);
  for (const name of ['categories', 'tallies', 'settings']) await db.command({ create: name });
  await db.command({ insert: 'automations', documents: [1, 2, 3].map((number) => earlierDocument(number)) });
  await db.command({
    insert: 'categories',
    documents: [
      { _id: 'tools', name: 'Tools' },
      { _id: 'games', name: 'Games' },
    ],
  });
  await db.command({ insert: 'settings', documents: [{ _id: 'currency', value: 'USD' }] });
  await db.command({
    insert: 'api_keys',
    documents: [
      {
        _id: 'key-1',
        position: new UUID(),
        hash: 'hash 1',
        prefix: 'amk_1',
        developer_id: 'ada',
        name: 'One',
        scopes: ['automations:read'],
        created_at: new Date(1_000),
      },
    ],
  });
}

export async function prepareAsEarlier(db: Db): Promise<void> {
  await db.command({
    createIndexes: 'automations',
    indexes: [
      { name: 'number', key: { number: 1 }, unique: true },
      { name: 'category_number', key: { category_id: 1, category_number: 1 }, unique: true },
      {
        name: 'idempotency_key',
        key: { developer_id: 1, idempotency_key: 1 },
        unique: true,
        partialFilterExpression: { idempotency_key: { $exists: true } },
      },
      {
        name: 'idempotency_key_until_1',
        key: { idempotency_key_until: 1 },
        partialFilterExpression: { idempotency_key_until: { $exists: true } },
      },
    ],
  });
  await db.command({
    createIndexes: 'api_keys',
    indexes: [
      { name: 'hash_1', key: { hash: 1 }, unique: true },
      { name: 'position_1', key: { position: 1 } },
      { name: 'developer_id_1_position_1', key: { developer_id: 1, position: 1 } },
    ],
  });
}

/** The nth automation, in the category of tools. */
export function earlierDocument(number: number): object {
  return {
    _id: new UUID(earlierId(number)),
    number,
    category_number: number,
    category_id: 'tools',
    title: `Earlier ${number}`,
    description: 'Was there before',
    price: number * 100,
    currency: 'USD',
    developer_id: 'ada',
    created_at: new Date(number * 1_000),
    idempotency_key: `earlier-${number}`,
    idempotency_key_until: new Date('2100-01-01'),
  };
}

export function earlierId(number: number): string {
  return `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`;
}

/**
 * A process of that time reads the highest number and the page below it, finds a key, and stores the next automation.
 */
export async function workAsEarlier(db: Db): Promise<{ highest: number; titles: readonly string[]; key: string }> {
  const highestOf = {
    aggregate: 'automations',
    pipeline: [{ $match: {} }, { $sort: { number: -1 } }, { $limit: 1 }, { $project: { _id: 0, number: 1 } }],
    cursor: {},
  };
  const { cursor: top } = (await db.command(highestOf)) as { cursor: { firstBatch: { number: number }[] } };
  const highest = top.firstBatch[0]?.number ?? 0;
  await db.command({ insert: 'automations', ordered: true, documents: [earlierDocument(highest + 1)] });
  const range = { find: 'automations', filter: { number: { $gte: 1, $lte: highest + 1 } }, batchSize: 1_000 };
  const { cursor: page } = (await db.command(range)) as { cursor: { firstBatch: { number: number; title: string }[] } };
  const { cursor: keys } = (await db.command({ find: 'api_keys', filter: { hash: 'hash 1' } })) as {
    cursor: { firstBatch: { name: string }[] };
  };
  const titles = page.firstBatch.sort((one, other) => other.number - one.number).map(({ title }) => title);
  return { highest, titles, key: keys.firstBatch[0]?.name ?? '' };
}

/** A process of that time withdraws an automation, and counts that. */
export async function withdrawAsEarlier(db: Db, number: number): Promise<void> {
  const u = { $set: { withdrawn_at: new Date(1), withdrawn_reason: 'Earlier' } };
  await db.command({ update: 'automations', updates: [{ q: { number }, u }] });
  const counted = { $inc: { withdrawn: 1 }, $max: { highest_withdrawn: number } };
  await db.command({ update: 'tallies', updates: [{ q: { _id: '' }, u: counted, upsert: true }] });
}
