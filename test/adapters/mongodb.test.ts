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
import { GroupCommitAutomationRepository } from '../../application/index.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../contracts/index.js';
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

  describe('behind group commit', () => {
    automationRepositoryContract(
      async () => new GroupCommitAutomationRepository(new MongoAutomationRepository(await empty())),
    );
  });
});
