import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { MongoClient as ThisClient } from 'mongodb';
import { MongoClient as EarlierClient } from 'mongodb-6';
import { MongoClient, MongoServerError } from 'mongodb-newest';
import {
  MongoAutomationRepository,
  mongoStorage,
  prepareMongo,
  type MongoStorage,
} from '../../../adapters/mongodb/index.js';
import { isDuplicate } from '../../../adapters/mongodb/failures.js';
import { at, automationIdOf, GAMES, numbers, offer, query, revision, USD } from '../../contracts/offers.js';
import { sample } from '../../contracts/searches.js';
import { everyPartContract } from '../../support/every-contract.js';
import { empty } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { assertAsScanned, fill } from '../../support/searches.js';

describeMongo('MongoDB through another copy of the driver, the newest one', (url) => {
  let client: MongoClient;
  let open: MongoStorage | undefined;
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

  const fresh = async (): Promise<MongoStorage> => {
    await open?.close();
    await empty(client.db(name));
    return (open = mongoStorage(client.db(name)));
  };

  it('is another copy', () => {
    expect(MongoClient).not.to.equal(ThisClient);
    expect(isDuplicate(new MongoServerError({ code: 11_000 }))).to.equal(true);
  });

  everyPartContract(fresh);

  it('finds what a search that reads everything finds, after revisions and withdrawals', async () => {
    const storage = await fresh();
    await fill(storage, 300);
    for (const n of numbers(300).filter((each) => each % 11 === 0))
      await storage.automations.withdraw(automationIdOf(n), { at: at(n), by: 'developer' });
    for (const n of numbers(300).filter((each) => each % 13 === 5 && each % 11 !== 0))
      await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
    await assertAsScanned(storage);
  });

  it('rejects as unavailable when its client is closed', async () => {
    const other = new MongoClient(url());
    const { automations } = mongoStorage(other.db(name));
    await automations.list(query(1, 1));
    await other.close();
    for (const call of [automations.list(query(1, 1)), automations.add([offer(1)])])
      expect(await call.catch((error: unknown) => error)).to.have.property('kind', 'unavailable');
  });
});

describe('A Db of the driver 6, such as that of Mongoose 8', () => {
  it('is refused at once by storage, repository and preparation, with the version that is needed', async () => {
    const client = new EarlierClient('mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100');
    const db = client.db('market');
    const sentence = new RegExp(
      '^This Db is of version 6\\.\\d+\\.\\d+ of the driver mongodb, and version 7 is needed\\. ' +
        'With Mongoose, use version 9\\.$',
    );
    expect(() => mongoStorage(db)).to.throw(TypeError, sentence);
    expect(() => new MongoAutomationRepository(db as never)).to.throw(TypeError, sentence);
    const refusal: unknown = await prepareMongo(db as never).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(TypeError).with.property('message').that.matches(sentence);
    await client.close();
  });
});
