import assert from './assert.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  at,
  automation,
  automationIdOf,
  offer,
  query,
  revision,
  store,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { tamper } from './handles.js';

export function handlePromises({ describe, it }: Suite<AutomationRepository>): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was added', async (repository) => {
      const offers = [offer(1, { key: 'key', until: at(10) })];
      await store(repository, ...offers);
      tamper(offers);
      await assertOnSale(repository, [automation(1)]);
      const answer = await addOne(repository, offer(2, { key: 'key', createdAt: at(9) }));
      assert.deepEqual(answer, { outcome: 'earlier', automation: automation(1) });
    });

    it('what was not stored', async (repository) => {
      const again = offer(2, { key: 'key' });
      await store(repository, offer(1, { key: 'key' }));
      await addOne(repository, again);
      tamper(again);
      await assertOnSale(repository, [automation(1)]);
    });

    it('what was found', async (repository) => {
      await store(repository, offer(1));
      tamper(await repository.find(automationIdOf(1)));
      await assertOnSale(repository, [automation(1)]);
    });

    it('what was answered as the earlier one', async (repository) => {
      await store(repository, offer(1, { key: 'key' }));
      tamper(await addOne(repository, offer(2, { key: 'key' })));
      await assertOnSale(repository, [automation(1)]);
      assert.deepEqual(await addOne(repository, offer(3, { key: 'key' })), {
        outcome: 'earlier',
        automation: automation(1),
      });
    });

    it('what was listed', async (repository) => {
      await store(repository, offer(1), offer(2));
      for (const category of [undefined, TOOLS])
        for (const limit of [1, 2, 100])
          for (const asked of [false, true])
            tamper(await repository.list({ ...query(1, limit, category), whole: asked, countCategories: asked }));
      tamper(await repository.list({ page: { after: automationIdOf(2), limit: 1 } }));
      await assertOnSale(repository, [automation(1), automation(2)]);
    });

    it('what was counted', async (repository) => {
      await store(repository, offer(1), offer(2));
      tamper(await repository.countByCategory());
      await assertOnSale(repository, [automation(1), automation(2)]);
    });

    it('a revision, and the automation that is a conflict', async (repository) => {
      const [one = automation(0)] = await store(repository, offer(1));
      const sent = revision(one, { title: 'Revised' });
      const revised = structuredClone(sent.automation);
      await repository.revise(sent);
      tamper(sent);
      tamper(await repository.revise(revision(one, { title: 'Late' })));
      await assertOnSale(repository, [revised]);
    });

    it('the time of a withdrawal', async (repository) => {
      const sent = withdrawal(1);
      await store(repository, offer(1), offer(2));
      await repository.withdraw(automationIdOf(1), sent);
      tamper(sent);
      await assertOnSale(repository, [automation(2)]);
    });
  });
}
