import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import type { ListRequest, UncheckedListRequest } from '../../../application/list-request.js';
import { Marketplace } from '../../../application/marketplace.js';
import type { Currency } from '../../../domain/currency.js';
import { automation, automationIdOf, BOB, GAMES, offer, store } from '../../contracts/offers.js';
import { spied } from '../../support/service/spy.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { reader, writer } from './people.js';
import { minorUnits } from '../../../domain/price.js';

const SHELF = [
  { title: 'Sort invoices', description: 'By supplier.', price: 500 },
  { title: 'Invoice reminder', description: 'Sorts what is due.', price: 0, categoryId: GAMES },
  { title: 'Tidy photos', description: 'By place.', price: 500, developerId: BOB },
  { title: 'Facturé', description: 'An invoice, sorted.', price: 1_250 },
];

const priceIn = (count: number, currency: string) => ({
  minorUnits: minorUnits(count),
  currency: currency as Currency,
});

/** A marketplace with four automations, and the calls of its storage. */
async function open(currency = 'USD') {
  const memory = inMemoryStorage();
  const fields = SHELF.map((one) => ({ ...one, price: priceIn(one.price, currency) }));
  await store(memory.automations, ...fields.map((one, index) => offer(index + 1, one)));
  const { repositories, calls } = spied({ ...memory, search: new ScanningSearch(memory.archive) });
  const { automations, categories, search } = repositories;
  return { marketplace: new Marketplace(automations, categories, { ...(search && { search }), currency }), calls };
}

describe('a list by words, price and order', () => {
  const found = async (request: ListRequest) => {
    const { items, total, page } = await (await open()).marketplace.listAutomations(reader, request);
    expect(page).to.deep.equal({ number: request.page ?? 1, limit: request.limit ?? 25 });
    return [items.map(({ id }) => [1, 2, 3, 4].find((n) => automationIdOf(n) === id)), total];
  };

  const CASES: readonly (readonly [ListRequest, readonly number[], number])[] = [
    [{ q: 'invoice' }, [4, 2, 1], 3],
    [{ q: 'sort INV' }, [1], 1],
    [{ q: 'facture' }, [4], 1],
    [{ q: 'invoices sorts' }, [], 0],
    [{ q: 'invoice', sort: 'best' }, [2, 1, 4], 3],
    [{ sort: 'price' }, [2, 3, 1, 4], 4],
    [{ sort: '-price' }, [4, 1, 3, 2], 4],
    [{ priceMin: 5 }, [4, 3, 1], 3],
    [{ priceMax: 5 }, [3, 2, 1], 3],
    [{ priceMin: 5, priceMax: 5, sort: '-price' }, [1, 3], 2],
    [{ priceMin: 0.01, priceMax: 99_999_999.99 }, [4, 3, 1], 3],
    [{ priceMax: 0 }, [2], 1],
    [{ q: 'invoice', category: 'games' }, [2], 1],
    [{ q: 'invoice', category: 'no such' }, [], 0],
    [{ q: 'invoice', category: 'unknown' }, [], 0],
    [{ q: 'invoice', sort: 'price', page: 2, limit: 2 }, [4], 3],
    [{ q: 'invoice', page: 9 }, [], 3],
  ];
  for (const [request, numbers, total] of CASES)
    it(`has what ${JSON.stringify(request)} asks for`, async () => {
      expect(await found(request)).to.deep.equal([numbers, total]);
    });

  it('has id, title and price of each, and no revision', async () => {
    const { id } = automation(1);
    const price = { minorUnits: 500, currency: 'USD' };
    expect(await (await open()).marketplace.listAutomations(reader, { q: 'sort inv' })).to.deep.equal({
      items: [{ id, title: 'Sort invoices', price }],
      total: 1,
      page: { number: 1, limit: 25 },
    });
  });

  for (const request of [{}, { category: 'games', page: 2 }, { sort: 'newest' }, { q: undefined, limit: 1 }] as const)
    it(`calls no search for ${JSON.stringify(request)}`, async () => {
      const { marketplace, calls } = await open();
      expect(await marketplace.listAutomations(reader, request)).to.have.property('revision');
      expect(calls).to.deep.equal(['automations.list']);
    });

  for (const request of [{ q: 'a' }, { platform: 'n8n' }, { sort: 'price' }, { priceMin: 0 }, { priceMax: 1 }] as const)
    it(`calls the search alone for ${JSON.stringify(request)}`, async () => {
      const { marketplace, calls } = await open();
      await marketplace.listAutomations(reader, request);
      expect(calls).to.deep.equal(['search.search']);
    });

  it('has what comes behind an automation, as page 1, and calls no search', async () => {
    const { marketplace, calls } = await open();
    const list = async (request: ListRequest) => {
      const { items, total, page } = await marketplace.listAutomations(reader, request);
      return [items.map(({ id }) => [1, 2, 3, 4].find((n) => automationIdOf(n) === id)), total, page];
    };
    const after = automationIdOf(4);
    expect(await list({ after, limit: 2 })).to.deep.equal([[3, 2], 4, { number: 1, limit: 2 }]);
    expect(await list({ after, category: 'games' })).to.deep.equal([[2], 1, { number: 1, limit: 25 }]);
    expect(await list({ after, category: 'unknown' })).to.deep.equal([[], 0, { number: 1, limit: 25 }]);
    expect(calls).to.deep.equal(['automations.list', 'automations.list', 'automations.list']);
    expect(await brokenBy(() => list({ after: automationIdOf(9) }))).to.deep.equal(['after: unknown-value']);
  });

  it('needs the scope to read', async () => {
    const { marketplace } = await open();
    const failure = await failureOf(() => marketplace.listAutomations(writer, { q: '!' }));
    expect([failure.kind, failure.code]).to.deep.equal(['forbidden', 'automations:read']);
  });
});

