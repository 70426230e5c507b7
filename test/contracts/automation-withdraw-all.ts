import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  automationIdOf,
  BOB,
  bulkWithdrawal,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  store,
  storeMany,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

/** Which entries there are, and who withdrew, is a matter of the archive's suite. */
export function withdrawAllPromises({ describe, it }: Automations): void {
  const sentence =
    'Returns the ids of the automations, the oldest first, which got the entries in the same order; fewer than there ' +
    'are `entryIds` only when none is left on sale';
  describe(sentence, () => {
    it('part by part, and the automations of others stay', async (repository) => {
      const others = numbers(12).filter((n) => n % 3 === 0);
      const stored = await store(
        repository,
        ...mixedOffers(12).map(({ automation }, index) =>
          others.includes(index + 1) ? { automation: { ...automation, developerId: BOB } } : { automation },
        ),
      );
      const parts = [[1, 2, 4], [5, 7, 8], [10, 11], []];
      for (const [index, part] of parts.entries()) {
        assert.deepEqual(
          await repository.withdrawAll(bulkWithdrawal(3, { firstEntry: 10 * index })),
          part.map(automationIdOf),
        );
        const gone = parts.slice(0, index + 1).flat();
        await assertOnSale(
          repository,
          stored.filter((_, n) => !gone.includes(n + 1)),
          [5],
        );
      }
    });

    it('the oldest in the order of the market, without those that are withdrawn', async (repository) => {
      await store(repository, ...[5, 3, 9, 1].map((n) => offer(n)));
      await repository.withdraw(automationIdOf(3), withdrawal(1));
      assert.deepEqual(await repository.withdrawAll(bulkWithdrawal(2)), [5, 9].map(automationIdOf));
    });

    it('500 of 1,001 in one call', async (repository) => {
      const stored = await storeMany(repository, mixedOffers(1_001));
      for (const [start, end] of [
        [0, 500],
        [500, 1_000],
        [1_000, 1_001],
      ])
        assert.deepEqual(
          await repository.withdrawAll(bulkWithdrawal(500, { firstEntry: start ?? 0 })),
          stored.slice(start, end).map(({ id }) => id),
        );
      await assertOnSale(repository, [], [10]);
    });

    it('none of a developer who has none, and of one whose id is nearly that one', async (repository) => {
      const stored = await store(repository, offer(1), offer(2, { categoryId: GAMES }));
      for (const id of ['bob', 'ad', 'ADA', 'ada-b', '', '\uD800', 'ada\uD800'])
        assert.deepEqual(await repository.withdrawAll(bulkWithdrawal(9, { developerId: id as DeveloperId })), []);
      await assertOnSale(repository, stored);
    });

    it('their ids and their keys stay taken', async (repository) => {
      await store(repository, offer(1, { key: 'key' }));
      await repository.withdrawAll(bulkWithdrawal(1));
      assert.deepEqual(await addOne(repository, offer(1)), { outcome: 'conflict' });
      assert.equal((await addOne(repository, offer(2, { key: 'key' }))).outcome, 'earlier');
    });

    it('10 calls at once: each automation in one of them', async (repository) => {
      await store(repository, ...mixedOffers(25));
      const calls = numbers(10).map((n) => repository.withdrawAll(bulkWithdrawal(4, { firstEntry: n * 10 })));
      const ids = (await Promise.all(calls)).flat();
      assert.deepEqual([ids.length, new Set(ids).size], [25, 25]);
      await assertOnSale(repository, [], [10]);
    });
  });
}
