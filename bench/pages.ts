/** What a page costs, by depth and by size of the store: `node dist/bench/pages.js [STORAGE ...] [SIZE ...]`. */
import { writeFileSync } from 'node:fs';
import type { CategoryId } from '../domain/category.js';
import type { KeptQuery } from '../adapters/storage/page-cache.js';
import { grouped, machine, median, table } from './figures.js';
import { CATEGORIES, fill, STORAGES, stopServers, withdrawTenth, type Store } from './pages/stores.js';
import { svg } from './plot.js';

const LIMIT = 20;
const WARM_UP = 5;
const ROUNDS = 31;
const PEER_ROUNDS = 3;
/** How many calls make a measurement long enough for the clock. */
const CALLS: Readonly<Record<string, number>> = { memory: 1_000 };
const USUAL_CALLS = 3;
/** What the slowest page may cost, as a multiple of the fastest, and after a tenth was withdrawn. */
const [MAX_RATIO, MAX_WITHDRAWN_RATIO, MAX_FIRST_MS] = [2, 1.5, 1_000];
const FILTERS: Readonly<Record<string, CategoryId | undefined>> = { all: undefined, '1/16': CATEGORIES[6]?.id };
const PLACES: Readonly<Record<string, (last: number) => number>> = {
  first: () => 1,
  middle: (last) => Math.ceil(last / 2),
  last: (last) => last,
};
const COLOURS: Readonly<Record<string, string>> = { first: '#1b7f3b', middle: '#1f5fbf', last: '#b3261e' };

/** A row of the table: the microseconds of one page, many times in each store. */
interface Row {
  readonly withdrawn: 'none' | '10 %';
  readonly isPeer: boolean;
  readonly of: string;
  readonly page: string;
  readonly times: readonly number[][];
}

const words = process.argv.slice(2);
const names = words.filter((word) => word in STORAGES);
const sizes = words.filter((word) => !(word in STORAGES)).map(Number);
if (sizes.length === 0) sizes.push(1_000, 10_000, 100_000, 1_000_000);
for (const name of names.length > 0 ? names : Object.keys(STORAGES)) await report(name);
await stopServers();
process.exit();

/** Measures a storage, and prints its table. */
async function report(name: string): Promise<void> {
  const stores: Store[] = [];
  for (const size of sizes) stores.push(await fill(name, size));
  process.stderr.write(`${name}: stored\n`);
  const rows = [...(await measure(name, stores, 'none', false)), ...(await measure(name, stores, 'none', true))];
  const largest = stores.at(-1) as Store;
  await withdrawTenth(largest);
  process.stderr.write(`${name}: a tenth of ${largest.size} is withdrawn\n`);
  // The stores that are left as they were show how much faster or slower the machine is now.
  const after = await measure(name, stores, '10 %', false);
  const again = await largest.reopened();
  const start = performance.now();
  await again.list({ page: { number: 1, limit: LIMIT } });
  const firstMs = performance.now() - start;
  const cells = [...rows, ...after].map((row) => [
    ...[name, row.withdrawn, row.isPeer ? 'skip + count' : 'ours', row.of, row.page],
    ...costsOf(row).map((cost) => cost.toFixed(row.isPeer ? 0 : 1)),
  ]);
  const titles = sizes.map((size) => `${grouped(size)}, us`);
  console.log(table(['storage', 'withdrawn of the largest', 'way', 'of', 'page', ...titles], cells, 5));
  console.log(`pages of ${LIMIT} that no cache has, one caller; ${machine()}`);
  judge(name, 'the slowest page, as a multiple of the fastest', spreadOf(rows), MAX_RATIO);
  judge(name, 'a page of the largest after a tenth was withdrawn', withdrawnRatio(rows, after), MAX_WITHDRAWN_RATIO);
  judge(name, 'ms from the start to the first list then', firstMs, MAX_FIRST_MS);
  if (sizes.length > 1) writeFileSync(`docs/pages-${name.toLowerCase()}.svg`, picture(name, rows));
  for (const store of stores) await store.close();
}

function judge(name: string, what: string, value: number, most: number): void {
  console.log(`${name}: ${what}: ${value.toFixed(2)}, at most ${most} allowed`);
  if (!(value <= most)) process.exitCode = 1;
}

/** Measures every page of every store by turns, so that what disturbs the machine disturbs all alike. */
async function measure(
  name: string,
  stores: readonly Store[],
  withdrawn: Row['withdrawn'],
  isPeer: boolean,
): Promise<readonly Row[]> {
  const rows = Object.keys(FILTERS).flatMap((of) =>
    Object.keys(PLACES).map((page): Row => ({ withdrawn, isPeer, of, page, times: stores.map(() => []) })),
  );
  const works = await Promise.all(rows.flatMap((row) => stores.map((store, n) => workOf(row, store, n))));
  const calls = CALLS[name] ?? USUAL_CALLS;
  const [warmUp, rounds, inRow] = isPeer ? [1, PEER_ROUNDS, 1] : [WARM_UP, ROUNDS, calls];
  for (let round = -warmUp; round < rounds; round += 1)
    for (const { ask, times } of works) {
      const asks = Array.from({ length: inRow }, ask);
      const start = performance.now();
      for (const call of asks) await call();
      if (round >= 0) times.push(((performance.now() - start) * 1_000) / inRow);
    }
  return rows;
}

/** Every page that is asked for is full, or costs could not be compared. */
async function workOf({ isPeer, of, page, times }: Row, store: Store, n: number) {
  const filter = FILTERS[of] === undefined ? {} : { category: FILTERS[of] };
  const { total } = await store.automations.list({ ...filter, page: { number: 1, limit: 1 } });
  const number = PLACES[page]?.(Math.floor(total / LIMIT)) ?? 1;
  const query: KeptQuery = { ...filter, page: { number, limit: LIMIT } };
  const { items } = await store.automations.list(query);
  if (items.length !== LIMIT) throw new Error(`page ${number} of ${total} has ${items.length} automations`);
  const ask = () => (isPeer ? () => store.peer(query) : store.uncached(query));
  return { ask, times: times[n] ?? [] };
}

function costsOf({ times }: Row): readonly number[] {
  return times.map(median);
}

function spreadOf(rows: readonly Row[]): number {
  const costs = rows.filter(({ isPeer }) => !isPeer).flatMap(costsOf);
  return Math.max(...costs) / Math.min(...costs);
}

/** Returns by how much the pages of the largest store cost more now, next to those of the smallest one. */
function withdrawnRatio(before: readonly Row[], after: readonly Row[]): number {
  const growth = (row: Row) => (costsOf(row).at(-1) ?? NaN) / (costsOf(row)[0] ?? NaN);
  return median(after.map((row, n) => growth(row) / growth(before[n] as Row)));
}

function picture(name: string, rows: readonly Row[]): string {
  const lines = rows.filter(({ of }) => of === 'all');
  return svg({
    title: `One page of ${LIMIT}, by the number of automations: ${name}`,
    places: sizes.map(grouped),
    unit: 'us',
    lines: lines.map((row) => ({
      name: `${row.page}, ${row.isPeer ? 'skip + count' : 'ours'}`,
      values: costsOf(row),
      colour: COLOURS[row.page] ?? '',
      dashed: row.isPeer,
    })),
  });
}
