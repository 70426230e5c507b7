import { expect } from 'chai';
import type { Db, Document } from 'mongodb';
import { CountsMerge } from '../../../adapters/mongodb/counts-merge.js';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import type { Automation } from '../../../domain/automation.js';
import type { Storage } from '../../../domain/ports.js';
import {
  at,
  automationIdOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  query,
  revise,
  store,
  TOOLS,
  USD,
} from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';

type Dump = ReadonlyMap<string, readonly Document[]>;

const AUTOMATIONS = 'automations';
const CATEGORIES = [undefined, TOOLS, GAMES];

describeMongo('A MongoDB store that is restored while it is used', function (url) {
  let db: Db;
  let handles: readonly Storage[] = [];
  let older: Dump;
  let newer: Dump;
  let next = 0;

  before(async () => {
    if (url() === '') return;
    db = newMongoClient(await newMongoUrl()).db();
    handles = [mongoStorage(db), mongoStorage(db)];
    const [one, other] = handles as [Storage, Storage];
    await one.prepare({ currency: USD });
    const stored: readonly Automation[] = await fill(one, 1, 700);
    for (const n of [3, 200, 300, 699])
      await other.automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    older = await dump(db, new Date());
    await fill(other, 701, 1_100);
    for (const n of [4, 201, 1_000]) await one.automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    for (const n of [5, 400]) await revise(other.automations, stored[n - 1] as Automation, { categoryId: GAMES });
    newer = await dump(db, new Date(0));
    next = 2_000;
  });
  after(async () => {
    for (const handle of handles) await handle.close();
    await db.dropDatabase();
    await db.client.close();
  });

  /** Asserts that no call fails, and that everything is right after a check, also in a process that starts then. */
  const assertRepaired = async () => {
    const [one, other] = handles as [Storage, Storage];
    for (const { automations } of handles)
      for (const category of CATEGORIES)
        for (const number of numbers(12)) await automations.list(query(number, 100, category));
    const added = [next, next + 1].map((n) => offer(n));
    next += 2;
    await Promise.all([store(one.automations, added[0] ?? offer(0)), store(other.automations, added[1] ?? offer(0))]);
    await one.automations.withdraw(added[0]?.automation.id ?? automationIdOf(0), { at: at(1), by: 'developer' });
    await one.check({ repair: true });
    const late = mongoStorage(db);
    for (const handle of [...handles, late]) await assertRight(db, handle);
    expect(await other.check({ repair: false })).to.deep.equal([]);
    await late.close();
  };

  for (const documents of ['older', 'newer'] as const)
    for (const counts of ['older', 'newer', 'missing'] as const)
      for (const counters of ['older', 'newer', 'missing'] as const)
        it(`is right after a check: ${documents} automations, ${counts} counts, ${counters} counters`, async () => {
          await restore(db, newer, newer, newer);
          const dumps = { older, newer, missing: new Map<string, readonly Document[]>() };
          await restore(db, dumps[documents], dumps[counts], dumps[counters]);
          await assertRepaired();
        });
});

async function fill({ automations }: Storage, from: number, to: number): Promise<readonly Automation[]> {
  const offers = mixedOffers(to).slice(from - 1);
  const half = Math.ceil(offers.length / 2);
  return [
    ...(await store(automations, ...offers.slice(0, half))),
    ...(await store(automations, ...offers.slice(half))),
  ];
}

/** Merges some of the deltas, and returns all that is stored. */
async function dump(db: Db, mergedUpTo: Date): Promise<Dump> {
  await new CountsMerge(db, (error) => expect.fail(String(error))).mergeIdle(mergedUpTo);
  const names = [AUTOMATIONS, 'counts', 'count_deltas', 'counters'];
  const all = names.map(async (name) => [name, await db.collection(name).find().toArray()] as const);
  return new Map(await Promise.all(all));
}

async function restore(db: Db, documents: Dump, counts: Dump, counters: Dump): Promise<void> {
  for (const [name, from] of [
    [AUTOMATIONS, documents],
    ['counts', counts],
    ['count_deltas', counts],
    ['counters', counters],
  ] as const) {
    await db.collection(name).deleteMany({});
    const all = from.get(name) ?? [];
    if (all.length > 0) await db.collection(name).insertMany([...all]);
  }
}

/** Asserts that lists show the documents that are on sale, in the order of their numbers. */
async function assertRight(db: Db, { automations }: Storage): Promise<void> {
  const documents = await db.collection(AUTOMATIONS).find({ on_sale: true }).sort({ seq: -1 }).toArray();
  for (const category of CATEGORIES) {
    const expected = documents.filter(({ category_id }) => category === undefined || category_id === category);
    const listed: string[] = [];
    for (const number of numbers(Math.ceil(expected.length / 100))) {
      const { items, total } = await automations.list(query(number, 100, category));
      expect(total).to.equal(expected.length);
      listed.push(...items.map(({ id }) => id));
    }
    expect(listed).to.deep.equal(expected.map(({ _id }) => String(_id)));
  }
}
