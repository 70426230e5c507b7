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
} from '../../../adapters/mongodb/index.js';
import { DomainError } from '../../../domain/errors.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../../contracts/index.js';
import { offer, query } from '../../contracts/offers.js';
import { empty } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';

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

  /** Quicker than a new one. */
  const emptied = async (): Promise<Db> => {
    await empty(db);
    return db;
  };

  automationRepositoryContract(async () => new MongoAutomationRepository(await emptied()));
  categoryRepositoryContract(async () => new MongoCategoryRepository(await emptied()));
  apiKeyRepositoryContract(async () => new MongoApiKeyRepository(await emptied()));
  developerRepositoryContract(async () => new MongoDeveloperRepository(await emptied()));
  sessionRepositoryContract(async () => new MongoSessionRepository(await emptied()));
  auditLogContract(async () => new MongoAuditLog(await emptied()));

  it('whose automations somebody has removed by hand fails to list them, and does not try for ever', async () => {
    const automations = new MongoAutomationRepository(await emptied());
    await automations.add([offer(1), offer(2), offer(3)]);
    await db.collection('automations').deleteOne({ number: 2 });
    const failure: unknown = await automations.list(query(1, 10)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DomainError).with.property('code', 'store-unsettled');
    expect((await automations.list(query(1, 1))).items).to.have.length(1);
  });

  it('whose tallies do not agree with what is withdrawn fails to list, and does not try for ever', async () => {
    const automations = new MongoAutomationRepository(await emptied());
    await automations.add([offer(1), offer(2)]);
    await db.collection<{ _id: string }>('tallies').insertOne({ _id: '', withdrawn: 1, highest_withdrawn: 1 } as never);
    const failure: unknown = await automations.list(query(1, 10)).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DomainError).with.property('code', 'store-unsettled');
  });
});
