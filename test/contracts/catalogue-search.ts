import assert from './assert.js';
import type { ArchivedAutomation, NewAutomation, SearchQuery } from '../../domain/ports.js';
import { searchTerms } from '../../domain/search-terms.js';
import { tamper } from './handles.js';
import {
  automationIdOf,
  BOB,
  fileOf,
  GAMES,
  numbers,
  offer,
  readWhile,
  revise,
  revision,
  store,
  storeMany,
  TOOLS,
  withdrawal,
} from './offers.js';
import { globalRunner, LeftOut, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import { SCRIPTS, type ScriptRow } from './scripts.js';
import { BEST, WORST_TITLES } from './search-titles.js';
import {
  assertFound,
  expectedPage,
  sampleOffer,
  searched,
  type SearchableStore,
  type SearchedStore,
} from './searches.js';
import { minorUnits } from '../../domain/price.js';

type Search = Suite<SearchedStore>;

const FIRST = { page: { number: 1, limit: 100 }, order: 'newest' } as const;

/**
 * Declares what every `CatalogueSearch` promises, for a storage that supports search. Left out are `unavailable`, which
 * needs a store without an index, and a search that takes too long.
 */
export function catalogueSearchContract(fresh: Fresh<SearchableStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(async (onEnd) => searchable(await fresh(onEnd)), runner);
  suite.describe('CatalogueSearch', () => {
    matchPromises(suite);
    wordPromises(suite);
    seenPromises(suite);
    onePromises(suite);
    copyPromises(suite);
  });
}

function searchable({ automations, search, supports }: SearchableStore): SearchedStore {
  if (supports?.search === false) throw new LeftOut('CatalogueSearch, since the storage does not support search');
  return { automations, search: search ?? assert.fail('a storage that supports search has one') };
}

/** Stores the first automations of the sample; the odd tens are revised and every 11th is withdrawn. */
async function fill({ automations }: SearchedStore, count: number): Promise<readonly ArchivedAutomation[]> {
  const stored = await storeMany(automations, numbers(count).map(sampleOffer));
  const all: ArchivedAutomation[] = [];
  for (const [index, one] of stored.entries()) {
    const isRevised = Math.floor(index / 10) % 2 === 1;
    const fields = { title: `${one.title} slack x`, description: 'Send', categoryId: GAMES };
    const automation = isRevised ? (await revise(automations, one, fields)).automation : one;
    const withdrawn = withdrawal(index, { by: 'operator', reason: 'A fraud.' });
    if (index % 11 === 0) await automations.withdraw(one.id, withdrawn);
    all.push({ automation, ...(index % 11 === 0 && { withdrawn }) });
  }
  return all;
}

function matchPromises({ describe, it }: Search): void {
  const page =
    'Returns one page of the automations that match, in the order that was asked for, and exactly how many match';
  describe(page, () => {
    it('by words, price, category, platform, developer and status, in every order', async (subject) => {
      await assertFound(subject.search, await fill(subject, 120));
    });

    it('by price alone, in both orders, within bounds and of a platform', async (subject) => {
      const [low, high] = [minorUnits(10), minorUnits(20)];
      const [none, free] = [{}, { highestPrice: minorUnits(0) }];
      const bounds = [
        none,
        free,
        { lowestPrice: low },
        { highestPrice: high },
        { lowestPrice: low, highestPrice: high },
        { platform: 'n8n' },
      ] as const;
      const [orders, pages] = [['price', '-price'] as const, [1, 2, 9].map((number) => ({ number, limit: 7 }))];
      const status = 'on-sale';
      const queries = orders.flatMap((order) =>
        bounds.flatMap((one) => pages.map((page) => ({ order, page, status, ...one }) as const)),
      );
      const all = await fill(subject, 60);
      await assertFound(subject.search, all, queries);
    });

    it('of none', async ({ search }) => {
      await assertFound(search, []);
    });

    for (const [q, texts] of Object.entries(BEST))
      it(`in the order \`best\` of ${q}, on pages of any size`, async ({ automations, search }) => {
        const stored = texts.map(([, title, description], n) => offer(n, { title, description }));
        await store(automations, ...stored);
        const expected = texts
          .map(([rank], n) => ({ rank, n }))
          .toSorted((one, other) => one.rank - other.rank || other.n - one.n);
        for (const limit of [1, 2, 3, 100]) {
          const found: string[] = [];
          for (const number of numbers(Math.ceil(texts.length / limit))) {
            const query = { page: { number, limit }, order: 'best', terms: searchTerms(q) } as const;
            const { items, total } = await searched(search, query);
            assert.equal(total, texts.length);
            found.push(...items.map(({ automation }) => automation.id));
          }
          assert.deepEqual(
            found,
            expected.map(({ n }) => automationIdOf(n)),
            `pages of ${limit}`,
          );
        }
      });

    it('of every automation by its own title, the worst ones, too', async ({ automations, search }) => {
      const others = WORST_TITLES.map((title, n) =>
        offer(100 + n, { title: 'x', description: Array.from(title).slice(1).join('') }),
      );
      await store(automations, ...WORST_TITLES.map((title, n) => offer(n, { title })), ...others);
      for (const [n, title] of WORST_TITLES.entries()) {
        const query = { ...FIRST, order: 'best', terms: searchTerms(title) } as const;
        const { items } = await searched(search, query);
        assert.equal(items[0]?.automation.id, automationIdOf(n), title);
      }
    });

    it('of every automation with a word of 64 characters, and with 2,000 words', async ({ automations, search }) => {
      const long = {
        title: 'x'.repeat(64),
        description: numbers(2_000)
          .map((n) => `w${n}`)
          .join(' '),
      };
      await store(automations, offer(1, long), offer(2, { title: 'x'.repeat(63) }));
      for (const terms of ['x'.repeat(64), 'w2000 w1 w1999'])
        assert.equal((await searched(search, { ...FIRST, terms: searchTerms(terms) })).total, 1);
    });
  });

  describe('A page past the end is empty and has the true total', () => {
    it('with terms, by price, and of a category', async (subject) => {
      const all = await fill(subject, 30);
      for (const query of [
        { terms: searchTerms('s'), order: 'newest' },
        { order: 'price' },
        { order: 'price', status: 'on-sale', highestPrice: minorUnits(30) },
        { order: 'newest', category: TOOLS, developerId: BOB },
      ] as const) {
        const past = { ...query, page: { number: 999_999_999, limit: 100 } };
        const { items, total } = await searched(subject.search, past);
        assert.deepEqual(items, []);
        assert.equal(total, expectedPage(all, past).total);
      }
    });
  });

  const counts = 'The counts of categories ignore the category of the query; a category without a match may be missing';
  describe(counts, () => {
    it('with and without a category', async (subject) => {
      const all = await fill(subject, 40);
      for (const category of [undefined, TOOLS, GAMES]) {
        const query = { ...FIRST, countCategories: true, ...(category && { category }) };
        const { categoryCounts } = await searched(subject.search, query);
        for (const id of [TOOLS, GAMES])
          assert.equal(categoryCounts?.get(id), all.filter((one) => one.automation.categoryId === id).length);
      }
    });

    it('only when they were asked for', async ({ automations, search }) => {
      await store(automations, offer(1));
      assert.equal((await searched(search, FIRST)).categoryCounts, undefined);
    });
  });
}

function wordPromises({ describe, it }: Search): void {
  describe('Words are those of `domain/words.ts`', () => {
    for (const [script, rows] of Object.entries(SCRIPTS))
      it(`${script}: what people type is found`, async ({ automations, search }) => {
        await store(automations, ...rows.flatMap(({ text }, n) => inBothPlaces(n, text)));
        for (const [n, row] of rows.entries()) await assertRow(search, n, row);
      });
  });
}

/** Returns two automations, one with the text as its title, one with the text in its description. */
function inBothPlaces(n: number, text: string): readonly NewAutomation[] {
  return [offer(2 * n, { title: text, description: '-' }), offer(2 * n + 1, { title: '-', description: `- ${text}.` })];
}

async function assertRow(search: SearchedStore['search'], n: number, { text, found, missing }: ScriptRow) {
  const ids = [2 * n + 1, 2 * n].map(automationIdOf);
  for (const q of [text, ...found, ...missing]) {
    const { items } = await searched(search, { ...FIRST, terms: searchTerms(q) });
    const those = items.map(({ automation }) => automation.id).filter((id) => ids.includes(id));
    assert.deepEqual(those, missing.includes(q) ? [] : ids, `${q} in ${text}`);
  }
}

function seenPromises({ describe, it }: Search): void {
  describe('What was stored, revised or withdrawn before the call began is seen', () => {
    const query: SearchQuery = { ...FIRST, status: 'on-sale', terms: searchTerms('blue whale') };
    const total = async ({ search }: SearchedStore) => (await searched(search, query)).total;

    it('one after the other', async (subject) => {
      for (const n of numbers(20)) {
        const [one] = await store(subject.automations, offer(n, { title: 'A blue whale' }));
        assert.equal(await total(subject), 1);
        const { automation: green } = await revise(subject.automations, one ?? assert.fail(), { title: 'Green whale' });
        assert.equal(await total(subject), 0);
        await revise(subject.automations, green, { description: 'Not blue.' });
        assert.equal(await total(subject), 1);
        await subject.automations.withdraw(green.id, withdrawal(n));
        assert.equal(await total(subject), 0);
      }
      assert.equal((await searched(subject.search, { ...query, status: 'withdrawn' })).total, 20);
    });

    it('of a platform, whose file came and went with revisions', async (subject) => {
      const content = new Uint8Array([1]);
      const file = fileOf(content, { platform: 'n8n' });
      const ofPlatform = async () => {
        const wanted = [searchTerms('whale'), undefined].map(
          (terms) => ({ ...query, terms, platform: 'n8n' }) as const,
        );
        return (await Promise.all(wanted.map((one) => searched(subject.search, one)))).map(({ total }) => total);
      };
      const [one = assert.fail()] = await store(subject.automations, offer(1, { title: 'A whale' }));
      assert.deepEqual(await ofPlatform(), [0, 0]);
      const withFile = { ...revision(one, { file }), fileContent: content };
      assert.deepEqual(await subject.automations.revise(withFile), { outcome: 'revised' });
      assert.deepEqual(await ofPlatform(), [1, 1]);
      await revise(subject.automations, withFile.automation, { file: null });
      assert.deepEqual(await ofPlatform(), [0, 0]);
    });

    it('also in the order of prices', async ({ automations, search }) => {
      const [one = assert.fail(), two = assert.fail()] = await store(automations, offer(1), offer(2));
      await revise(automations, one, { price: { ...one.price, minorUnits: minorUnits(900) } });
      const { items, total } = await searched(search, { ...FIRST, order: '-price', status: 'on-sale' });
      assert.equal(total, 2);
      assert.deepEqual(
        items.map(({ automation }) => automation.id),
        [one.id, two.id],
      );
    });
  });
}

function onePromises({ describe, it }: Search): void {
  describe('Items, total and counts show one state of the store', () => {
    it('while automations are stored and withdrawn', async ({ automations, search }) => {
      const terms = searchTerms('auto');
      const query: SearchQuery = { ...FIRST, status: 'on-sale', terms, countCategories: true };
      const stored = await store(automations, ...numbers(30).map((n) => offer(n)));
      const changing = (async () => {
        for (const [index, { id }] of stored.entries()) {
          await store(automations, offer(100 + index, { categoryId: GAMES }));
          await automations.withdraw(id, withdrawal(index));
        }
      })();
      await readWhile(async () => {
        const { items, total, categoryCounts } = await searched(search, query);
        assert.ok(total === 30 || total === 31, `${total} are on sale`);
        assert.equal(items.length, total);
        const games = items.filter(({ automation }) => automation.categoryId === GAMES).length;
        assert.equal(categoryCounts?.get(GAMES) ?? 0, games);
      }, changing);
    });
  });
}

function copyPromises({ describe, it }: Search): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was found', async (subject) => {
      const all = await fill(subject, 12);
      tamper(await searched(subject.search, { ...FIRST, countCategories: true }));
      await assertFound(subject.search, all);
    });
  });
}
