import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { MongoClient as ThisClient } from 'mongodb';
import { MongoClient, MongoServerError } from 'mongodb-newest';
import { mongoStorage } from '../../../adapters/mongodb/index.js';
import { isDuplicate } from '../../../adapters/mongodb/failures.js';
import type { Storage } from '../../../domain/ports.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationArchiveContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../../contracts/index.js';
import { offer, query, USD } from '../../contracts/offers.js';
import { empty } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';

describeMongo('MongoDB through another copy of the driver, the newest one', (url) => {
  let client: MongoClient;
  let open: Storage | undefined;
  const name = `test-${randomUUID()}`;
  before(async () => {
    client = new MongoClient(url(), { serverSelectionTimeoutMS: 2_000 });
    await mongoStorage(client.db(name)).prepare({ currency: USD });
  });
  after(async () => {
    await open?.close();
    await client.db(name).dropDatabase();
    await client.close();
  });

  const fresh = async (): Promise<Storage> => {
    await open?.close();
    await empty(client.db(name));
    return (open = mongoStorage(client.db(name)));
  };

  it('is another copy', () => {
    expect(MongoClient).not.to.equal(ThisClient);
    expect(isDuplicate(new MongoServerError({ code: 11_000 }))).to.equal(true);
  });

  automationRepositoryContract(async () => (await fresh()).automations);
  automationArchiveContract(fresh);
  categoryRepositoryContract(async () => (await fresh()).categories);
  apiKeyRepositoryContract(async () => (await fresh()).keys);
  developerRepositoryContract(async () => (await fresh()).developers);
  sessionRepositoryContract(async () => (await fresh()).sessions);
  auditLogContract(async () => (await fresh()).auditLog);

  it('rejects as unavailable when its client is closed', async () => {
    const other = new MongoClient(url());
    const { automations } = mongoStorage(other.db(name));
    await automations.list(query(1, 1));
    await other.close();
    for (const call of [automations.list(query(1, 1)), automations.add([offer(1)])])
      expect(await call.catch((error: unknown) => error)).to.have.property('kind', 'unavailable');
  });
});
