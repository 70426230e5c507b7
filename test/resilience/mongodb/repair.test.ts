import { expect } from 'chai';
import { Binary, UUID, type Db, type Document } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
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

describeMongo('A MongoDB store that is damaged while it is used', function (url) {
  let db: Db;
  let handles: readonly Storage[] = [];
  let older: Dump;
  let newer: Dump;
  let next = 0;

  before(async function () {
    this.timeout(30_000);
    if (url() === '') return;
    db = newMongoClient(await newMongoUrl()).db();
    handles = [mongoStorage(db), mongoStorage(db)];
    const [one, other] = handles as [Storage, Storage];
    await one.prepare({ currency: USD });
    const stored: readonly Automation[] = await fill(one, 1, 700);
    for (const n of [3, 200, 300, 699]) await other.automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    older = await settled(db, 2);
    await fill(other, 701, 1_100);
    for (const n of [4, 201, 1_000]) await one.automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    for (const n of [5, 400]) await revise(other.automations, stored[n - 1] as Automation, { categoryId: GAMES });
    newer = await settled(db, 4);
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
    for (const chapters of ['older', 'newer', 'missing'] as const)
      for (const counters of ['older', 'newer', 'missing'] as const)
        it(`by a restore: ${documents} automations, ${chapters} chapters, ${counters} counters`, async () => {
          await restore(db, newer, newer, newer);
          const dumps = { older, newer, missing: new Map<string, readonly Document[]>() };
          await restore(db, dumps[documents], dumps[chapters], dumps[counters]);
          await assertRepaired();
        });

  const chapters = () => db.collection<{ _id: number }>('chapters');
  const automations = () => db.collection(AUTOMATIONS);
  const blocks = (...counts: readonly number[]) => {
    const all = Uint16Array.from({ length: 128 }, (_, n) => counts[n] ?? 0);
    return new Binary(new Uint8Array(all.buffer));
  };
  const DAMAGES: Readonly<Record<string, () => Promise<unknown>>> = {
    'automations removed': () => automations().deleteMany({ seq: { $in: [0, 5, 6, 300, 1_050] } }),
    'all automations of a block removed': () => automations().deleteMany({ seq: { $gte: 256, $lt: 512 } }),
    'copies inside a sealed block and above the counter': async () => {
      const [copied] = await automations().find({ on_sale: true }).limit(1).toArray();
      await automations().deleteOne({ seq: 20 });
      const copies = [20, 5_000].map((seq) => ({ ...copied, _id: new UUID(), seq }));
      await automations().insertMany(copies as Document[]);
    },
    'a category changed without a mark': () =>
      automations().updateMany({ seq: { $lt: 100 } }, { $set: { category_id: TOOLS } }),
    'chapters deleted': () => chapters().deleteMany({}),
    'chapters dropped': () => chapters().drop(),
    'a chapter without fields': () => chapters().replaceOne({ _id: 0 }, {}),
    'a chapter with wrong types': () => chapters().replaceOne({ _id: 0 }, { v: 1, sealed: 'x', counts: {}, folded: 1 }),
    'a chapter with broken counts': () =>
      chapters().updateOne({ _id: 0 }, { $set: { v: 'x', counts: [null, { category: 1 }] } }),
    'a chapter with plausible wrong counts': () =>
      chapters().updateOne({ _id: 0 }, { $set: { v: 'y', counts: [{ category: TOOLS, blocks: blocks(1, 2, 3, 4) }] } }),
    'a chapter with wrong counts and the same v': () =>
      chapters().updateOne({ _id: 0 }, { $set: { counts: [{ category: TOOLS, blocks: blocks(9, 9, 9, 9) }] } }),
    'a chapter that is sealed too far': () => chapters().updateOne({ _id: 0 }, { $set: { v: 'z', sealed: 100 } }),
    'a chapter that is sealed less far': () => chapters().updateOne({ _id: 0 }, { $set: { v: 'z', sealed: 1 } }),
    'chapters of numbers that do not exist': () =>
      chapters().insertMany([2 ** 40, 0.5, -1].map((_id) => ({ _id, v: 'x', sealed: 3, counts: [], folded: [] }))),
    'counters deleted': () => db.collection('counters').deleteMany({}),
    'the counter behind': () => db.collection('counters').updateMany({}, { $set: { next: 10 } }),
    'the counter far ahead': () => db.collection('counters').updateMany({}, { $set: { next: 1e9 } }),
    'the counter below zero': () => db.collection('counters').updateMany({}, { $set: { next: -5 } }),
    'the counter no number': () => db.collection('counters').updateMany({}, { $set: { next: 'x' } }),
    'marks that are no list': () => automations().updateMany({ seq: { $lt: 3 } }, { $set: { marks: 'x' } }),
  };
  for (const [damage, inflict] of Object.entries(DAMAGES))
    it(`by ${damage}`, async () => {
      await restore(db, newer, newer, newer);
      for (const { automations: list } of handles) await list.list(query(1, 1));
      await inflict();
      await assertRepaired();
    });

  it('is repaired by a process that starts, without a command', async function () {
    this.timeout(20_000);
    await restore(db, newer, newer, newer);
    await automations().deleteMany({ seq: { $gte: 10, $lt: 40 } });
    await chapters().updateOne({ _id: 0 }, { $set: { v: 'x' } });
    const late = mongoStorage(db);
    for (let tries = 0; tries < 100; tries += 1) {
      const { total } = await late.automations.list(query(1, 1));
      if (total === (await automations().countDocuments({ on_sale: true }))) break;
      await setTimeout(100);
    }
    await assertRight(db, late);
    await late.close();
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

/** Waits until so many blocks are sealed and their marks folded, and returns all that is stored. */
async function settled(db: Db, sealed: number): Promise<Dump> {
  const marked = { marks: { $exists: true }, seq: { $lt: sealed * 256 } };
  for (;;) {
    const isSealed = (await db.collection('chapters').countDocuments({ sealed })) === 1;
    if (isSealed && (await db.collection(AUTOMATIONS).countDocuments(marked)) === 0) break;
    await setTimeout(50);
  }
  const names = [AUTOMATIONS, 'chapters', 'counters'];
  const all = names.map(async (name) => [name, await db.collection(name).find().toArray()] as const);
  return new Map(await Promise.all(all));
}

async function restore(db: Db, documents: Dump, chapters: Dump, counters: Dump): Promise<void> {
  for (const [name, from] of [
    [AUTOMATIONS, documents],
    ['chapters', chapters],
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
