import assert from './assert.js';
import type { Automation } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type {
  ArchivedAutomation,
  CatalogueSearch,
  NewAutomation,
  SearchPage,
  SearchQuery,
  Storage,
} from '../../domain/ports.js';
import { matchesTerms, rankOf, searchTerms } from '../../domain/search-terms.js';
import { indexedText, type IndexedText } from '../../domain/words.js';
import { ADA, automation, BOB, fileOf, GAMES, numbers, TOOLS } from './offers.js';
import { minorUnits } from '../../domain/price.js';

/** A store and its search. */
export type SearchedStore = Pick<Storage, 'automations'> & { readonly search: CatalogueSearch };

/** A storage that may be without a search. */
export type SearchableStore = Pick<Storage, 'automations' | 'search'> & Partial<Pick<Storage, 'supports'>>;

const WORDS = [
  'send',
  'slack',
  'invoice',
  'co-op',
  'Überweisung',
  'サーバーAI',
  'हिन्दी',
  'sendet',
  's3',
  'slackbot',
  'x',
  'c++',
  'C#',
];
/** `best` is not among them: it needs terms. */
const ORDERS = ['newest', 'price', '-price'] as const;
const MAX_WAIT_MS = 30_000;
/** Failures of a search that pass by themselves. */
const PASSING: readonly unknown[] = ['search-incomplete', 'search-too-slow'];

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] ?? assert.fail();

function text(n: number, count: number): string {
  return numbers(count)
    .map((place) => pick(WORDS, Math.floor((n * 7_919 + place * place * 104_729) / 13)))
    .join(' ');
}

const CONTENT = new Uint8Array([1]);
/** Of a platform, of none, and no file. */
const FILES = [{ file: fileOf(CONTENT, { platform: 'n8n' }) }, { file: fileOf(CONTENT) }, {}, {}] as const;

/** Returns an automation of a small market in which words, prices, categories and files occur again and again. */
export function sample(n: number): Automation {
  return automation(n, {
    title: text(n, 1 + (n % 3)),
    description: text(n + 1_000_003, 2 + (n % 4)),
    price: { ...automation(n).price, minorUnits: minorUnits((n * 37) % 50) },
    categoryId: pick([TOOLS, GAMES, TOOLS], n),
    ...pick(FILES, Math.floor(n / 2)),
    developerId: pick([ADA, BOB], n),
  });
}

/** Returns an offer of such an automation. */
export function sampleOffer(n: number): NewAutomation {
  const automation = sample(n);
  return { automation, ...(automation.file && { fileContent: CONTENT }) };
}

const TERMS = ['s', 'send slack', 'ai サーバ', 'co op uber', 'हिन्दी c', 'c++', `${WORDS.join(' ')} a b d e f g`].map(
  searchTerms,
);

const FILTERS: readonly Partial<SearchQuery>[] = [
  { status: 'on-sale' },
  { status: 'on-sale', category: TOOLS },
  { status: 'on-sale', lowestPrice: minorUnits(10), highestPrice: minorUnits(20) },
  { status: 'on-sale', category: GAMES, highestPrice: minorUnits(30) },
  { status: 'on-sale', platform: 'n8n' },
  { status: 'on-sale', platform: 'n8n', category: TOOLS, highestPrice: minorUnits(30) },
  { status: 'on-sale', platform: 'n8n', developerId: BOB },
  { platform: 'n8n', developerId: ADA },
  { status: 'withdrawn', platform: 'n8n' },
  { status: 'withdrawn' },
  { status: 'withdrawn', developerId: ADA },
  { developerId: BOB },
  { developerId: ADA, category: TOOLS, lowestPrice: minorUnits(5) },
  { status: 'on-sale', developerId: BOB },
  { status: 'on-sale', highestPrice: minorUnits(0) },
  { highestPrice: minorUnits(0) },
  {},
];

