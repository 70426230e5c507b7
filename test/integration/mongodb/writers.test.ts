import { expect } from 'chai';
import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import { at, automationIdOf, numbers, offer, query, store } from '../../contracts/offers.js';
import { strangeIn } from './injection.js';
import { Wire } from './plans.js';
import { race } from './writers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

const SECONDS = 2;

/** In milliseconds: by then who has added, and adds no more, has given back its turn. */
const GIVING_BACK = 50;

describeMongo('Several writers on one MongoDB database', function (url) {
  const databases = new ScratchDatabases();
  let dbs: readonly Db[] = [];
  const open = async (count: number, at = url()): Promise<readonly Db[]> => {
    const first = await databases.open(at);
    const others = Array.from({ length: count - 1 }, () => databases.another(at, first.databaseName));
    return [first, ...others];
  };
  const giveTurnTo = async (turn: number, ...ring: readonly string[]): Promise<void> => {
    await dbs[0]?.collection('turn_notes').insertOne({ by: 'another', turn, ring });
  };
  afterEach(() => databases.release());

  it('give no number again that another has given and withdrawn meanwhile', async () => {
    dbs = await open(2);
    const [one, other] = dbs.map((db) => new MongoAutomationRepository(db)) as [
      MongoAutomationRepository,
      MongoAutomationRepository,
    ];
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

  it('take turns and pass on how far the numbers go, so that few have to read it', async () => {
    dbs = await open(2, monitored(url()));
    const wires = dbs.map(({ client }) => new Wire(client));
    const { violations } = await race(dbs, SECONDS);
    const commands = wires.flatMap((wire) => wire.commands);
    const sent = (name: string) => commands.filter((command) => command.name === name).length;
    expect(violations).to.deep.equal([]);
    const ofNotes = commands.filter(({ document }) => Object.values(document).includes('turn_notes'));
    expect(ofNotes.flatMap(strangeIn)).to.deep.equal([]);
    expect(ofNotes.filter(({ document }) => !(document['maxTimeMS'] <= 2_000))).to.deep.equal([]);
    expect(ofNotes.map(({ name }) => name)).to.include.members(['insert', 'find', 'getMore']);
    const notes = ofNotes.filter(({ name }) => name === 'insert').length;
    expect(notes).to.be.above(10);
    expect(sent('aggregate')).to.be.below((sent('insert') - notes) / 4);
  });

  it('store in one go what came while others had their turn', async () => {
    dbs = await open(2, monitored(url()));
    const [own, other] = dbs.map((db) => new MongoAutomationRepository(db)) as [
      MongoAutomationRepository,
      MongoAutomationRepository,
    ];
    const [wire] = dbs.map(({ client }) => new Wire(client));
    await store(own, offer(1));
    await store(other, offer(2));
    await store(own, offer(3));
    await setTimeout(GIVING_BACK);
    await giveTurnTo(1_000, 'another');
    await setTimeout(GIVING_BACK);
    const sent = await wire?.during(async () => {
      const adds = numbers(50).map(async (n) => {
        await setTimeout(n);
        return own.add([offer(100 + n)]);
      });
      await setTimeout(100);
      await giveTurnTo(1_001);
      expect((await Promise.all(adds)).flat().map(({ outcome }) => outcome)).to.deep.equal(
        numbers(50).map(() => 'stored'),
      );
    });
    expect(sent?.filter(({ document }) => document['insert'] === 'automations')).to.have.length(1);
    expect((await other.list(query(1, 100))).total).to.equal(53);
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

  it('go on though whoever had the turn, and whoever was next, are there no more', async () => {
    dbs = await open(2);
    await giveTurnTo(1_000, 'gone', 'gone too', 'and a third');
    const { figures, violations } = await race(dbs, SECONDS);
    expect(violations).to.deep.equal([]);
    expect(figures['smallest share']).to.be.above(0.05);
  });

  it('go on though their notes are thrown away', async () => {
    dbs = await open(2);
    const racing = race(dbs, SECONDS);
    await setTimeout(500);
    await dbs[0]?.collection('turn_notes').drop();
    const { figures, violations } = await racing;
    expect(violations).to.deep.equal([]);
    expect(figures['a second']).to.be.above(100);
  });

  for (const [count, share] of [
    [1, 1],
    [2, 0.05],
    [4, 0.02],
  ] as const)
    it(`${count}, each at full speed, leave no hole and no double, lose nothing and keep each one's order; ` +
      'none starves', async () => {
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
