import { expect } from 'chai';
import type { Db } from 'mongodb';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { mongoStorage, newMongoClient, type MongoStorage } from '../../../adapters/mongodb/index.js';
import type { MongoStorageSettings } from '../../../adapters/mongodb/index.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { at, automationIdOf, GAMES, numbers, revision, USD } from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo, describeMongod } from '../../support/mongodb.js';
import { eventually, ReplicaSet } from '../../support/replica-set.js';
import { sample, sampleOffer, searched } from '../../contracts/searches.js';
import { assertAsScanned, fill } from '../../support/searches.js';

const ALL = { page: { number: 1, limit: 100 }, order: 'newest', terms: searchTerms('s') } as const;
const AUTOMATIONS = 'automations';

const automations = (db: Db) => db.collection(AUTOMATIONS);

/** What hands and processes of another version can do to words. */
const DAMAGES: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'all words removed': (db) => automations(db).updateMany({}, { $unset: { words: '' } }),
  'some words removed': (db) => automations(db).updateMany({ seq: { $lt: 50 } }, { $unset: { words: '' } }),
  'no list of words': (db) => automations(db).updateMany({ seq: 3 }, { $unset: { 'words.all': '' } }),
  'wrong words': (db) => automations(db).updateMany({}, { $set: { 'words.all': ['sx', 'invoice'] } }),
  'words of no type': (db) => automations(db).updateMany({ seq: 7 }, { $set: { words: 'x' } }),
  'words of a title scrambled': (db) => automations(db).updateMany({}, { $set: { 'words.title': ['send'] } }),
  'words by an older rule': (db) => automations(db).updateMany({}, { $set: { 'words.rule': 1, 'words.all': [] } }),
  'the index of words dropped': (db) => automations(db).dropIndex('words'),
  'the index of rules dropped': (db) => automations(db).dropIndex('word_rule'),
};

