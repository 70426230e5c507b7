import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { searchTerms } from '../../../domain/search-terms.js';
import type { SearchQuery } from '../../../domain/ports.js';
import { catalogueSearchContract } from '../../contracts/index.js';
import {
  at,
  automationIdOf,
  BOB,
  GAMES,
  numbers,
  offer,
  storeMany,
  TOOLS,
  withdrawal,
} from '../../contracts/offers.js';
import { minorUnits } from '../../../domain/price.js';

const COUNT = 2_100;
const WITHDRAWN = [1_000, 1_001, 2_100];

describe('a search that reads everything', () => {
  catalogueSearchContract(() => {
    const storage = inMemoryStorage();
    return { ...storage, search: new ScanningSearch(storage.archive) };
  });

  /** Every third is a game, every fifth Bob's; three are withdrawn. */
  const { automations, archive } = inMemoryStorage();
  const search = new ScanningSearch(archive);
  const find = async (query: Partial<SearchQuery>) => {
    const page = await search.search({ page: { number: 1, limit: 3 }, order: 'newest', ...query });
    return { ...page, items: page.items.map(({ automation }) => Number(automation.title.split(' ')[1])) };
  };

  before(async () => {
    const fields = (n: number) => ({
      ...(n % 3 === 0 && { categoryId: GAMES }),
      ...(n % 5 === 0 && { developerId: BOB }),
    });
    await storeMany(
      automations,
      numbers(COUNT).map((n) => offer(n, fields(n))),
    );
    for (const n of WITHDRAWN) await automations.withdraw(automationIdOf(n), withdrawal(1, { reason: 'A fraud.' }));
  });

  it('finds in parts of a large archive, and each once', async () => {
    expect(await find({})).to.deep.equal({ items: [2100, 2099, 2098], total: COUNT });
    expect(await find({ page: { number: 700, limit: 3 } })).to.deep.equal({ items: [3, 2, 1], total: COUNT });
    expect(await find({ page: { number: 701, limit: 3 } })).to.deep.equal({ items: [], total: COUNT });
    const terms = searchTerms('automation 1000');
    expect(await find({ terms })).to.deep.equal({ items: [1000], total: 1 });
  });

  it('finds by status and developer', async () => {
    expect((await find({ status: 'on-sale' })).items).to.deep.equal([2099, 2098, 2097]);
    expect(await find({ status: 'withdrawn' })).to.deep.equal({ items: [2100, 1001, 1000], total: 3 });
    expect(await find({ status: 'withdrawn', developerId: BOB })).to.deep.equal({ items: [2100, 1000], total: 2 });
    const { items } = await search.search({ page: { number: 1, limit: 1 }, order: 'newest', status: 'withdrawn' });
    expect(items[0]?.withdrawn).to.deep.equal({ at: at(1), by: 'developer', reason: 'A fraud.' });
  });

  it('orders by price, equal prices newest first, and the exact reverse', async () => {
    const prices = { lowestPrice: minorUnits(110), highestPrice: minorUnits(112) };
    expect(await find({ order: 'price', ...prices })).to.deep.equal({ items: [10, 11, 12], total: 3 });
    expect(await find({ order: '-price', ...prices })).to.deep.equal({ items: [12, 11, 10], total: 3 });
  });

  it('counts the matches of each category, whatever the category of the query', async () => {
    const counts = [
      [GAMES, 699],
      [TOOLS, 1_398],
    ] as const;
    for (const category of [GAMES, TOOLS]) {
      const { total, categoryCounts } = await find({ status: 'on-sale', category, countCategories: true });
      expect(Array.from(categoryCounts ?? [])).to.have.deep.members(counts);
      expect(total).to.equal(new Map(counts).get(category));
    }
    expect(await find({ category: GAMES })).to.not.have.property('categoryCounts');
  });
});