describe('a request for a list', () => {
  const MISTAKES: readonly (readonly [UncheckedListRequest, readonly string[]])[] = [
    [{ q: '' }, ['q: too-short']],
    [{ q: ' !? ' }, ['q: too-short']],
    [{ q: 7 }, ['q: wrong-type']],
    [{ category: 5 }, ['category: wrong-type']],
    [{ category: null }, ['category: wrong-type']],
    [{ q: 'a'.repeat(201) }, ['q: too-long']],
    [{ platform: 'zapier' }, ['platform: unknown-value']],
    [{ platform: 'N8N' }, ['platform: unknown-value']],
    [{ platform: '' }, ['platform: unknown-value']],
    [{ platform: ['n8n'] }, ['platform: unknown-value']],
    [{ sort: 'best' }, ['sort: unknown-value']],
    [{ sort: 'Price' }, ['sort: unknown-value']],
    [{ sort: null }, ['sort: unknown-value']],
    [{ sort: 'toString' }, ['sort: unknown-value']],
    [{ priceMin: -0.01 }, ['priceMin: out-of-range']],
    [{ priceMax: 100_000_000 }, ['priceMax: out-of-range']],
    [{ priceMax: NaN }, ['priceMax: wrong-type']],
    [{ priceMax: '5' }, ['priceMax: wrong-type']],
    [{ priceMin: 1.001 }, ['priceMin: invalid-format']],
    [{ priceMin: 2, priceMax: 1.99 }, ['priceMin: out-of-range']],
    [{ priceMin: 2, priceMax: -1 }, ['priceMax: out-of-range']],
    [{ after: 'nothing' }, ['after: unknown-value']],
    [{ after: '' }, ['after: unknown-value']],
    [{ after: 7, limit: 0, category: 5 }, ['after: unknown-value', 'limit: out-of-range', 'category: wrong-type']],
    [{ after: automationIdOf(1), page: 1 }, ['page: unknown-value']],
    [
      { after: automationIdOf(1), platform: 'n8n', q: '', sort: 'newest', priceMin: 1, priceMax: 0, page: 0 },
      ['q', 'platform', 'sort', 'priceMin', 'priceMax', 'page'].map((field) => `${field}: unknown-value`),
    ],
    [
      { q: '', sort: 'x', priceMin: -1, priceMax: 0.001, page: 0, limit: 101 },
      ['page: out-of-range', 'limit: out-of-range', 'q: too-short', 'priceMin: out-of-range'].concat([
        'priceMax: invalid-format',
        'sort: unknown-value',
      ]),
    ],
  ];
  for (const [request, broken] of MISTAKES)
    it(`breaks ${broken.join(', ')}: ${JSON.stringify(request).slice(0, 80)}`, async () => {
      const { marketplace, calls } = await open();
      expect(await brokenBy(() => marketplace.listAutomations(reader, request as ListRequest))).to.deep.equal(broken);
      const reviewed = marketplace.reviewListRequest(request).map(({ field, code }) => `${field}: ${code}`);
      expect(reviewed).to.deep.equal(broken);
      expect(calls).to.deep.equal([]);
    });

  it('has prices with the decimals of the currency', async () => {
    const [yen, dinar] = [(await open('JPY')).marketplace, (await open('KWD')).marketplace];
    expect(await brokenBy(() => yen.listAutomations(reader, { priceMin: 0.5 }))).to.deep.equal([
      'priceMin: invalid-format',
    ]);
    expect((await yen.listAutomations(reader, { priceMin: 500 })).total).to.equal(3);
    expect((await dinar.listAutomations(reader, { priceMin: 0.501, priceMax: 1.25 })).total).to.equal(1);
  });

  it('without a search is for plain lists only', async () => {
    const { automations, categories } = inMemoryStorage();
    const marketplace = new Marketplace(automations, categories);
    const request: ListRequest = { q: 'newest', platform: 'n8n', sort: 'price', priceMin: 1, priceMax: 0 };
    expect(await brokenBy(() => marketplace.listAutomations(reader, request))).to.deep.equal([
      'q: unknown-value',
      'platform: unknown-value',
      'sort: unknown-value',
      'priceMin: unknown-value',
      'priceMax: unknown-value',
    ]);
    expect((await marketplace.listAutomations(reader, { sort: 'newest', limit: 3 })).total).to.equal(0);
  });
});
