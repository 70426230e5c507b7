import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import type { Difference } from '../../../domain/ports.js';
import { addOne, numbers, offer, query, store } from '../../contracts/offers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { eventually } from '../../support/replica-set.js';

describeMongo('The numbers and counts of automations in MongoDB', function (url) {
  const databases = new ScratchDatabases();
  let db: Db;
  let automations: MongoAutomationRepository;
  beforeEach(async () => {
    db = await databases.open(url());
    automations = new MongoAutomationRepository(db);
  });
  afterEach(async () => {
    await automations.stop();
    await databases.release();
  });

  it('an import that is repeated takes no numbers', async () => {
    const next = async () => (await db.collection('counters').findOne())?.['next'] as number;
    await store(automations, ...numbers(20).map((n) => offer(n)));
    expect(await next()).to.equal(20);
    for (const n of numbers(20)) expect(await addOne(automations, offer(n))).to.deep.equal({ outcome: 'conflict' });
    expect(await next()).to.equal(20);
    await store(automations, offer(21));
    expect(await db.collection('automations_v2').countDocuments({ seq: 20 })).to.equal(1);
  });

  it('a list shows what was created after another automation was removed by hand', async () => {
    await store(automations, offer(1), offer(2));
    await automations.list(query(1, 10));
    await db.collection('automations_v2').deleteOne({ title: 'Automation 1' });
    await store(automations, offer(3));
    const { items, total } = await automations.list(query(1, 10));
    expect(items.map(({ title }) => title)).to.deep.equal(['Automation 3', 'Automation 2']);
    expect(total).to.equal(2);
  });

  it('a background check that fails half-way has told what it corrected', async () => {
    const found: Difference[] = [];
    const other = databases.another(monitored(url()), db.databaseName);
    const checked = new MongoAutomationRepository(other, { onDifference: (difference) => found.push(difference) });
    for (const _id of [0, 1]) await db.collection<{ _id: number }>('chapters').insertOne({ _id });
    other.client.on('commandSucceeded', ({ commandName }) => {
      if (commandName === 'update') void other.client.close();
    });
    await checked.list(query(1, 10));
    await eventually(async () => expect(found).to.have.length(1), 5_000);
    await checked.stop();
  });
});
