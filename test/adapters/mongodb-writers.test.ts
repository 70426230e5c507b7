import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoAutomationRepository } from '../../adapters/mongodb/index.js';
import { at, automationIdOf, offer, query, store } from '../contracts/offers.js';
import { strangeIn } from '../mongodb/injection.js';
import { Wire } from '../mongodb/plans.js';
import { race } from '../mongodb/writers.js';
import { monitored } from '../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../support/mongodb.js';

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

  it('give no number again that another has given and withdrawn meanwhile', async () => {
    dbs = await open(2);
    const [one, other] = dbs.map((db) => new MongoAutomationRepository(db)) as [MongoAutomationRepository, MongoAutomationRepository];
    await store(one, offer(1));
    await store(other, offer(2), offer(3));
    await other.withdraw(automationIdOf(2), { at: at(1) });
    await store(one, offer(4));
    for (const reader of [one, other]) {
      const { items, total } = await reader.list(query(1, 10));
      expect(total).to.equal(3);
      expect(items.map(({ title }) => title)).to.deep.equal(['Automation 4', 'Automation 3', 'Automation 1']);
    }
  });

  it('hand on by turns how far the numbers go, so that hardly anybody has to read it', async () => {
    dbs = await open(2, monitored(url()));
    const wires = dbs.map(({ client }) => new Wire(client));
    const { violations } = await race(dbs, SECONDS);
    const commands = wires.flatMap((wire) => wire.commands);
    const sent = (name: string) => commands.filter((command) => command.name === name).length;
    expect(violations).to.deep.equal([]);
    expect(commands.filter(({ name }) => name === 'findAndModify' || name === 'update').flatMap(strangeIn)).to.deep.equal([]);
    expect(sent('findAndModify')).to.be.above(10);
    expect(sent('aggregate')).to.be.below(sent('insert') / 4);
  });

  it('go on though whoever had the turn, and whoever was next, are there no more', async () => {
    dbs = await open(2);
    const gone = { holder: 'gone', waiting: ['gone too', 'and a third'], count: 7, until: new Date(Date.now() + 250) };
    await dbs[0]?.collection<{ _id: string }>('turns').updateOne({ _id: 'adding' }, { $set: gone }, { upsert: true });
    const { figures, violations } = await race(dbs, SECONDS);
    expect(violations).to.deep.equal([]);
    expect(figures['smallest share']).to.be.above(0.05);
  });

  for (const [count, share] of [[1, 1], [2, 0.05], [4, 0.02]] as const)
    it(`${count}, each at full speed, leave no hole and no double, lose nothing and keep each one's order; none starves`, async () => {
      const { figures, violations } = await race(await open(count), SECONDS);
      console.log(`      ${Object.entries(figures).map(([figure, value]) => `${figure} ${value}`).join(' · ')}`);
      expect(violations).to.deep.equal([]);
      expect(figures['smallest share']).to.be.at.least(share);
    });
});
