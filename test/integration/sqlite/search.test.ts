import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { ScanningSearch } from '../../../adapters/storage/index.js';
import type { SqliteStorage } from '../../../adapters/sqlite/index.js';
import type { Automation } from '../../../domain/automation.js';
import type { SearchOrder, SearchPage, SearchQuery } from '../../../domain/ports.js';
import {
  ADA,
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  numbers,
  revision,
  storeMany,
  TOOLS,
} from '../../contracts/offers.js';
import { Stores } from './stores.js';

const WORDS = ['send', 'slack', 'invoice', 'co-op', 'Überweisung', 'サーバーAI', 'हिन्दी', 'sendet', 's3', 'slackbot', 'x'];
const ORDERS: readonly SearchOrder[] = ['newest', 'price', '-price', 'best'];

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] ?? expect.fail();

function text(n: number, count: number): string {
  return numbers(count)
    .map((place) => pick(WORDS, Math.floor((n * 7_919 + place * place * 104_729) / 13)))
    .join(' ');
}

function sample(n: number): Automation {
  return automation(n, {
    title: text(n, 1 + (n % 3)),
    description: text(n + 1_000_003, 2 + (n % 4)),
    price: { ...automation(n).price, minorUnits: (n * 37) % 50 },
    categoryId: pick([TOOLS, GAMES, TOOLS], n),
    developerId: pick([ADA, BOB], n),
  });
}

async function fill({ automations }: SqliteStorage, count: number): Promise<void> {
  await storeMany(automations, numbers(count).map((n) => ({ automation: sample(n) })));
}

const TERMS = [
  { words: [], prefix: 's' },
  { words: [], prefix: 'send' },
  { words: ['send'], prefix: 'slack' },
  { words: ['ai'], prefix: 'サ' },
  { words: ['co', 'op'], prefix: 'uber' },
  { words: ['हिन्दी'], prefix: 'i' },
  { words: ['nothing'], prefix: 's' },
];

function queries(): readonly SearchQuery[] {
  const filters: readonly Partial<SearchQuery>[] = [
    { status: 'on-sale' },
    { status: 'on-sale', category: TOOLS },
    { status: 'on-sale', lowestPrice: 10, highestPrice: 20 },
    { status: 'on-sale', category: GAMES, highestPrice: 30 },
    { status: 'withdrawn' },
    { status: 'withdrawn', developerId: ADA },
    { developerId: BOB },
    { developerId: ADA, category: TOOLS, lowestPrice: 5 },
    { status: 'on-sale', developerId: BOB },
    {},
  ];
  const terms = [{}, ...TERMS.map((each) => ({ terms: each }))];
  const orders = ORDERS.flatMap((order) => terms.map((each) => ({ order, ...each })));
  const all = orders.flatMap((one) =>
    filters.map((filter, n) => ({ ...one, ...filter, countCategories: n % 2 === 0 })),
  );
  return all
    .filter((one) => one.order !== 'best' || 'terms' in one)
    .flatMap((one) => [1, 2, 9, 60].map((number) => ({ ...one, page: { number, limit: 7 } })))
    .filter((_, n) => n % 7 === 0);
}

async function assertAsScanned(storage: SqliteStorage): Promise<void> {
  const scanning = new ScanningSearch(storage.archive);
  for (const query of queries()) {
    const [found, expected] = [await storage.search.search(query), await scanning.search(query)];
    expect(withoutZeros(found), JSON.stringify(query)).to.deep.equal(withoutZeros(expected));
  }
}

function withoutZeros({ categoryCounts, ...page }: SearchPage): unknown {
  const counts = categoryCounts && Object.fromEntries(Array.from(categoryCounts).filter(([, count]) => count > 0));
  return { ...page, counts };
}

/** Waits until the index is complete. */
async function search(storage: SqliteStorage, query: SearchQuery): Promise<SearchPage> {
  for (;;)
    try {
      return await storage.search.search(query);
    } catch (error) {
      if ((error as { code?: string }).code !== 'search-incomplete') throw error;
      await setTimeout(10);
    }
}

describe('Searches in SQLite find what a search that reads everything finds', function () {
  this.timeout(60_000);
  const stores = new Stores();
  afterEach(() => stores.close());

  for (const [name, count] of [['before the index has words', 300], ['with a lot in the index', 800]] as const)
    for (const place of ['in memory', 'in a file'])
      it(`${name}, ${place}, also after revisions and withdrawals`, async () => {
        const storage = stores.storage(place === 'in memory' ? ':memory:' : stores.newFile());
        await storage.prepare({ currency: automation(1).price.currency });
        await fill(storage, count);
        for (const n of numbers(count).filter((each) => each % 11 === 0))
          await storage.automations.withdraw(automationIdOf(n), { at: at(n) });
        for (const n of numbers(count).filter((each) => each % 13 === 5 && each % 11 !== 0))
          await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
        await assertAsScanned(storage);
      });

  it('in a store that is larger than what a search compares by itself, whose index is built later', async () => {
    const storage = stores.storage();
    await fill(storage, 5_000);
    const query = { page: { number: 1, limit: 3 }, order: 'newest', terms: { words: [], prefix: 's' } } as const;
    const failure = await storage.search.search(query).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-incomplete' });
    expect(await search(storage, query)).to.deep.equal(await new ScanningSearch(storage.archive).search(query));
  });
});
