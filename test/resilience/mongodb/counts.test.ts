import { expect } from 'chai';
import type { Db, Document } from 'mongodb';
import { CountsMerge } from '../../../adapters/mongodb/counts-merge.js';
import { mongoStorage, MongoAutomationRepository, type MongoStorage } from '../../../adapters/mongodb/index.js';
import {
  at,
  automation,
  automationIdOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  query,
  revise,
  store,
  TOOLS,
} from '../../contracts/offers.js';
import { storeMany, withdrawal } from '../../contracts/offers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

/** More than one block of counts. */
const COUNT = 700;

/** What hands can do to counts, deltas and the counter. */
const DAMAGES: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'counts deleted': (db) => db.collection('counts').deleteMany({}),
  'counts without fields': (db) => db.collection('counts').updateMany({}, { $unset: { v: '', categories: '' } }),
  'counts of other types': (db) =>
    db.collection('counts').updateMany({}, { $set: { categories: [1, { category: 2 }] } }),
  'counts of one category lost': (db) => db.collection('counts').updateMany({}, { $pop: { categories: 1 } }),
  'counts of numbers that do not exist': (db) =>
    db
      .collection<{ _id: number }>('counts')
      .insertMany([2 ** 40, 0.5, -1, 77].map((_id) => ({ _id, v: 'x', categories: [] }))),
  'deltas deleted': (db) => db.collection('count_deltas').deleteMany({}),
  'deltas changed': (db) =>
    db.collection('count_deltas').updateMany({}, { $inc: { 'changes.0.tools': 5 }, $set: { v: 'x' } }),
  'deltas scrambled': (db) => db.collection('count_deltas').updateMany({}, { $set: { changes: 'x', v: 'x' } }),
  'deltas of any numbers': (db) =>
    db
      .collection('count_deltas')
      .updateMany({}, { $set: { changes: { x: { a: 1 }, '-1': 7, '9': null, '1': { b: 1e9 } }, v: 'y' } }),
  'automations removed': (db) => db.collection('automations').deleteMany({ seq: { $in: [0, 5, 300] } }),
  'a category changed': (db) =>
    db.collection('automations').updateMany({ seq: { $lt: 9 } }, { $set: { category_id: TOOLS } }),
  'the counter deleted': (db) => db.collection('counters').deleteMany({}),
  'the counter behind': (db) => db.collection('counters').updateMany({}, { $set: { next: 10 } }),
  'the counter far ahead': (db) => db.collection('counters').updateMany({}, { $set: { next: 1e15 } }),
  'the counter no number': (db) => db.collection('counters').updateMany({}, { $set: { next: 'x' } }),
};

