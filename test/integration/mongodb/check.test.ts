import { expect } from 'chai';
import { MongoClient, UUID, type Binary, type CommandStartedEvent, type Db } from 'mongodb';
import { mongoStorage, newMongoClient, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { automationIdOf, numbers, offer, offerWithFile, query, storeMany, USD } from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo, dropWithSessions } from '../../support/mongodb.js';

/** The automations that a check reads at once, as no other call does. */
const LOT_SIZE = 200;

describeMongo('A check of a MongoDB store', () => {
  let url: string;
  let db: Db;
  let storage: MongoStorage;
  beforeEach(async () => {
    url = await newMongoUrl();
    db = newMongoClient(url).db();
    storage = mongoStorage(db);
    await storage.prepare({ currency: USD });
  });
  afterEach(async () => {
    await storage.close();
    await dropWithSessions(db);
    await db.client.close();
  });

  /** Returns the names of the indexes, but for those that each collection has. */
  const indexes = async (): Promise<readonly (readonly [collection: string, name: string])[]> => {
    const found: (readonly [string, string])[] = [];
    for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray())
      for (const { name = '' } of await db.collection(collection).listIndexes().toArray())
        if (name !== '_id_') found.push([collection, name]);
    return found.sort();
  };

  it('names each index that is gone, and makes it', async () => {
    await storage.automations.add([offer(1)]);
    const before = await indexes();
    expect(before.length).to.be.above(25);
    for (const [collection, name] of before) await db.collection(collection).dropIndex(name);
    const told = (repaired: boolean) =>
      before.map(([collection, name]) => ({ description: `the index ${name} of ${collection} is missing`, repaired }));
    expect(await storage.check({ repair: false })).to.have.deep.members(told(false));
    expect(await storage.check({ repair: true })).to.have.deep.members(told(true));
    expect(await indexes()).to.deep.equal(before);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    expect((await storage.automations.list(query(1, 10))).total).to.equal(1);
  });

  it('names a unique index that documents forbid, with the reason', async () => {
    await storage.automations.add([offer(1), offer(2)]);
    await db.collection('automations').dropIndex('idempotency_key');
    await db.collection('automations').updateMany({}, { $set: { idempotency_key: 'one', developer_id: 'ada' } });
    const [told] = await storage.check({ repair: true });
    const description =
      'the index idempotency_key of automations is missing, and cannot be made: several documents have the same values';
    expect(told).to.deep.equal({ description, repaired: false });
  });

  it('tells of bytes that are gone, and of others that belong to nothing, which it removes', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    await storage.automations.add([offer(1), ...[2, 3, 4].map((n) => offerWithFile(n, bytes))]);
    expect(await storage.check({ repair: true })).to.deep.equal([]);
    const files = db.collection<{ _id: Binary | string }>('automation_files');
    const ids = [1, 3].map((n) => new UUID(automationIdOf(n)));
    await files.deleteOne({ _id: ids[1] as Binary });
    await files.insertMany([{ _id: ids[0] as Binary }, { _id: new UUID(automationIdOf(9)) }]);
    const missing = {
      description: `1 automation has a file whose bytes are missing: ${automationIdOf(3)}`,
      repaired: false,
    };
    const surplus = (repaired: boolean) => ({ description: '2 files belong to no automation on sale', repaired });
    expect(await storage.check({ repair: false })).to.have.deep.members([missing, surplus(false)]);
    expect(await storage.check({ repair: true })).to.have.deep.members([missing, surplus(true)]);
    expect(await storage.check({ repair: true })).to.deep.equal([missing]);
    for (const n of [2, 4]) expect((await storage.automations.readFile(automationIdOf(n)))?.length).to.equal(3);
  });

  it('waits for a create that comes meanwhile, and takes no connection from it', async () => {
    await storeMany(
      storage.automations,
      numbers(1_500).map((n) => offer(n)),
    );
    const narrow = new URL(url);
    narrow.searchParams.set('maxPoolSize', '1');
    const client = new MongoClient(narrow.href, { monitorCommands: true });
    const one = mongoStorage(client.db());
    let reads = 0;
    let tell: () => void = () => undefined;
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (commandName !== 'find' || command['limit'] !== LOT_SIZE) return;
      reads += 1;
      tell();
    });
    const second = new Promise<void>((resolve) => (tell = () => (reads === 2 ? resolve() : undefined)));
    const checking = one.check({ repair: true });
    await second;
    const before = reads;
    await one.automations.add([offer(2_000)]);
    expect(reads - before, 'reads of the check during the create').to.equal(0);
    expect(await checking).to.deep.equal([]);
    expect(reads).to.be.above(6);
    await one.close();
    await client.close();
  });
});
