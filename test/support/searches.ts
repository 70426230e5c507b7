import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { ScanningSearch } from '../../adapters/storage/index.js';
import type { Automation } from '../../domain/automation.js';
import type { CatalogueSearch, SearchOrder, SearchPage, SearchQuery, Storage } from '../../domain/ports.js';
import { ADA, automation, BOB, GAMES, numbers, storeMany, TOOLS } from '../contracts/offers.js';

type Searchable = Storage & { readonly search: CatalogueSearch };

const WORDS = ['send', 'slack', 'invoice', 'co-op', 'Überweisung', 'サーバーAI', 'हिन्दी', 'sendet', 's3', 'slackbot', 'x'];
const ORDERS: readonly SearchOrder[] = ['newest', 'price', '-price', 'best'];

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] ?? expect.fail();

function text(n: number, count: number): string {
  return numbers(count)
    .map((place) => pick(WORDS, Math.floor((n * 7_919 + place * place * 104_729) / 13)))
    .join(' ');
}

/** Returns an automation of a small market in which words, prices and categories occur again and again. */
export function sample(n: number): Automation {
  return automation(n, {
    title: text(n, 1 + (n % 3)),
    description: text(n + 1_000_003, 2 + (n % 4)),
    price: { ...automation(n).price, minorUnits: (n * 37) % 50 },
    categoryId: pick([TOOLS, GAMES, TOOLS], n),
    developerId: pick([ADA, BOB], n),
  });
}

/** Adds the first automations of the sample. */
export async function fill({ automations }: Storage, count: number): Promise<void> {
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

/** Asserts that searches of all kinds find what a search that reads everything finds. */
export async function assertAsScanned(storage: Searchable): Promise<void> {
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
export async function searchWhenComplete(storage: Searchable, query: SearchQuery): Promise<SearchPage> {
  for (;;)
    try {
      return await storage.search.search(query);
    } catch (error) {
      if ((error as { code?: string }).code !== 'search-incomplete') throw error;
      await setTimeout(10);
    }
}
