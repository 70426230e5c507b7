/** What searches cost on each storage, on MongoDB at a tenth of the size: `node dist/bench/searches.js [SIZE]`. */
import { inMemoryStorage } from '../adapters/in-memory/index.js';
import { DEFAULT_CURRENCY } from '../domain/currency.js';
import { DomainError } from '../domain/errors.js';
import type { Automation } from '../domain/automation.js';
import { newPage } from '../domain/page.js';
import type { CatalogueSearch, SearchQuery, Storage } from '../domain/ports.js';
import { checkSearchTerms } from '../domain/search-terms.js';
import { newPlace, openPlace, type Place } from '../test/support/place.js';
import { inBatches, newAutomations, newCategories } from './catalogue.js';
import { grouped, machine, numbersGiven, table } from './figures.js';

const LIMIT = 20;
const ROUNDS = 40;
const BATCH = 1_000;
const MATCHES_OF_TWO_WORDS = 10_000;
const CATEGORIES = newCategories(16);
const [CATEGORY] = CATEGORIES;

type Searchable = Storage & { readonly search: CatalogueSearch };
/** The most milliseconds (p95) in memory and on SQLite, on MongoDB, on PostgreSQL; or this many times a plain list. */
type Gate = readonly [local: number, mongodb: number, postgresql: number] | { readonly timesPlain: number };

/** A query, of a page that is given as a share of all pages. */
interface Search {
  readonly name: string;
  readonly q?: string;
  readonly query: Partial<SearchQuery>;
  readonly depth?: number;
  readonly gate: Gate;
}

const HALF = 'halfly';
const SEARCHES: readonly Search[] = [
  { name: 'two words, 10,000 matches', q: 'alpha beta', query: { order: 'newest' }, gate: [50, 150, 150] },
  { name: 'two words, category', q: 'alpha beta', query: inCategory('newest'), gate: [150, 450, 450] },
  { name: 'two words, best', q: 'alpha beta', query: { order: 'best' }, gate: [150, 450, 450] },
  { name: 'a word that half have', q: HALF, query: { order: 'newest' }, gate: [100, 100, 1000] },
  { name: 'half, middle page', q: HALF, query: { order: 'newest' }, depth: 0.5, gate: [100, 100, 1000] },
  { name: 'half, category', q: HALF, query: inCategory('newest'), gate: [300, 300, 3000] },
  { name: 'half, best', q: HALF, query: { order: 'best' }, gate: [300, 300, 3000] },
  { name: 'half, by price', q: HALF, query: { order: 'price' }, gate: [500, 500, 500] },
  { name: 'half, counts of categories', q: HALF, query: { countCategories: true }, gate: [300, 300, 3000] },
  { name: 'a prefix that half match', q: 'tail', query: { order: 'newest' }, gate: [500, 500, 500] },
  { name: 'by price, first page', query: { order: 'price' }, gate: { timesPlain: 1.5 } },
  { name: 'by price, middle page', query: { order: 'price' }, depth: 0.5, gate: [500, 500, 500] },
  { name: 'by price, last page', query: { order: '-price' }, depth: 1, gate: [500, 500, 500] },
  { name: 'by price, category, first', query: inCategory('price'), gate: [500, 500, 500] },
];

const [size = 1_000_000] = numbersGiven([1_000_000]);
const rows = [
  ...(await measured('memory', inMemoryStorage(), size, 0)),
  ...(await measuredAt('SQLite', size, 0)),
  ...(await measuredAt('PostgreSQL', size, 2)),
  ...(await measuredAt('MongoDB', size / 10, 1)),
];
console.log(table(['storage', 'automations', 'search', 'matches', 'p50, ms', 'p95, ms', 'gate'], rows, 3));
console.log(machine());
const missed = rows.filter((cells) => cells.at(-1)?.endsWith('!')).length;
console.log(missed === 0 ? 'every search is within its gate' : `${missed} searches miss their gates, marked with !`);
process.exit(missed === 0 ? 0 : 1);

async function measuredAt(kind: Place['kind'], count: number, gate: 0 | 1 | 2): Promise<string[][]> {
  return measured(kind, openPlace(await newPlace(kind)) as Searchable, count, gate);
}

async function measured(name: string, storage: Searchable, count: number, gate: 0 | 1 | 2): Promise<string[][]> {
  await storage.prepare({ currency: DEFAULT_CURRENCY });
  for (const batch of inBatches(worded(count), BATCH))
    await storage.automations.add(batch.map((automation) => ({ automation })));
  await whenSearchable(storage);
  process.stderr.write(`${name}: filled\n`);
  const plain = await costs(() => storage.automations.list({ page: newPage({ limit: LIMIT }) }));
  const lines: string[][] = [[name, grouped(count), 'plain list', grouped(count), ...shown(plain), '']];
  for (const search of SEARCHES) {
    const { total } = await storage.search.search(queryOf(search, 1));
    const page = Math.max(1, Math.ceil((Math.ceil(total / LIMIT) || 1) * (search.depth ?? 0)));
    const taken = await costs(() => storage.search.search(queryOf(search, page)));
    const most = 'timesPlain' in search.gate ? search.gate.timesPlain * p95(plain) : search.gate[gate];
    const mark = p95(taken) > most ? `${most.toFixed(1)} !` : `${most.toFixed(1)}  `;
    lines.push([name, grouped(count), search.name, grouped(total), ...shown(taken), mark]);
  }
  await storage.close();
  return lines;
}

/** Yields automations of which known numbers have known words. */
function* worded(count: number): Generator<Automation> {
  let index = 0;
  for (const automation of newAutomations(count, CATEGORIES)) {
    const isOfBoth = index % Math.ceil(count / MATCHES_OF_TWO_WORDS) === 0;
    const words = [
      isOfBoth || index % 10 === 3 ? 'alpha' : '',
      isOfBoth || index % 10 === 7 ? 'beta' : '',
      Math.floor(index / 16) % 2 === 0 ? HALF : `tail${index % 1_000}`,
    ];
    yield Object.freeze({ ...automation, description: `${automation.description} ${words.join(' ')}` });
    index += 1;
  }
}

/** Waits until the index of words is complete. */
async function whenSearchable({ search }: Searchable): Promise<void> {
  for (;;)
    try {
      await search.search(queryOf(SEARCHES[0] as Search, 1));
      return;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
}

function queryOf({ q, query }: Search, page: number): SearchQuery {
  const fail = (_: string, detail: string) => {
    throw new Error(detail);
  };
  return {
    order: 'newest',
    status: 'on-sale',
    page: newPage({ page, limit: LIMIT }),
    ...(q !== undefined && { terms: checkSearchTerms(q, fail) }),
    ...query,
  };
}

function inCategory(order: SearchQuery['order']): Partial<SearchQuery> {
  return { order, ...(CATEGORY && { category: CATEGORY.id }) };
}

/** Returns the milliseconds of each call, ascending, one after the other. */
async function costs(call: () => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await call();
    taken.push(performance.now() - begin);
  }
  return taken.sort((one, other) => one - other);
}

function p95(ascending: readonly number[]): number {
  return ascending[Math.ceil(ascending.length * 0.95) - 1] ?? NaN;
}

function shown(ascending: readonly number[]): readonly string[] {
  return [(ascending[Math.floor(ascending.length / 2)] ?? NaN).toFixed(2), p95(ascending).toFixed(2)];
}
