import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import type { Difference } from '../../../domain/ports.js';
import { at, automation, automationIdOf, numbers, offer, query, revise, store } from '../../contracts/offers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { eventually } from '../../support/replica-set.js';

describeMongo('The counts of automations in MongoDB', function (url) {
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

  it('the marks of revisions are removed, also in a store of few automations', async () => {
    await store(automations, offer(1), offer(2));
    let last = automation(1);
    for (const n of numbers(20)) last = (await revise(automations, last, { title: `Title ${n}` })).automation;
    await automations.withdraw(automationIdOf(2), { at: at(30), by: 'developer' });
    await automations.list(query(1, 10));
    const marked = () => db.collection('automations').countDocuments({ marks: { $exists: true } });
    await eventually(async () => expect(await marked()).to.equal(0), 5_000);
    const { items, total } = await automations.list(query(1, 10));
    expect([items.map(({ id }) => id), total]).to.deep.equal([[automationIdOf(1)], 1]);
  });

  it('a list shows what was created after another automation was removed by hand', async () => {
    await store(automations, offer(1), offer(2));
    await automations.list(query(1, 10));
    await db.collection('automations').deleteOne({ title: 'Automation 1' });
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
