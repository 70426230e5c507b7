import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { decorated } from '../../../adapters/storage/decorated.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { Catalogue } from '../../../application/catalogue.js';
import { newCategory } from '../../../domain/category.js';
import { newPage } from '../../../domain/page.js';
import type { SearchQuery } from '../../../domain/ports.js';
import {
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  store,
  storeMany,
  TOOLS,
} from '../../contracts/offers.js';
import { brokenBy, failureOf } from '../domain/failure.js';

const TITLES = { tools: 'Tools', games: 'Games' };

/** Seven automations on sale: even ones are games, every third is Bob's; the eighth was withdrawn. */
async function open({ hasWords = true } = {}) {
  const storage = inMemoryStorage({ search: hasWords });
  await storage.categories.save(Object.entries(TITLES).map(([id, name]) => newCategory({ id, name })));
  const fields = (n: number) => ({ categoryId: n % 2 === 0 ? GAMES : TOOLS, ...(n % 3 === 0 && { developerId: BOB }) });
  await store(storage.automations, ...numbers(8).map((n) => offer(n, fields(n))));
  await storage.automations.withdraw(automationIdOf(8), { by: 'developer', at: at(9), reason: 'A fraud.' });
  const searches: object[] = [];
  const search = async (query: SearchQuery) => {
    searches.push(query);
    return storage.search.search(query);
  };
  return { catalogue: new Catalogue({ ...storage, search: { search } }), storage, searches };
}

const shown = (items: readonly { readonly title: string }[]) => items.map(({ title }) => title.slice(-1)).join('');
const counts = (categories: readonly { readonly id: string; readonly automationCount: number }[]) =>
  Object.fromEntries(categories.map(({ id, automationCount }) => [id, automationCount]));

describe('The catalogue', () => {
  it('has all that is on sale, newest first, with its texts, and asks no search for that', async () => {
    const { catalogue, searches } = await open();
    const { items, total, categories } = await catalogue.find({ limit: 3 });
    expect([shown(items), total, counts(categories)]).to.deep.equal(['765', 7, { games: 3, tools: 4 }]);
    expect(items[0]).to.deep.equal(automation(7, { categoryId: TOOLS }));
    expect(categories.map(({ name }) => name)).to.deep.equal(['Games', 'Tools']);
    expect(shown((await catalogue.find({ limit: 3, page: 3 })).items)).to.equal('1');
    expect(await catalogue.find({ limit: 3, page: 9 })).to.deep.include({ items: [], total: 7 });
    expect(searches).to.deep.equal([]);
  });

  it('counts each category by all other filters', async () => {
    const { catalogue } = await open();
    for (const request of [{ category: 'games' }, { category: 'games', priceMin: 0 }]) {
      const { items, total, categories } = await catalogue.find(request);
      expect([shown(items), total, counts(categories)]).to.deep.equal(['642', 3, { games: 3, tools: 4 }]);
    }
    const found = await catalogue.find({ category: 'games', priceMin: 1.04 });
    expect([shown(found.items), found.total, counts(found.categories)]).to.deep.equal([
      '64',
      2,
      { games: 2, tools: 2 },
    ]);
    const words = await catalogue.find({ q: 'number 5', category: 'games', sort: 'best' });
    expect([shown(words.items), words.total, counts(words.categories)]).to.deep.equal(['', 0, { games: 0, tools: 1 }]);
  });

  it('has nothing in a category that cannot be', async () => {
    const { catalogue } = await open();
    for (const category of ['unknown', 'Not a slug', ''])
      for (const price of [{}, { priceMin: 0 }])
        expect(await catalogue.find({ category, ...price })).to.deep.include({ items: [], total: 0 });
  });

  it('reports every broken rule, and what it cannot search', async () => {
    const { catalogue } = await open();
    const request = { q: '...', priceMin: 'abc', sort: 'worst', page: 0 };
    const broken = ['page: out-of-range', 'q: too-short', 'priceMin: wrong-type', 'sort: unknown-value'];
    expect(await brokenBy(() => catalogue.find(request))).to.deep.equal(broken);
    expect(catalogue.review(request).map(({ field, code }) => `${field}: ${code}`)).to.deep.equal(broken);
    const { catalogue: without } = await open({ hasWords: false });
    expect((await failureOf(() => without.find({ q: 'number' }))).code).to.equal('search-off');
    expect((await without.find({ sort: '-price' })).total).to.equal(7);
  });

  it('shows one, also a withdrawn one without the reason, and the rest of its developer', async () => {
    const { catalogue } = await open();
    expect(await catalogue.read(automationIdOf(1))).to.deep.equal({ automation: automation(1) });
    expect((await catalogue.read(automationIdOf(8)))?.withdrawn).to.deep.equal({ at: at(9), by: 'developer' });
    for (const id of [automationIdOf(99), 'nothing', '']) expect(await catalogue.read(id)).to.equal(undefined);
    expect(shown(await catalogue.moreOf(automation(7), 3))).to.equal('542');
    expect(shown(await catalogue.moreOf(automation(1), 3))).to.equal('754');
    expect(shown(await catalogue.moreOf(automation(6, { developerId: BOB }), 3))).to.equal('3');
  });

  it('shows what a developer sells', async () => {
    const { catalogue } = await open();
    const { items, total } = await catalogue.ofDeveloper(BOB, newPage({ limit: 1 }));
    expect([shown(items), total]).to.deep.equal(['6', 2]);
    expect(shown((await catalogue.ofDeveloper(BOB, newPage({}), TOOLS)).items)).to.equal('3');
  });

  it('has the newest of all and of a category', async () => {
    const { catalogue } = await open();
    expect(shown(await catalogue.newest(2))).to.equal('76');
    expect(shown(await catalogue.newest(2, GAMES))).to.equal('64');
    expect(counts(await catalogue.categories())).to.deep.equal({ games: 3, tools: 4 });
  });

  it('reads a page, its texts and the counts of categories by one call, of one state', async () => {
    const { catalogue, storage } = await open();
    const calls: string[] = [];
    const automations = decorated(storage.automations, {}, (name, run) => {
      calls.push(name);
      return run();
    });
    const watched = new Catalogue({ ...storage, automations });
    for (const category of [undefined, 'games']) {
      expect(await watched.find({ category, limit: 3 })).to.deep.equal(await catalogue.find({ category, limit: 3 }));
      await watched.newest(3);
    }
    expect(calls).to.deep.equal(['list', 'list', 'list', 'list']);
  });

  it('is listed in parts', async () => {
    const { automations, archive, categories } = inMemoryStorage();
    const stored = await storeMany(automations, mixedOffers(2_350));
    const catalogue = new Catalogue({ automations, archive, categories, search: new ScanningSearch(archive) });
    const newestFirst = stored.map(({ id }) => id).toReversed();
    const partOf = async (start: number, size: number) => {
      const ids: string[] = [];
      for await (const lot of catalogue.part(start, size)) ids.push(...lot.map(({ id }) => id));
      return ids;
    };
    for (const [start, size] of [
      [0, 100],
      [0, 50_000],
      [100, 1_200],
      [2_300, 100],
      [2_400, 100],
      [9_000, 100],
    ] as const)
      expect(await partOf(start, size), `${start}`).to.deep.equal(newestFirst.slice(start, start + size));
    expect((await catalogue.size()).total).to.equal(2_350);
  });
});
