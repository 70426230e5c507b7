import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { mongoStorage, newMongoClient, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { apiKey } from '../../contracts/keys.js';
import { at, automationIdOf, offer, query, revise, store, USD, withdrawal } from '../../contracts/offers.js';
import { describeMongod } from '../../support/mongodb.js';
import { ReplicaSet } from '../../support/replica-set.js';

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/** Each kind of write: in a transaction, and alone. */
const ACTIONS: Readonly<Record<string, (storage: MongoStorage) => Promise<unknown>>> = {
  'an automation is added': ({ automations }) => automations.add([offer(2)]),
  'an automation is withdrawn': ({ automations }) => automations.withdraw(automationIdOf(1), withdrawal(1)),
  'a key is added': ({ keys }) => keys.add({ key: apiKey(2), entries: [] }),
  'the use of a key is noted': ({ keys }) => keys.noteUse(apiKey(1).id, at(5)),
};

describeMongod('MongoDB: a server that has no room', () => {
  let set: ReplicaSet;
  let client: MongoClient;
  let storage: MongoStorage;
  before(async () => {
    set = await ReplicaSet.start(1, undefined, { options: ['--setParameter', 'enableTestCommands=1'] });
    client = newMongoClient(set.url);
    storage = mongoStorage(client.db('market'));
    await storage.prepare({ currency: USD });
    await storage.keys.add({ key: apiKey(1), entries: [] });
    await store(storage.automations, offer(1));
  });
  after(async () => {
    await storage.close();
    await client.close();
    await set.stop();
  });
  afterEach(() => writesFail('off'));

  /** Has the server refuse every write with this code, or none. Returns, among others, how many it has refused. */
  const writesFail = (mode: 'alwaysOn' | 'off', errorCode = 0) => {
    const data = mode === 'off' ? {} : { failCommands: WRITES, errorCode };
    return client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  };

  for (const [what, act] of Object.entries(ACTIONS))
    it(`refuses at once when ${what}, is read, and is read-only until a write succeeds`, async () => {
      const before = await writesFail('alwaysOn', 14_031);
      const failure: unknown = await act(storage).catch((error: unknown) => error);
      expect(failure).to.include({ kind: 'unavailable', code: 'store-full' });
      expect((failure as Error).message).to.match(/^the MongoDB store has no room left: /);
      expect((failure as Error).cause).to.include({ code: 14_031 });
      expect(await storage.ping()).to.equal('read-only');
      expect((await storage.automations.list(query(1, 10))).total).to.equal(1);
      const after = await writesFail('off');
      expect(after['count'] - before['count'], 'tries').to.equal(1);
      await storage.keys.rename(apiKey(1).id, { name: 'a write', entries: [] });
      expect(await storage.ping()).to.equal('ready');
    });

  it('is read-only while an administrator has blocked writes, and says so', async () => {
    await writesFail('alwaysOn', 371);
    const failure: unknown = await revise(storage.automations, offer(1).automation, {}).catch((e: unknown) => e);
    expect(failure).to.include({ kind: 'unavailable', code: 'store-read-only' });
    expect((failure as Error).message).to.match(/^the MongoDB store takes no writes at the moment: /);
    expect(await storage.ping()).to.equal('read-only');
    await writesFail('off');
    await storage.keys.rename(apiKey(1).id, { name: 'a write', entries: [] });
    expect(await storage.ping()).to.equal('ready');
  });
});
