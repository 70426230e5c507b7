import assert from 'node:assert/strict';
import type { AutomationRepository } from '../../domain/ports.js';
import { tamper } from './handles.js';
import { at, automationIdOf, numbers, offer, store } from './offers.js';
import type { Suite } from './runner.js';

const REASONS = ['', "it's $over 🙂", 'two\nlines', 'because '.repeat(125), '$withdrawn_at'];

export function withdrawalReasonsPromises({ describe, it }: Suite<AutomationRepository>): void {
  describe('Returns the reason for each of these ids, 1,000 at most, that was withdrawn with a reason', () => {
    it('as it was given', async (repository) => {
      await store(repository, ...REASONS.map((_, index) => offer(index + 1)));
      const ids = REASONS.map((_, index) => automationIdOf(index + 1));
      for (const [index, reason] of REASONS.entries())
        await repository.withdraw(automationIdOf(index + 1), { at: at(1), reason });
      assert.deepEqual(await repository.withdrawalReasons(ids), new Map(ids.map((id, index) => [id, REASONS[index]])));
    });

    it('none of one that is on sale, is unknown, was withdrawn without, or is not asked for', async (repository) => {
      await store(repository, offer(1), offer(2), offer(3), offer(4));
      await repository.withdraw(automationIdOf(2), { at: at(1) });
      for (const n of [3, 4]) await repository.withdraw(automationIdOf(n), { at: at(1), reason: `No ${n}` });
      const reasons = await repository.withdrawalReasons([1, 2, 3, 5].map(automationIdOf));
      assert.deepEqual(reasons, new Map([[automationIdOf(3), 'No 3']]));
      assert.equal((await repository.withdrawalReasons([])).size, 0);
    });

    it('the first of one that is withdrawn twice', async (repository) => {
      await store(repository, offer(1));
      for (const reason of ['first', 'second']) await repository.withdraw(automationIdOf(1), { at: at(1), reason });
      assert.deepEqual(
        await repository.withdrawalReasons([automationIdOf(1)]),
        new Map([[automationIdOf(1), 'first']]),
      );
    });

    it('of 1,000 at once', async (repository) => {
      const ids = numbers(1_000).map(automationIdOf);
      await store(repository, offer(1), offer(1_000));
      for (const n of [1, 1_000]) await repository.withdraw(automationIdOf(n), { at: at(1), reason: `No ${n}` });
      assert.equal((await repository.withdrawalReasons(ids)).size, 2);
    });

    it('each time in a map of its own', async (repository) => {
      await store(repository, offer(1));
      await repository.withdraw(automationIdOf(1), { at: at(1), reason: 'No 1' });
      tamper(await repository.withdrawalReasons([automationIdOf(1)]));
      assert.deepEqual(await repository.withdrawalReasons([automationIdOf(1)]), new Map([[automationIdOf(1), 'No 1']]));
    });
  });
}
