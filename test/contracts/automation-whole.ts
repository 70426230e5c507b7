import assert from './assert.js';
import type { Automation } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { AutomationQuery, AutomationRepository } from '../../domain/ports.js';
import {
  at,
  automationIdOf,
  BOB,
  GAMES,
  LONGEST_DEVELOPER,
  mixedOffers,
  numbers,
  offer,
  query,
  revise,
  store,
  storeWhile,
  summary,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

const NOWHERE = 'no-such-category' as CategoryId;

export function wholePromises(suite: Automations): void {
  wholeItems(suite);
  categoryCounts(suite);
}

/** Asserts that each page with whole items is the same as without, and has the automations. */
async function assertWhole(repository: AutomationRepository, stored: readonly Automation[]): Promise<void> {
  const pages = [
    query(1, 100),
    query(2, 3),
    query(9, 3),
    query(1, 100, TOOLS),
    query(1, 2, GAMES),
    query(1, 9, NOWHERE),
  ];
  const newest = stored.at(-1);
  if (newest) pages.push(...[2, 100].map((limit) => ({ page: { after: newest.id, limit } })));
  const byId = new Map(stored.map((one) => [one.id, one]));
  for (const wanted of pages) {
    const { items, total } = await repository.list(wanted);
    for (const countCategories of [false, true]) {
      const whole = await repository.list({ ...wanted, whole: true, countCategories });
      assert.deepEqual([whole.items, whole.total], [items, total]);
      assert.deepEqual(
        whole.automations,
        items.map(({ id }) => byId.get(id)),
      );
    }
  }
}

function wholeItems({ describe, it }: Automations): void {
  describe('With `whole`, the automations are those of the items, field for field and in the same order', () => {
    it('of none', (repository) => assertWhole(repository, []));

    it('of first, last and later pages, of all and of a category', async (repository) => {
      const offers = mixedOffers(9).map(({ automation }, n) =>
        offer(n + 1, { ...automation, createdAt: at(-n), ...(n % 3 === 0 && { developerId: BOB }) }),
      );
      await assertWhole(repository, await store(repository, ...offers));
    });

    it('with the longest id of a developer, texts of several lines and a key', async (repository) => {
      const one = offer(1, {
        developerId: LONGEST_DEVELOPER,
        description: 'a\n\tб 🙂 e\u0301\n',
        key: 'k',
        until: at(9),
      });
      await assertWhole(repository, await store(repository, one));
    });

    it('revised and withdrawn ones, as they are now', async (repository) => {
      const stored = [...(await store(repository, ...mixedOffers(6)))];
      await assertWhole(repository, stored);
      const { automation } = await revise(repository, stored[3] ?? assert.fail(), { title: 'New', categoryId: TOOLS });
      stored[3] = automation;
      await assertWhole(repository, stored);
      await repository.withdraw(automationIdOf(2), withdrawal(1));
      stored.splice(1, 1);
      await assertWhole(repository, stored);
    });

    it('and without it, none', async (repository) => {
      await store(repository, offer(1));
      assert.equal((await repository.list(query(1, 10))).automations, undefined);
      await repository.list({ ...query(1, 10), whole: true });
      assert.equal((await repository.list(query(1, 10))).automations, undefined);
      assert.equal((await repository.list({ ...query(1, 10), whole: false })).automations, undefined);
    });
  });
}

function categoryCounts({ describe, it }: Automations): void {
  const counting = (wanted: AutomationQuery) => ({ ...wanted, countCategories: true });
  const used = (counts: ReadonlyMap<CategoryId, number> | undefined) =>
    Object.fromEntries(Array.from(counts ?? assert.fail('it counts')).filter(([, count]) => count !== 0));

  describe(
    'With `countCategories`, the counts are of the same state, whatever the category of the query; ' +
      'a category without any may be missing',
    () => {
      it('of nothing', async (repository) => {
        for (const wanted of [query(1, 10), query(1, 10, TOOLS)])
          assert.deepEqual(used((await repository.list(counting(wanted))).categoryCounts), {});
      });

      it('the same on each page, of all and of each category, and behind one', async (repository) => {
        const categories = ['a', 'b', 'b', 'constructor', 'c', 'b', 'constructor', '0'].map((id) => id as CategoryId);
        await store(repository, ...categories.map((categoryId, n) => offer(n + 1, { categoryId })));
        await repository.withdraw(automationIdOf(5), withdrawal(1));
        const pages = [query(1, 3), query(2, 3), query(99, 3), { page: { after: automationIdOf(5), limit: 2 } }];
        const asked = [undefined, NOWHERE, ...categories].flatMap((category) =>
          pages.map((one) => (category === undefined ? one : { ...one, category })),
        );
        for (const wanted of asked) {
          const { items, total } = await repository.list(wanted);
          for (const whole of [false, true]) {
            const found = await repository.list({ ...counting(wanted), whole });
            assert.deepEqual([found.items, found.total], [items, total]);
            assert.deepEqual(used(found.categoryCounts), { '0': 1, a: 1, b: 3, constructor: 2 });
          }
        }
      });

      it('201 categories', async (repository) => {
        const categories = numbers(201).map((n) => `category-${n}` as CategoryId);
        await store(repository, ...categories.map((categoryId, n) => offer(n, { categoryId })));
        const { categoryCounts: counts, items } = await repository.list(counting(query(1, 5)));
        assert.deepEqual(used(counts), Object.fromEntries(categories.map((id) => [id, 1])));
        assert.equal(items.length, 5);
      });

      it('read while two categories grow', async (repository) => {
        const offers = mixedOffers(60);
        const newestFirst = offers.map((one) => summary(one.automation)).reverse();
        const read = async () => {
          const { items, total, categoryCounts: counts } = await repository.list(counting(query(1, 4)));
          assert.deepEqual(items, newestFirst.slice(60 - total).slice(0, 4));
          assert.equal((counts?.get(TOOLS) ?? 0) + (counts?.get(GAMES) ?? 0), total);
          const games = await repository.list(counting(query(1, 1, GAMES)));
          assert.equal(games.categoryCounts?.get(GAMES) ?? 0, games.total);
        };
        await storeWhile(read, repository, offers);
      });

      it('and without it, none', async (repository) => {
        await store(repository, offer(1));
        await repository.list(counting(query(1, 10)));
        assert.equal((await repository.list(query(1, 10))).categoryCounts, undefined);
        assert.equal((await repository.list({ ...query(1, 10), countCategories: false })).categoryCounts, undefined);
      });
    },
  );
}
