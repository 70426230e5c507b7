import { expect } from 'chai';
import type { Db } from 'mongodb';
import { mongoStorage, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { automation, mixedOffers, offer, query, revise, store } from '../../contracts/offers.js';
import { withdrawal } from '../../contracts/offers.js';
import { untilKilled } from '../../support/killed-process.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { ACTIONS, type Action } from './killed-actions.js';

const WRITER = new URL('./killed-writer.js', import.meta.url);
/** Of other requests, and of the one that was killed. */
const MAX_OTHERS_MS = 1_000;
const MAX_SAME_MS = 5_000;

describeMongo('A process that is killed inside a transaction', function (url) {
  const databases = new ScratchDatabases();
  let db: Db;
  let storage: MongoStorage;
  beforeEach(async () => {
    db = await databases.open(url());
    storage = mongoStorage(db);
    await store(storage.automations, ...mixedOffers(20));
  });
  afterEach(async () => {
    await storage.close();
    await databases.release();
  });

  const timed = async <Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
    const began = performance.now();
    return [await work(), performance.now() - began];
  };
  const content = async () => {
    const { items, total } = await storage.automations.list(query(1, 100));
    return { items, total, counts: await storage.automations.countByCategory() };
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
      const [, others] = await timed(async () => {
        await store(automations, offer(200));
        await automations.withdraw(automation(19).id, withdrawal(1));
        await revise(automations, automation(18, { categoryId: 'games' as never }), { title: 'Other' });
      });
      expect(others).to.be.below(MAX_OTHERS_MS);
      const [change, same] = await timed(() => ACTIONS[action].act(storage));
      expect(same, 'the same again').to.be.below(MAX_SAME_MS);
      expect((await content()).total).to.equal(before.total + change);
      const entries = await storage.auditLog.list({ limit: 10 });
      expect(entries).to.have.length(Math.max(1, Math.abs(change)));
      expect(await storage.check({ repair: false })).to.deep.equal([]);
    });
});