describeMongo('The counts of automations in MongoDB', function (url) {
  const databases = new ScratchDatabases();
  let db: Db;
  let storages: readonly MongoStorage[] = [];
  beforeEach(async () => {
    db = await databases.open(url());
    storages = [mongoStorage(db), mongoStorage(databases.another(url(), db.databaseName))];
  });
  afterEach(async () => {
    for (const storage of storages) await storage.close();
    await databases.release();
  });
  const [one, other] = [() => storages[0] ?? expect.fail(), () => storages[1] ?? expect.fail()];
  const deltas = () => db.collection<Document & { _id: string }>('count_deltas');

  /** Asserts that lists show the documents that are on sale, in the order of their numbers. */
  const assertRight = async ({ automations }: Pick<MongoStorage, 'automations'>) => {
    const documents = await db.collection('automations').find({ on_sale: true }).sort({ seq: -1 }).toArray();
    for (const category of [undefined, TOOLS, GAMES]) {
      const expected = documents.filter(({ category_id }) => category === undefined || category_id === category);
      const listed: string[] = [];
      for (const number of numbers(Math.ceil(expected.length / 100))) {
        const { items, total } = await automations.list(query(number, 100, category));
        expect(total).to.equal(expected.length);
        listed.push(...items.map(({ id }) => id));
      }
      expect(listed).to.deep.equal(expected.map(({ _id }) => String(_id)));
    }
  };
  const merge = () => new CountsMerge(db, () => expect.fail()).mergeIdle(new Date(Date.now() + 1_000));
  const fill = async () => {
    await storeMany(one().automations, mixedOffers(COUNT));
    await other().automations.withdraw(automationIdOf(3), withdrawal(1));
    await merge();
    await other().automations.withdraw(automationIdOf(4), withdrawal(1));
    await revise(one().automations, automation(7), { categoryId: GAMES });
  };

  for (const [damage, inflict] of Object.entries(DAMAGES))
    it(`are repaired by a check while two processes use them: ${damage}`, async () => {
      await fill();
      for (const storage of storages) await assertRight(storage);
      await inflict(db);
      for (const [n, { automations }] of storages.entries()) {
        for (const number of numbers(COUNT / 100 + 2)) await automations.list(query(number, 100));
        await store(automations, offer(2_000 + n));
        await automations.withdraw(automationIdOf(20 + n), withdrawal(1));
      }
      await one().check({ repair: true });
      for (const storage of [...storages, mongoStorage(db)]) await assertRight(storage);
      expect(await other().check({ repair: false })).to.deep.equal([]);
    });

  it('a check says what differs: which category, which numbers, and how many', async () => {
    await store(one().automations, ...mixedOffers(300));
    await db.collection('automations').deleteMany({ seq: { $in: [4, 6, 256] } });
    const described = async (repair: boolean) => one().check({ repair });
    const found = [
      'category "tools", numbers 0 to 255: counted 128, there are 126',
      'category "tools", numbers 256 to 511: counted 22, there are 21',
    ];
    expect(await described(false)).to.deep.equal(found.map((description) => ({ description, repaired: false })));
    expect(await described(true)).to.deep.equal(found.map((description) => ({ description, repaired: true })));
    expect(await described(true)).to.deep.equal([]);
  });

  it('merged at any time, they are the same, and both processes go on', async () => {
    await fill();
    const before = await one().automations.list(query(1, 100));
    expect(await deltas().countDocuments()).to.be.greaterThan(0);
    await merge();
    expect(await deltas().countDocuments()).to.equal(0);
    const { items, total } = await one().automations.list(query(1, 100));
    expect({ items, total }).to.deep.equal({ items: before.items, total: before.total });
    for (const [n, { automations }] of storages.entries()) await store(automations, offer(3_000 + n));
    for (const storage of storages) await assertRight(storage);
    expect(await one().check({ repair: false })).to.deep.equal([]);
  });

  it('a full delta is not written again, and is merged with the others', async () => {
    for (const n of numbers(300))
      await store(one().automations, offer(n, { categoryId: `category-${n}` as typeof TOOLS }));
    const sizes = (await deltas().find().toArray()).map(
      ({ changes }) => Object.values(changes as Readonly<Record<string, object>>).flatMap(Object.keys).length,
    );
    expect(sizes.toSorted((a, b) => a - b)).to.deep.equal([44, 256]);
    await merge();
    expect((await db.collection('counts').findOne())?.['categories']).to.have.length(300);
    await assertRight(other());
  });

  it('a delta on which a transaction has failed is given up', async () => {
    const [automations] = [new MongoAutomationRepository(db)];
    await store(automations, offer(1));
    const [{ _id: first } = expect.fail()] = await deltas().find().toArray();
    await deltas().updateOne({ _id: first }, { $set: { changes: 'x' } });
    await store(automations, offer(2));
    const ids = (await deltas().find().toArray()).map(({ _id }) => _id);
    expect(ids).to.have.length(2);
    await deltas().updateOne({ _id: first }, { $set: { changes: {} } });
    await store(automations, offer(3));
    const given = await deltas().findOne({ _id: first });
    expect(given?.['changes'], 'it is not used again').to.deep.equal({});
    await automations.stop();
  });

  it('two processes that add, revise and withdraw at full speed abort no transaction', async () => {
    const clients = [1, 2].map(() => databases.another(monitored(url()), db.databaseName));
    const aborted: string[] = [];
    for (const { client } of clients)
      client.on('commandStarted', ({ commandName }) => {
        if (commandName === 'abortTransaction') aborted.push(commandName);
      });
    const both = clients.map((each) => mongoStorage(each));
    const caller = async ({ automations }: MongoStorage, first: number) => {
      for (let n = first; n < first + 20; n += 1) {
        await store(automations, offer(n));
        const { automation: revised } = await revise(automations, automation(n), { title: 'x', categoryId: GAMES });
        await revise(automations, revised, { title: 'y' });
        if (n % 2 === 0) await automations.withdraw(revised.id, withdrawal(1));
      }
    };
    await Promise.all(both.flatMap((each, n) => numbers(8).map((m) => caller(each, 1_000 * n + 100 * m))));
    expect(aborted).to.deep.equal([]);
    expect((await one().automations.list(query(1, 1))).total).to.equal(160);
    expect(await one().check({ repair: false })).to.deep.equal([]);
    for (const each of both) await each.close();
  });

  it('a list shows what was created after another automation was removed by hand', async () => {
    const { automations } = one();
    await store(automations, offer(1), offer(2));
    await automations.list(query(1, 10));
    await db.collection('automations').deleteOne({ title: 'Automation 1' });
    await store(automations, offer(3));
    const { items } = await automations.list(query(1, 10));
    expect(items.map(({ title }) => title)).to.deep.equal(['Automation 3', 'Automation 2']);
  });

  it('a revision changes the state, also when it counts nothing', async () => {
    const { automations } = one();
    await store(automations, offer(1));
    await automations.list(query(1, 10));
    await revise(other().automations, automation(1, { createdAt: at(0) }), { title: 'Other' });
    expect((await automations.list(query(1, 10))).items.map(({ title }) => title)).to.deep.equal(['Other']);
  });
});
