import assert from './assert.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import { isDomainError } from '../../domain/errors.js';
import type { AutomationQuery, AutomationRepository } from '../../domain/ports.js';
import {
  automationIdOf,
  bulkWithdrawal,
  GAMES,
  listed,
  mixedOffers,
  numbers,
  offer,
  revise,
  store,
  storeWhile,
  summary,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

const BEHIND =
  'With `after`, the page begins behind that automation, also when it was withdrawn or is in another category, ' +
  'so that nothing is lost or read twice while others are stored and withdrawn';
const UNKNOWN = 'Rejects as `invalid` when the id is unknown';

/** More than the largest page. */
const MAX_PAGES = 200;

function behind(after: AutomationId, limit: number, category?: CategoryId): AutomationQuery {
  return { page: { after, limit }, ...(category !== undefined && { category }) };
}

/** Returns the ids of everything, page behind page; `between` is done before each page but the first. */
async function idsOf(
  repository: AutomationRepository,
  limit: number,
  category?: CategoryId,
  between: (last: AutomationId) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly AutomationId[]> {
  const ids: AutomationId[] = [];
  const first = { page: { number: 1, limit }, ...(category !== undefined && { category }) };
  for (let { items } = await repository.list(first), pages = 1; ; pages += 1) {
    ids.push(...items.map(({ id }) => id));
    const last = items.at(-1)?.id;
    if (last === undefined) return ids;
    assert.ok(pages < MAX_PAGES, 'it comes to an end');
    await between(last);
    ({ items } = await repository.list(behind(last, limit, category)));
  }
}

export function afterPromises(suite: Automations): void {
  places(suite);
  meanwhile(suite);
  unknown(suite);
}

function places({ describe, it }: Automations): void {
  /** Asserts that each page behind each of the stored ones is the slice of what is on sale. */
  const assertBehindEach = async (
    repository: AutomationRepository,
    stored: readonly Automation[],
    isOnSale: (one: Automation) => boolean = () => true,
  ) => {
    for (const category of [undefined, TOOLS, GAMES]) {
      const isMeant = (one: Automation) => isOnSale(one) && (category === undefined || one.categoryId === category);
      const total = stored.filter(isMeant).length;
      for (const [index, { id }] of stored.entries())
        for (const limit of [1, 3, 100]) {
          const items = stored.slice(0, index).reverse().filter(isMeant).map(summary).slice(0, limit);
          assert.deepEqual(await listed(repository, behind(id, limit, category)), { items, total });
        }
    }
  };

  describe(BEHIND, () => {
    it('each of 12 in two categories, of all and of a category', async (repository) => {
      await assertBehindEach(repository, await store(repository, ...mixedOffers(12)));
    });

    it('each of 12 of which some were withdrawn, also many in a row, the newest and the oldest', async (repository) => {
      const stored = await store(repository, ...mixedOffers(12));
      const withdrawn = [1, 4, 5, 6, 7, 9, 12].map(automationIdOf);
      for (const id of withdrawn) await repository.withdraw(id, withdrawal(1));
      await assertBehindEach(repository, stored, ({ id }) => !withdrawn.includes(id));
    });

    it('each of 6 that were all withdrawn in one call', async (repository) => {
      const stored = await store(repository, ...mixedOffers(6));
      await repository.withdrawAll(bulkWithdrawal(6));
      await assertBehindEach(repository, stored, () => false);
    });

    it('one that a revision moved to another category, in its old place', async (repository) => {
      const stored = [...(await store(repository, ...mixedOffers(7)))];
      const { automation } = await revise(repository, stored[4] ?? assert.fail(), { categoryId: GAMES });
      stored[4] = automation;
      await assertBehindEach(repository, stored);
    });

    it('the last one: what is stored later is not behind it', async (repository) => {
      await store(repository, offer(1), offer(2));
      assert.deepEqual(await listed(repository, behind(automationIdOf(1), 10)), { items: [], total: 2 });
      await store(repository, offer(3));
      assert.deepEqual(await listed(repository, behind(automationIdOf(1), 10)), { items: [], total: 3 });
    });

    it('of a category that has none', async (repository) => {
      await store(repository, offer(1), offer(2));
      const nothing = { items: [], total: 0 };
      assert.deepEqual(await listed(repository, behind(automationIdOf(2), 10, GAMES)), nothing);
    });

    it('each of 600, in pages of 7', async (repository) => {
      const offers = mixedOffers(600);
      for (let start = 0; start < 600; start += 300) await store(repository, ...offers.slice(start, start + 300));
      const newestFirst = offers.map(({ automation }) => automation).reverse();
      for (const category of [undefined, TOOLS]) {
        const meant = newestFirst.filter(({ categoryId }) => category === undefined || categoryId === category);
        assert.deepEqual(
          await idsOf(repository, 7, category),
          meant.map(({ id }) => id),
        );
      }
    });
  });
}

function meanwhile({ describe, it }: Automations): void {
  describe(BEHIND, () => {
    for (const category of [undefined, TOOLS])
      it(`${category ?? 'all'} of 40: the last of each page is withdrawn, and one is stored`, async (repository) => {
        const stored = await store(repository, ...mixedOffers(40));
        const gone = new Set<AutomationId>();
        let count = 40;
        const ids = await idsOf(repository, 4, category, async (last) => {
          gone.add(last);
          assert.equal(await repository.withdraw(last, withdrawal(1)), 'withdrawn');
          await store(repository, offer((count += 1), { categoryId: TOOLS }));
        });
        const meant = stored.filter(({ categoryId }) => category === undefined || categoryId === category);
        assert.deepEqual(
          ids,
          meant.map(({ id }) => id).reverse(),
          'what was there at the start is read once, in order',
        );
        assert.ok(gone.size > 4);
      });

    it('others store and withdraw at the same time: each once, and none is lost that stays', async (repository) => {
      const first = await store(repository, ...mixedOffers(40));
      const late = numbers(40).map((n) => offer(40 + n));
      const all = [...first, ...late.map((one) => one.automation)];
      const stay = first.filter((_, index) => index % 4 !== 0);
      const read = async () => {
        const ids = await idsOf(repository, 3);
        const seen = new Set(ids);
        const newestFirst = all.filter(({ id }) => seen.has(id)).reverse();
        assert.deepEqual(
          ids,
          newestFirst.map(({ id }) => id),
          'each once, newest first',
        );
        assert.deepEqual(
          stay.filter(({ id }) => !seen.has(id)),
          [],
          'none is lost',
        );
      };
      const withdrawing = async () => {
        for (const { id } of first.filter((_, index) => index % 4 === 0)) await repository.withdraw(id, withdrawal(1));
      };
      await Promise.all([withdrawing(), storeWhile(read, repository, late)]);
    });
  });
}

function unknown({ describe, it }: Automations): void {
  describe(UNKNOWN, () => {
    it('in a store with some, with none, and in a category', async (repository) => {
      for (const count of [0, 3]) {
        if (count > 0) await store(repository, ...mixedOffers(count));
        for (const category of [undefined, TOOLS, GAMES])
          for (const options of [{}, { whole: true, countCategories: true }])
            await assert.rejects(
              () => repository.list({ ...behind(automationIdOf(99), 10, category), ...options }),
              isUnknownAfter,
            );
      }
    });

    it('one that was not stored', async (repository) => {
      await repository.add([offer(1, { key: 'key' }), offer(2, { key: 'key' })]);
      await assert.rejects(() => repository.list(behind(automationIdOf(2), 10)), isUnknownAfter);
    });
  });
}

function isUnknownAfter(error: unknown): boolean {
  return isDomainError(error) && error.kind === 'invalid' && error.fields.some(({ field }) => field === 'after');
}
