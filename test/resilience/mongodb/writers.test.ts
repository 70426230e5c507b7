import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import { at, automationIdOf, numbers, offer, query, store } from '../../contracts/offers.js';
import { Wire } from '../../integration/mongodb/plans.js';
import { race } from './writers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

const SECONDS = 2;

describeMongo('Several writers on one MongoDB database', function (url) {
  const databases = new ScratchDatabases();
  let dbs: readonly Db[] = [];
  const open = async (count: number, at = url()): Promise<readonly Db[]> => {
    const first = await databases.open(at);
    const others = Array.from({ length: count - 1 }, () => databases.another(at, first.databaseName));
    return [first, ...others];
  };
  afterEach(() => databases.release());

  it('see what another has stored and withdrawn meanwhile', async () => {
    dbs = await open(2);
    const [one, other] = dbs.map((db) => new MongoAutomationRepository(db)) as [
      MongoAutomationRepository,
      MongoAutomationRepository,
    ];
    await store(one, offer(1));
    await store(other, offer(2), offer(3));
    await other.withdraw(automationIdOf(2), { at: at(1), by: 'developer' });
    await store(one, offer(4));
    for (const reader of [one, other]) {
      const { items, total } = await reader.list(query(1, 10));
      expect(total).to.equal(3);
      expect(items.map(({ title }) => title)).to.deep.equal(['Automation 4', 'Automation 3', 'Automation 1']);
    }
  });

  it('store in one go as many as went together last time, though they come one after another', async () => {
    dbs = await open(1, monitored(url()));
    const [automations] = dbs.map((db) => new MongoAutomationRepository(db)) as [MongoAutomationRepository];
    const [wire] = dbs.map(({ client }) => new Wire(client));
    await Promise.all(numbers(4).map((n) => store(automations, offer(n))));
    const sent = await wire?.during(async () => {
      const adds: Promise<unknown>[] = [];
      for (const n of [5, 6, 7]) {
        adds.push(store(automations, offer(n)));
        await Promise.resolve();
      }
      await Promise.all(adds);
    });
    expect(sent?.filter(({ document }) => document['insert'] === 'automations')).to.have.length(1);
  });

  for (const [count, share] of [
    [1, 1],
    [2, 0.05],
    [4, 0.02],
  ] as const)
    it(`${count}, each at full speed, lose nothing and keep each one's order; ` + 'none starves', async () => {
      const { figures, violations } = await race(await open(count), SECONDS);
      console.log(
        `      ${Object.entries(figures)
          .map(([figure, value]) => `${figure} ${value}`)
          .join(' · ')}`,
      );
      expect(violations).to.deep.equal([]);
      expect(figures['smallest share']).to.be.at.least(share);
    });
});
