import assert from './assert.js';
import type { CategoryId } from '../../domain/category.js';
import type { AutomationPage, AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  assertPages,
  at,
  automationIdOf,
  GAMES,
  listed,
  mixedOffers,
  numbers,
  offer,
  query,
  readWhile,
  revise,
  store,
  storeWhile,
  summary,
  TOOLS,
  USD,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { minorUnits } from '../../domain/price.js';

type Automations = Suite<AutomationRepository>;

export function listPromises(suite: Automations): void {
  order(suite);
  totals(suite);
  pastTheEnd(suite);
  revisions(suite);
}

function order({ describe, it }: Automations): void {
  describe(
    'Returns one page, newest first: the reverse of the order in which `add` stored them, ' +
      'whatever their `createdAt`',
    () => {
      for (const [what, createdAt] of Object.entries({ rising: at, falling: (n: number) => at(-n), tied: () => at(0) }))
        it(`\`createdAt\` ${what}, in one call and in many`, async (repository) => {
          const offers = numbers(12).map((n) =>
            offer(n, { createdAt: createdAt(n), categoryId: n % 3 ? TOOLS : GAMES }),
          );
          const stored = [...(await store(repository, ...offers.slice(0, 6)))];
          for (const one of offers.slice(6)) stored.push(...(await store(repository, one)));
          await assertOnSale(repository, stored, [5]);
        });

      it('page 2 is the second slice', async (repository) => {
        const stored = await store(repository, ...numbers(10).map((n) => offer(n)));
        const { items } = await repository.list(query(2, 3));
        assert.deepEqual(
          items,
          [6, 5, 4].map((index) => summary(stored[index] ?? assert.fail())),
        );
      });

      it('items are id, title and price', async (repository) => {
        await store(repository, offer(1));
        const { items } = await repository.list(query(1, 1));
        assert.deepEqual(items, [
          { id: automationIdOf(1), title: 'Automation 1', price: { minorUnits: 101, currency: 'USD' } },
        ]);
      });

      it('of a category, in the same order as of all', async (repository) => {
        await Promise.all(mixedOffers(40).map((one) => addOne(repository, one)));
        const all = (await repository.list(query(1, 100))).items;
        for (const category of [TOOLS, GAMES]) {
          const { items } = await repository.list(query(1, 100, category));
          const shelf = new Set(items.map(({ id }) => id));
          assert.deepEqual(
            items,
            all.filter(({ id }) => shelf.has(id)),
          );
          assert.equal(items.length, 20);
        }
      });

      it('an offer that was not stored takes no place', async (repository) => {
        await repository.add([
          offer(1, { key: 'key' }),
          offer(1),
          offer(2, { key: 'key' }),
          offer(3),
          offer(3),
          offer(4),
        ]);
        const { items } = await repository.list(query(1, 100));
        assert.deepEqual(
          items.map(({ title }) => title),
          ['Automation 4', 'Automation 3', 'Automation 1'],
        );
      });
    },
  );
}

function totals({ describe, it }: Automations): void {
  describe(
    'The total counts exactly the automations that match, ' + 'and items and total show one state of the store',
    () => {
      for (const limit of [1, 2, 3, 7, 10, 52, 53, 54, 100])
        it(`pages of ${limit} have clamp(total - (page - 1) * ${limit}, 0, ${limit}) items`, async (repository) => {
          const stored = await store(repository, ...numbers(53).map((n) => offer(n)));
          await assertPages(repository, stored, limit);
        });

      it('of a category, only those', async (repository) => {
        await assertOnSale(repository, await store(repository, ...mixedOffers(15)));
      });

      it('first, middle and last of 300', async (repository) => {
        const newestFirst = (await store(repository, ...mixedOffers(300))).map(summary).reverse();
        for (const number of [1, 15, 30]) {
          const items = newestFirst.slice((number - 1) * 10, number * 10);
          assert.deepEqual(await listed(repository, query(number, 10)), { items, total: 300 });
        }
      });

      it('read while it grows', async (repository) => {
        const offers = numbers(60).map((n) => offer(n));
        const newestFirst = offers.map((one) => summary(one.automation)).reverse();
        const read = async () => {
          const { items, total } = await repository.list(query(2, 4));
          assert.deepEqual(items, newestFirst.slice(60 - total).slice(4, 8));
        };
        await storeWhile(read, repository, offers);
      });

      it('read while it shrinks, from the oldest on', async (repository) => {
        const newestFirst = (await store(repository, ...numbers(20).map((n) => offer(n)))).map(summary).reverse();
        const read = async () => {
          for (const category of [undefined, TOOLS]) {
            const { items, total } = await repository.list(query(1, 100, category));
            assert.deepEqual(items, newestFirst.slice(0, total));
          }
        };
        for (const n of numbers(20)) await readWhile(read, repository.withdraw(automationIdOf(n), withdrawal(n)));
      });
    },
  );
}

function pastTheEnd({ describe, it }: Automations): void {
  describe('A page past the end is empty and has the true total, as has a category without automations', () => {
    it('of nothing', async (repository) => {
      assert.deepEqual(await listed(repository, query(1, 25)), { items: [], total: 0 });
      assert.deepEqual(await listed(repository, query(2, 25)), { items: [], total: 0 });
    });

    for (const [number, limit] of [
      [2, 5],
      [3, 5],
      [6, 1],
      [7, 1],
      [999_999_999, 1],
      [999_999_999, 100],
    ] as const)
      it(`page ${number} of ${limit} each, of five`, async (repository) => {
        await store(repository, ...numbers(5).map((n) => offer(n)));
        assert.deepEqual(await listed(repository, query(number, limit)), { items: [], total: 5 });
        assert.deepEqual(await listed(repository, query(number, limit, TOOLS)), { items: [], total: 5 });
      });

    for (const category of ['games', 'no-such-category', 'constructor', 'tool', 'tools-2'])
      it(`the category ${category}, where all are in tools`, async (repository) => {
        await store(repository, offer(1), offer(2));
        assert.deepEqual(await listed(repository, query(1, 25, category as CategoryId)), { items: [], total: 0 });
      });
  });
}

function revisions({ describe, it }: Automations): void {
  describe('Two pages of the same query with the same `revision` have the same items and the same total', () => {
    it('while automations are added, revised and withdrawn', async (repository) => {
      const queries = [query(1, 3), query(2, 3), query(9, 3), query(1, 3, TOOLS), query(1, 3, GAMES)];
      const seen = new Map<string, AutomationPage>();
      const look = async () => {
        for (const [index, wanted] of queries.entries()) {
          const { revision, ...page } = await repository.list(wanted);
          const name = `${index} ${revision}`;
          if (revision !== undefined) assert.deepEqual(page, seen.get(name) ?? page);
          seen.set(name, page);
        }
      };
      for (const one of mixedOffers(12)) {
        await look();
        await store(repository, one);
      }
      for (const [n, fields] of [
        [12, { title: 'New' }],
        [11, { price: { minorUnits: minorUnits(0), currency: USD } }],
      ] as const) {
        await look();
        await revise(repository, (await repository.find(automationIdOf(n))) ?? assert.fail(), fields);
      }
      for (const n of [12, 3, 2, 11]) {
        await look();
        await repository.withdraw(automationIdOf(n), withdrawal(n));
      }
      await look();
    });
  });
}
