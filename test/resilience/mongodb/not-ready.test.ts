import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoOAuthRecords,
  MongoSessionRepository,
  newMongoClient,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { Storage } from '../../../domain/ports.js';
import { addOne, numbers, offer } from '../../contracts/offers.js';
import { FIRST_WRITES } from '../../contracts/storage-unprepared.js';
import { RECORD_WRITES } from '../../contracts/oauth-calls.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo } from '../../support/mongodb.js';

/** Single repositories, as a host makes them. */
function repositoriesOf(db: Db) {
  return {
    automations: new MongoAutomationRepository(db),
    categories: new MongoCategoryRepository(db),
    keys: new MongoApiKeyRepository(db),
    developers: new MongoDeveloperRepository(db),
    sessions: new MongoSessionRepository(db),
    auditLog: new MongoAuditLog(db),
  } as Partial<Storage> as Storage;
}

describeMongo('A MongoDB database that was not prepared', (url) => {
  let client: ReturnType<typeof newMongoClient>;
  let db: Db;
  beforeEach(() => {
    client = newMongoClient(url());
    db = client.db(`test-${randomUUID()}`);
  });
  afterEach(async () => {
    await db.dropDatabase();
    await client.close();
  });

  it('takes no first write of any single repository, and nothing is in it', async () => {
    const writes = [
      ...Object.entries(FIRST_WRITES).map(([name, write]) => [name, () => write(repositoriesOf(db))] as const),
      ...Object.entries(RECORD_WRITES).map(([name, write]) => [name, () => write(new MongoOAuthRecords(db))] as const),
    ];
    for (const [name, write] of writes) {
      const error: unknown = await write().catch((reason: unknown) => reason);
      expect(error, name).to.include({ kind: 'unavailable', code: 'not-prepared' });
      expect(String(error), name).to.include('prepare({ currency }) of the storage, or prepareMongo(db)');
    }
    expect(await db.listCollections().toArray()).to.deep.equal([]);
  });

  it('stores one automation of 30 with one key, once another process has prepared it', async () => {
    const repositories = [repositoriesOf(db), repositoriesOf(client.db(db.databaseName))];
    const add = (n: number) => addOne((repositories[n % 2] ?? expect.fail()).automations, offer(n, { key: 'key' }));
    await Promise.all(numbers(30).map((n) => add(n).catch(() => undefined)));
    const other = newMongoClient(url());
    await prepareMongo(other.db(db.databaseName));
    await other.close();
    const outcomes = await Promise.all(numbers(30).map(add));
    expect(outcomes.filter(({ outcome }) => outcome === 'stored')).to.have.length(1);
    expect(await db.collection('automations').countDocuments()).to.equal(1);
  });

  it('is asked once for many writes', async () => {
    await prepareMongo(db);
    const watched = newMongoClient(monitored(url()));
    let looks = 0;
    const counting = watched.db(db.databaseName);
    const { categories, keys, automations } = repositoriesOf(counting);
    watched.on('commandStarted', ({ command }) => {
      const { find, filter } = command as { readonly find?: string; readonly filter?: { readonly _id?: string } };
      if (find === 'settings' && filter?._id === 'schema') looks += 1;
    });
    await Promise.all(numbers(20).map((n) => addOne(automations, offer(n))));
    for (let n = 0; n < 5; n += 1) await categories.save([{ id: 'tools' as never, name: `Tools ${n}` }]);
    expect(await keys.list({ limit: 1 })).to.deep.equal([]);
    await watched.close();
    expect(looks).to.equal(1);
  });
});
