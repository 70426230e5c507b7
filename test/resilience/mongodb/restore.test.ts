import { expect } from 'chai';
import type { CollectionInfo, Db, Document, IndexDescriptionInfo } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAutomationArchive,
  MongoAutomationRepository,
  MongoOAuthRecords,
  newMongoClient,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import { apiKey, keyIdOf } from '../../contracts/keys.js';
import {
  addOne,
  at,
  automation,
  automationIdOf,
  mixedOffers,
  offer,
  query,
  store,
  summary,
} from '../../contracts/offers.js';
import { assertThere, record, recordIdOf } from '../../contracts/records.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';

/** What mongodump keeps of a collection: its documents, its indexes and its options. */
interface Dumped {
  readonly info: CollectionInfo;
  readonly indexes: readonly IndexDescriptionInfo[];
  readonly documents: readonly Document[];
}

async function dump(db: Db, wanted: (name: string) => boolean = () => true): Promise<readonly Dumped[]> {
  const infos = await db.listCollections<CollectionInfo>().toArray();
  return Promise.all(
    infos
      .filter(({ name }) => wanted(name))
      .map(async (info) => ({
        info,
        indexes: await db.collection(info.name).indexes(),
        documents: await db.collection(info.name).find({}, { promoteValues: false }).toArray(),
      })),
  );
}

async function restore(db: Db, dumped: readonly Dumped[]): Promise<void> {
  for (const { info, indexes, documents } of dumped) {
    await db.createCollection(info.name, info.options);
    await db.command({ createIndexes: info.name, indexes });
    if (documents.length > 0) await db.collection(info.name).insertMany([...documents]);
  }
}

describeMongo('A MongoDB store that is restored', () => {
  let from: Db;
  let to: Db;
  beforeEach(async () => {
    [from, to] = [newMongoClient(await newMongoUrl()).db(), newMongoClient(await newMongoUrl()).db()];
    await prepareMongo(from);
    await store(new MongoAutomationRepository(from), ...mixedOffers(6), offer(7, { key: 'key' }));
    await new MongoAutomationRepository(from).withdraw(automationIdOf(4), {
      at: at(1),
      by: 'operator',
      reason: 'No 4',
    });
    await new MongoApiKeyRepository(from).add({ key: apiKey(1), entries: [] });
    await new MongoOAuthRecords(from).upsert(record(1, { grantId: 'grant' }));
    await new MongoOAuthRecords(from).consume('app', recordIdOf(1), at(1));
  });
  afterEach(async () => {
    for (const db of [from, to]) {
      await db.dropDatabase();
      await db.client.close();
    }
  });

  const assertGoesOn = async () => {
    await prepareMongo(to);
    const automations = new MongoAutomationRepository(to);
    await automations.check(true);
    const onSale = mixedOffers(7)
      .map((one) => summary(one.automation))
      .filter(({ id }) => id !== automationIdOf(4))
      .reverse();
    expect(await automations.list(query(1, 10))).to.deep.include({ items: onSale, total: 6 });
    const withdrawn = await new MongoAutomationArchive(to).findAny(automationIdOf(4));
    expect(withdrawn?.withdrawn).to.deep.equal({ at: at(1), by: 'operator', reason: 'No 4' });
    expect(await new MongoApiKeyRepository(to).find(keyIdOf(1))).to.deep.equal(apiKey(1));
    await assertThere(new MongoOAuthRecords(to), record(1, { grantId: 'grant', consumedAt: at(1) }));
    expect(await addOne(automations, offer(8, { key: 'key' }))).to.deep.equal({
      outcome: 'earlier',
      automation: automation(7),
    });
    await store(automations, offer(8), offer(9));
    expect(await automations.list(query(1, 2))).to.deep.include({
      items: [9, 8].map((n) => summary(automation(n))),
      total: 8,
    });
  };

  it('is served, and goes on from where it was', async () => {
    await restore(to, await dump(from));
    await assertGoesOn();
  });

  for (const missing of ['counts', 'count_deltas', 'counters', 'writing_sessions'])
    it(`needs no ${missing}, but for a check`, async () => {
      await restore(to, await dump(from, (name) => name !== missing));
      await assertGoesOn();
    });
});