/** Returns queries of the sample: every order with and without terms, under every filter. */
export function queries(): readonly SearchQuery[] {
  const withTerms = TERMS.map((terms) => ({ terms }));
  const orders = [
    ...ORDERS.flatMap((order) => [{}, ...withTerms].map((one) => ({ order, ...one }))),
    ...withTerms.map((one) => ({ order: 'best' as const, ...one })),
  ];
  return orders
    .flatMap((one) => FILTERS.map((filter, n) => ({ ...one, ...filter, countCategories: n % 2 === 0 })))
    .map((one, n) => ({ ...one, page: { number: pick([1, 2, 9, 60], n + Math.floor(n / 10)), limit: 7 } }));
}

const texts = new WeakMap<Automation, IndexedText>();

/** Returns what an index keeps of an automation, made once for all queries. */
export function indexedOnce(one: Automation): IndexedText {
  const text = texts.get(one) ?? indexedText(one);
  texts.set(one, text);
  return text;
}

/** Returns what a search must find among these, which are given oldest first. */
export function expectedPage(oldestFirst: readonly ArchivedAutomation[], query: SearchQuery): SearchPage {
  const { page, order, category, countCategories } = query;
  const found = oldestFirst.filter((one) => isMatch(one, query)).reverse();
  const inCategory = found.filter(({ automation: { categoryId } }) => (category ?? categoryId) === categoryId);
  const rank = order === 'newest' ? () => 0 : order === 'best' ? rankIn(query) : priceOf;
  const sorted = inCategory.toSorted((one, other) => rank(one) - rank(other));
  if (order === '-price') sorted.reverse();
  const counts = new Map<CategoryId, number>();
  for (const { automation: one } of found) counts.set(one.categoryId, (counts.get(one.categoryId) ?? 0) + 1);
  return {
    items: sorted.slice((page.number - 1) * page.limit, page.number * page.limit),
    total: sorted.length,
    ...(countCategories === true && { categoryCounts: counts }),
  };
}

function priceOf({ automation: { price } }: ArchivedAutomation): number {
  return price.minorUnits;
}

function rankIn({ terms }: SearchQuery) {
  return ({ automation: one }: ArchivedAutomation) => (terms === undefined ? 0 : rankOf(indexedOnce(one), terms));
}

function isMatch({ automation: one, withdrawn }: ArchivedAutomation, query: SearchQuery): boolean {
  const { terms, platform, developerId, status, lowestPrice = 0, highestPrice = Infinity } = query;
  return (
    (status === undefined || (status === 'withdrawn') === (withdrawn !== undefined)) &&
    (platform === undefined || platform === one.file?.platform) &&
    (developerId === undefined || developerId === one.developerId) &&
    one.price.minorUnits >= lowestPrice &&
    one.price.minorUnits <= highestPrice &&
    (terms === undefined || matchesTerms(indexedOnce(one), terms))
  );
}

/** Searches again while an index is not complete, or a busy machine gives the store too little time to answer. */
export async function searched(search: CatalogueSearch, query: SearchQuery): Promise<SearchPage> {
  for (const end = Date.now() + MAX_WAIT_MS; ;)
    try {
      return await search.search(query);
    } catch (error) {
      if (!PASSING.includes((error as { code?: string }).code) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

/** Asserts that the queries of the sample find what they must among these. */
export async function assertFound(
  search: CatalogueSearch,
  oldestFirst: readonly ArchivedAutomation[],
  asked = queries(),
): Promise<void> {
  for (const query of asked) {
    const found = withoutZeros(await searched(search, query));
    assert.deepEqual(found, withoutZeros(expectedPage(oldestFirst, query)), JSON.stringify(query));
  }
}

/** Returns the page without categories of which nothing matches: they may be missing. */
function withoutZeros({ categoryCounts, ...page }: SearchPage): unknown {
  if (categoryCounts === undefined) return page;
  const counts = Array.from(categoryCounts).filter(([, count]) => count > 0);
  return { ...page, counts: Object.fromEntries(counts) };
}
