import { expect } from 'chai';
import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAutomationRepository,
  MongoCategoryRepository,
  newMongoClient,
  recordCurrency,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { ApiKeyId } from '../../../domain/api-key.js';
import type { AutomationId } from '../../../domain/automation.js';
import { at, automationIdOf, offer, query, TOOLS } from '../../contracts/offers.js';
import { earlierId, makeEarlierStore, prepareAsEarlier, withdrawAsEarlier, workAsEarlier } from './earlier-store.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';

describeMongo('A MongoDB store and two versions of the program', () => {
  let db: Db;
  beforeEach(async () => {
    db = newMongoClient(await newMongoUrl()).db();
    await makeEarlierStore(db);
  });
  afterEach(async () => {
    await db.dropDatabase();
    await db.client.close();
  });

  const titles = async (automations: MongoAutomationRepository) =>
    (await automations.list(query(1, 100))).items.map(({ title }) => title);
  /** As several processes that start at once run it, and again. */
  const prepare = async () => {
    await Promise.all([1, 2, 3].map(() => prepareMongo(db)));
    await prepareMongo(db);
  };

  it('goes on from where the earlier one was, with all that it has', async () => {
    await prepare();
    const automations = new MongoAutomationRepository(db);
    expect(await titles(automations)).to.deep.equal(['Earlier 3', 'Earlier 2', 'Earlier 1']);
    expect(await automations.find(earlierId(2) as AutomationId)).to.deep.include({
      title: 'Earlier 2',
      createdAt: new Date(2_000),
    });
    const [again, fresh] = await automations.add([offer(8, { key: 'earlier-1' }), offer(9)]);
    expect(again).to.have.property('outcome', 'earlier');
    expect(fresh).to.deep.equal({ outcome: 'stored' });
    expect(await automations.withdraw(earlierId(2) as AutomationId, { at: at(1) })).to.equal('withdrawn');
    expect(await titles(automations)).to.deep.equal(['Automation 9', 'Earlier 3', 'Earlier 1']);
    expect(await automations.countByCategory()).to.deep.equal(new Map([[TOOLS, 3]]));
    expect(await new MongoApiKeyRepository(db).find('key-1' as ApiKeyId)).to.include({
      name: 'One',
      developerId: 'ada',
    });
    expect(await new MongoCategoryRepository(db).list()).to.have.length(2);
    expect(await recordCurrency(db, 'EUR')).to.equal('USD');
  });

  it('lets the earlier one read and store, and takes that over at the next start', async () => {
    await prepare();
    const automations = new MongoAutomationRepository(db);
    await automations.add([offer(4, { key: 'four' }), offer(5)]);
    await prepareAsEarlier(db);
    const seen = await workAsEarlier(db);
    expect(seen).to.deep.equal({
      highest: 3,
      titles: ['Earlier 4', 'Earlier 3', 'Earlier 2', 'Earlier 1'],
      key: 'One',
    });
    expect(await titles(automations)).to.have.length(5);
    await withdrawAsEarlier(db, 2);
    await prepare();
    await automations.add([offer(7)]);
    expect(await titles(automations)).to.deep.equal([
      'Automation 7',
      'Earlier 4',
      'Automation 5',
      'Automation 4',
      'Earlier 3',
      'Earlier 1',
    ]);
  });

  it('does not bring back what was removed here', async () => {
    await prepare();
    await db.collection('automations_v2').deleteOne({ seq: 2 });
    await prepare();
    expect(await titles(new MongoAutomationRepository(db))).to.deep.equal(['Earlier 3', 'Earlier 1']);
  });

  it('leaves alone what a later one has added: fields, indexes and collections', async () => {
    await prepare();
    const automations = new MongoAutomationRepository(db);
    await automations.add([offer(4)]);
    const before = await automations.find(automationIdOf(4));
    for (const name of ['automations_v2', 'chapters', 'api_keys', 'settings', 'counters'])
      await db.collection(name).updateMany({}, { $set: { later: { of: ['another', 'kind'] } } });
    await db.collection('later').insertOne({ some: 'thing' });
    await db.collection('automations_v2').createIndexes([{ key: { later: 1 }, name: 'later' }]);
    await prepare();
    expect(await new MongoAutomationRepository(db).find(automationIdOf(4))).to.deep.equal(before);
    expect(await automations.withdraw(automationIdOf(4), { at: at(1) })).to.equal('withdrawn');
    expect(await titles(new MongoAutomationRepository(db))).to.have.length(3);
    expect(Object.keys((await new MongoApiKeyRepository(db).find('key-1' as ApiKeyId)) ?? {})).not.to.include('later');
    expect((await new MongoCategoryRepository(db).list())[0]).to.have.all.keys('id', 'name');
    expect(await db.collection('later').countDocuments()).to.equal(1);
    expect(await db.collection('automations_v2').countDocuments({ later: { $exists: true } })).to.equal(4);
    expect((await db.collection('automations_v2').indexes()).map(({ name }) => name)).to.include('later');
  });
});
