import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoSessionRepository,
  newMongoClient,
  prepareMongo,
} from '../../adapters/mongodb/index.js';
import { DomainError } from '../../domain/errors.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../contracts/index.js';
import { offer, query } from '../contracts/offers.js';
import { describeMongo } from '../support/mongodb.js';

describeMongo('MongoDB', (url) => {
  let client: MongoClient;
  let db: Db;
  before(async () => {
    client = newMongoClient(url());
    db = client.db(`test-${randomUUID()}`);
    await prepareMongo(db);
  });
  after(async () => {
    if (url() === '') return;
    await db.dropDatabase();
    await client.close();
  });

  /** Emptied, which is quicker than made anew. */
  const empty = async (): Promise<Db> => {
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) await db.collection(name).deleteMany({});
    return db;
  };

  automationRepositoryContract(async () => new MongoAutomationRepository(await empty()));
  categoryRepositoryContract(async () => new MongoCategoryRepository(await empty()));
  apiKeyRepositoryContract(async () => new MongoApiKeyRepository(await empty()));
  developerRepositoryContract(async () => new MongoDeveloperRepository(await empty()));
  sessionRepositoryContract(async () => new MongoSessionRepository(await empty()));
  auditLogContract(async () => new MongoAuditLog(await empty()));

  it('whose automations somebody has removed by hand fails to list them, and does not try for ever', async () => {
    const automations = new MongoAutomationRepository(await empty());
    await automations.add([offer(1), offer(2), offer(3)]);
    await db.collection('automations').deleteOne({ number: 2 });
    const failure: unknown = await automations.list(query(1, 10)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DomainError).with.property('code', 'store-unsettled');
    expect((await automations.list(query(1, 1))).items).to.have.length(1);
  });

  it('whose tallies do not agree with what is withdrawn fails to list, and does not try for ever', async () => {
    const automations = new MongoAutomationRepository(await empty());
    await automations.add([offer(1), offer(2)]);
    await db.collection<{ _id: string }>('tallies').insertOne({ _id: '', withdrawn: 1, highest_withdrawn: 1 } as never);
    const failure: unknown = await automations.list(query(1, 10)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DomainError).with.property('code', 'store-unsettled');
  });
});
