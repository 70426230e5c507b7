import assert from './assert.js';
import type { CategoryId } from '../../domain/category.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  automationIdOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  query,
  store,
  storeWhile,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

export function countPromises({ describe, it }: Suite<AutomationRepository>): void {
  describe(
    'Counts the automations on sale in each category, all in one state of the store; ' +
      'a category without any may be missing',
    () => {
      it('none', async (repository) => {
        const counts = await repository.countByCategory();
        assert.deepEqual(
          Array.from(counts.values()).filter((count) => count !== 0),
          [],
        );
      });

      it('as the totals of their lists', async (repository) => {
        const shelves = ['a', 'b', 'b', 'constructor', 'c', 'b', 'constructor', '0'].map((id) => id as CategoryId);
        await store(repository, ...shelves.map((categoryId, n) => offer(n, { categoryId })));
        const counts = await repository.countByCategory();
        for (const category of new Set(shelves))
          assert.equal(counts.get(category), (await repository.list(query(1, 1, category))).total, category);
        assert.equal(counts.get('b' as CategoryId), 3);
        assert.equal(
          Array.from(counts.values()).reduce((sum, count) => sum + count, 0),
          shelves.length,
        );
      });

      it('201 categories', async (repository) => {
        const shelves = numbers(201).map((n) => `category-${n}` as CategoryId);
        await store(repository, ...shelves.map((categoryId, n) => offer(n, { categoryId })));
        assert.deepEqual(new Map(await repository.countByCategory()), new Map(shelves.map((id) => [id, 1])));
      });

      it('less one for each withdrawn, also the last', async (repository) => {
        await store(repository, ...mixedOffers(3));
        for (const [n, tools, games] of [
          [1, 1, 1],
          [2, 1, 0],
          [3, 0, 0],
        ] as const) {
          await repository.withdraw(automationIdOf(n), withdrawal(1));
          const counts = await repository.countByCategory();
          assert.deepEqual([counts.get(TOOLS) ?? 0, counts.get(GAMES) ?? 0], [tools, games]);
        }
      });

      it('what was not stored is not counted', async (repository) => {
        await repository.add([offer(1, { key: 'key' }), offer(1), offer(2, { key: 'key' })]);
        assert.equal((await repository.countByCategory()).get(TOOLS), 1);
      });

      it('read while two categories grow in turn', async (repository) => {
        const read = async () => {
          const counts = await repository.countByCategory();
          const ahead = (counts.get(TOOLS) ?? 0) - (counts.get(GAMES) ?? 0);
          assert.ok(ahead === 0 || ahead === 1, `tools are ${ahead} ahead`);
        };
        await storeWhile(read, repository, mixedOffers(60));
      });
    },
  );
}
