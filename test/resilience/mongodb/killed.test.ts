import { expect } from 'chai';
import type { Db } from 'mongodb';
import { mongoStorage, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { automation, automationIdOf, offer, query, revise, store } from '../../contracts/offers.js';
import { withdrawal } from '../../contracts/offers.js';
import { untilKilled } from '../../support/killed-process.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { ACTIONS, OFFERS, type Action } from './killed-actions.js';

const WRITER = new URL('./killed-writer.js', import.meta.url);

describeMongo('A process that is killed inside a transaction of MongoDB', function (url) {
  const databases = new ScratchDatabases();
  let db: Db;
  let storage: MongoStorage;
  /** How often this process has ended the transactions of others. */
  let ended: number;
  beforeEach(async () => {
    db = await databases.open(monitored(url()));
    ended = 0;
    db.client.on('commandStarted', ({ commandName }) => (ended += Number(commandName === 'killSessions')));
    storage = mongoStorage(db);
    await store(storage.automations, ...OFFERS);
  });
  afterEach(async () => {
    await storage.close();
    await databases.release();
  });

  const content = async () => {
    const { items, total } = await storage.automations.list(query(1, 100));
    const files = await Promise.all([2, 100].map((n) => storage.automations.readFile(automationIdOf(n))));
    return { items, total, files, counts: await storage.automations.countByCategory() };
  };

  const kills = Object.entries(ACTIONS).flatMap(([action, { commands }]) =>
    Array.from({ length: commands }, (_, n) => [action as Action, n + 1] as const),
  );
  for (const [action, count] of kills)
    it(`at ${action}, after ${count} of its commands, has done nothing of it, and others go on`, async () => {
      const before = await content();
      await untilKilled(WRITER, [url(), db.databaseName, action, String(count)]);
      expect(await content()).to.deep.equal(before);
      expect(await storage.auditLog.list({ limit: 10 })).to.deep.equal([]);
      const { automations } = storage;
      await store(automations, offer(200));
      await automations.withdraw(automation(19).id, withdrawal(1));
      await revise(automations, automation(18, { categoryId: 'games' as never }), { title: 'Other' });
      expect(ended, 'others need not end it').to.equal(0);
      const change = await ACTIONS[action].act(storage);
      expect((await content()).total).to.equal(before.total + change);
      const entries = await storage.auditLog.list({ limit: 10 });
      expect(entries).to.have.length(Math.max(1, Math.abs(change)));
      expect(await storage.check({ repair: false })).to.deep.equal([]);
    });
});
