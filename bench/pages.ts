/** What a page costs, by its depth and by the size of the store: `node dist/bench/pages.js [SIZE ...]`. */
import type { CategoryId } from '../domain/category.js';
import type { AutomationPage } from '../domain/ports.js';
import { randomNumbers } from './catalogue.js';
import { grouped, machine, numbersGiven, table } from './figures.js';
import { CATEGORIES, fill, STORAGES, WITHDRAWALS, type Store } from './pages/stores.js';
import { medianCosts, type Work } from './rounds.js';

const LIMIT = 25;
const ROUNDS = 60;
const ALLOWED = 1.5;

const FILTERS: readonly (readonly [of: string, category: CategoryId | undefined])[] = [
  ['all', undefined],
  ['1/16', CATEGORIES[6]?.id],
];

/** The numbers of the pages to ask for, given how many full pages there are. */
const PAGES: Readonly<Record<string, (full: number) => readonly number[]>> = {
  first: () => [1],
  middle: (full) => [Math.ceil(full / 2)],
  last: (full) => [full],
  random: (full) => {
    const random = randomNumbers(full);
    return Array.from({ length: 10_007 }, () => 1 + Math.floor(random() * full));
  },
  'none, total only': (full) => [full + 2],
};

const sizes = numbersGiven([1_000, 100_000, 1_000_000]);
const rows: string[][] = [];
for (const storage of STORAGES)
  for (const [withdrawn, placesOf] of Object.entries(WITHDRAWALS)) {
    const stores: Store[] = [];
    for (const size of sizes) stores.push(await fill(storage, size, placesOf(size)));
    rows.push(...(await measure(stores, storage.calls)).map((cells) => [storage.name, withdrawn, ...cells]));
    for (const store of stores) await store.close();
    process.stderr.write(`${storage.name}, withdrawn: ${withdrawn}: measured\n`);
  }

const titles = sizes.map((size) => `${grouped(size)}, us`);
console.log(table(['storage', 'withdrawn', 'of', 'page', ...titles, 'largest/smallest', 'to first'], rows, 4));
console.log(machine());
const marked = rows.filter((cells) => cells.some((cell) => cell.endsWith('!'))).length;
const all = `every ratio is within ${ALLOWED}`;
console.log(marked === 0 ? all : `${marked} rows have a ratio above ${ALLOWED}, marked with !`);
process.exit(marked === 0 ? 0 : 1);

/** Returns a row per filter and page: the cost at each size, and the ratios to the smallest size and the first page. */
async function measure(stores: readonly Store[], calls: number): Promise<string[][]> {
  const kinds = FILTERS.flatMap(([of, category]) =>
    Object.entries(PAGES).map(([page, numbersOf]) => ({ of, category, page, numbersOf })),
  );
  const works: Work[] = [];
  for (const { category, numbersOf } of kinds)
    for (const store of stores) works.push(await listing(store, category, numbersOf, calls));
  const costs = await medianCosts(works, ROUNDS);
  const costsOf = (kind: number) => costs.slice(kind * stores.length, (kind + 1) * stores.length);
  return kinds.map(({ of, page }, kind) => {
    const own = costsOf(kind);
    const first = costsOf(kind - (kind % Object.keys(PAGES).length));
    const toFirst = Math.max(...own.map((cost, size) => cost / (first[size] ?? NaN)));
    const growth = (own.at(-1) ?? NaN) / (own[0] ?? NaN);
    return [of, page, ...own.map((cost) => cost.toFixed(2)), marking(growth), marking(toFirst)];
  });
}

/** Every page asked for is full, or costs could not be compared; the one past the end is empty. */
async function listing(
  { automations }: Store,
  category: CategoryId | undefined,
  numbersOf: (full: number) => readonly number[],
  calls: number,
): Promise<Work> {
  const list = (number: number): Promise<AutomationPage> => {
    const page = { number, limit: LIMIT };
    return automations.list(category === undefined ? { page } : { page, category });
  };
  const { total } = await list(1);
  const full = Math.floor(total / LIMIT);
  const numbers = Int32Array.from(numbersOf(full));
  for (const number of numbers.subarray(0, 100)) {
    const answer = await list(number);
    if (answer.total !== total || answer.items.length !== (number > full ? 0 : LIMIT))
      throw new Error(`page ${number} of ${full} full pages is not as it should be`);
  }
  let asked = 0;
  return { calls, run: () => list(numbers[(asked += 1) % numbers.length] ?? 1) };
}

function marking(ratio: number): string {
  return ratio > ALLOWED ? `${ratio.toFixed(2)} !` : `${ratio.toFixed(2)}  `;
}