describeMongo('Searches in MongoDB find what a search that reads everything finds', () => {
  let url: string;
  let db: Db;
  const opened: MongoStorage[] = [];

  beforeEach(async () => {
    url = await newMongoUrl();
    db = newMongoClient(url).db();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await db.dropDatabase();
    await db.client.close();
  });

  const open = async (settings?: MongoStorageSettings) => {
    const storage = mongoStorage(db, settings);
    opened.push(storage);
    await storage.prepare({ currency: USD });
    return storage;
  };

  const assertRight = async (storage: MongoStorage) => {
    for (const order of ['newest', 'best'] as const) {
      const query = { ...ALL, order };
      expect(await searched(storage.search, query)).to.deep.equal(
        await new ScanningSearch(storage.archive).search(query),
      );
    }
  };

  /** Adds a market with revisions and withdrawals. */
  const fillAndChange = async (storage: MongoStorage, count: number) => {
    await fill(storage, count);
    for (const n of numbers(count).filter((each) => each % 11 === 0))
      await storage.automations.withdraw(automationIdOf(n), { at: at(n), by: 'developer' });
    for (const n of numbers(count).filter((each) => each % 13 === 5 && each % 11 !== 0))
      await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
  };

  it('in every order, with every filter, after revisions and withdrawals', async () => {
    const storage = await open();
    await fillAndChange(storage, 700);
    await assertAsScanned(storage);
  });

  for (const [name, inflict] of Object.entries(DAMAGES))
    it(`after damage while two handles are in use, and a repair: ${name}`, async () => {
      const [one, other] = [await open(), await open()];
      await fill(one, 600);
      await assertRight(one);
      await inflict(db);
      for (const [n, each] of [one, other].entries()) {
        await each.automations.add([sampleOffer(2_000 + n)]);
        await each.automations.withdraw(automationIdOf(10 + n), { at: at(n), by: 'developer' });
        await each.automations.revise(revision(sample(20 + n), { title: 'slack x' }));
      }
      await one.check({ repair: true });
      for (const each of [one, other, await open()]) await assertRight(each);
      expect(await one.check({ repair: false })).to.deep.equal([]);
    });

  it('what check says of missing words, of wrong ones and of a missing index', async () => {
    const storage = mongoStorage(db);
    await (await open()).close();
    await fill(storage, 30);
    await automations(db).updateMany({ seq: { $lt: 2 } }, { $unset: { words: '' } });
    await automations(db).updateOne({ seq: 5 }, { $set: { 'words.all': [] } });
    await automations(db).dropIndex('words');
    expect(await storage.check({ repair: false })).to.deep.equal([
      { description: 'the index words of automations is missing', repaired: false },
      { description: 'the words of 3 automations are missing or wrong', repaired: false },
    ]);
    expect((await storage.check({ repair: true })).every(({ repaired }) => repaired)).to.equal(true);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    await storage.close();
  });

  it('when searching by words was off for a while', async () => {
    const first = await open();
    await fill(first, 300);
    await first.close();
    const off = await open({ search: false });
    const failure = await off.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-off' });
    expect((await off.search.search({ page: ALL.page, order: 'price' })).total).to.equal(300);
    await off.automations.add([sampleOffer(301)]);
    await off.automations.revise(revision(sample(5), { title: 'sunday' }));
    await off.close();
    await assertRight(await open());
  });

  it('in a store that never had words, whose index is built while it is in use', async () => {
    const off = await open({ search: false });
    await fill(off, 2_500);
    expect(await automations(db).countDocuments({ words: { $exists: true } })).to.equal(0);
    const names = (await automations(db).indexes()).map(({ name }) => name);
    expect(names).not.to.include('words');
    const storage = await open();
    const failure = await storage.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-incomplete' });
    const added = storage.automations.add([sampleOffer(3_000)]);
    await assertRight(storage);
    expect(await added).to.deep.equal([{ outcome: 'stored' }]);
    await assertRight(storage);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  it('while a process that writes no words adds automations', async () => {
    const [storage, earlier] = [await open(), await open({ search: false })];
    for (const n of numbers(20)) {
      await earlier.automations.add([sampleOffer(n)]);
      await assertRight(storage);
    }
  });

  it('and those of a newer rule are left to a newer process, and found as they are', async () => {
    const storage = await open();
    await fill(storage, 20);
    const later = { $set: { 'words.rule': 9_999_999, 'words.all': ['slalom'] } };
    await automations(db).updateMany({ seq: { $lt: 5 } }, later);
    const terms = searchTerms('slalom');
    expect((await storage.search.search({ ...ALL, terms })).total).to.equal(5);
    expect(await storage.check({ repair: true })).to.deep.equal([]);
    expect(await automations(db).countDocuments({ 'words.rule': 9_999_999 })).to.equal(5);
  });

  it('after a change of the rule, when the words of all are written again in the background', async () => {
    const storage = await open();
    await fill(storage, 1_000);
    await storage.close();
    await automations(db).updateMany({}, { $set: { 'words.rule': 1, 'words.all': ['old'] } });
    const newer = await open();
    await eventually(() => assertRight(newer));
    expect(await newer.check({ repair: false })).to.deep.equal([]);
  });
});

describeMongod('A search in MongoDB that takes too long', () => {
  let set: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(1, undefined, { options: ['--setParameter', 'enableTestCommands=1'] });
  });
  after(() => set.stop());

  it('is rejected, and the message says what to ask for', async () => {
    const client = newMongoClient(set.url);
    const storage = mongoStorage(client.db('market'));
    await storage.prepare({ currency: USD });
    await fill(storage, 10);
    const data = { errorCode: 50, failCommands: ['aggregate'], namespace: `market.${AUTOMATIONS}` };
    await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    const failure = await storage.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-too-slow' });
    expect((await storage.search.search(ALL)).total).to.equal(10);
    await storage.close();
    await client.close();
  });
});
