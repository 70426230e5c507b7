/** What a page costs on MongoDB, by depth and by size of the store: `node dist/bench/mongodb-pages.js [SIZE ...]`. */
import { writeFileSync } from 'node:fs';
import { UUID, type Db, type Filter } from 'mongodb';
import { MongoAutomationRepository, newMongoClient, prepareMongo } from '../adapters/mongodb/index.js';
import type { CategoryId } from '../domain/category.js';
import { ReplicaSet } from '../test/support/replica-set.js';
import { inBatches, newAutomations, newCategories, randomNumbers } from './catalogue.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { svg } from './plot.js';

const LIMIT = 20;
const ROUNDS = 15;
const SKIP_ROUNDS = 5;
const ALLOWED = 1.5;
/** How often one that is still learning what was withdrawn is asked again. */
const MAX_TRIES = 10;
const CATEGORIES = newCategories(16);
const FILTERS: readonly (readonly [of: string, category: CategoryId | undefined])[] = [
  ['all', undefined],
  ['1/16', CATEGORIES[6]?.id],
];
const PLACES: Readonly<Record<string, (last: number) => number>> = {
  first: () => 1,
  middle: (last) => Math.ceil(last / 2),
  last: (last) => last,
};
const COLOURS: Readonly<Record<string, string>> = { first: '#1b7f3b', middle: '#1f5fbf', last: '#b3261e' };

/** What is measured: the milliseconds of one page, at each size. */
interface Measured {
  readonly way: 'ours' | 'skip + count';
  readonly of: string;
  readonly page: string;
  readonly costs: number[];
}

const sizes = numbersGiven([1_000, 100_000, 1_000_000]);
const set = await ReplicaSet.start(1);
const client = newMongoClient(`${set.url}&socketTimeoutMS=600000`);
const measured: Measured[] = FILTERS.flatMap(([of]) =>
  (['ours', 'skip + count'] as const).flatMap((way) =>
    Object.keys(PLACES).map((page) => ({ way, of, page, costs: [] })),
  ),
);
for (const size of sizes) {
  const db = client.db(`pages-${size}`);
  await fill(db, size);
  process.stderr.write(`${grouped(size)}: filled\n`);
  for (const one of measured) one.costs.push(await costOf(db, one));
  await db.dropDatabase();
}
await client.close();
await set.stop();

const rows = measured.map(({ way, of, page, costs }) => {
  const first = measured.find((other) => other.way === way && other.of === of && other.page === 'first')?.costs ?? [];
  const growth = (costs.at(-1) ?? NaN) / (costs[0] ?? NaN);
  const toFirst = Math.max(...costs.map((cost, n) => cost / (first[n] ?? NaN)));
  return [way, of, page, ...costs.map((cost) => cost.toFixed(2)), marking(way, growth), marking(way, toFirst)];
});
const titles = sizes.map((size) => `${grouped(size)}, ms`);
console.log(table(['way', 'of', 'page', ...titles, 'largest/smallest', 'to first'], rows, 3));
console.log(`1 % withdrawn, pages of ${LIMIT} that no process has kept; ${machine()}`);
writeFileSync('docs/pages-mongodb.svg', svg({
  title: `One page of ${LIMIT} on MongoDB, by the size of the store`,
  places: sizes.map(grouped),
  unit: 'ms',
  lines: measured
    .filter(({ of }) => of === 'all')
    .map(({ way, page, costs }) => ({
      name: `${page}, ${way}`,
      values: costs,
      colour: COLOURS[page] ?? '',
      dashed: way !== 'ours',
    })),
}));
const missed = rows.filter((cells) => cells.some((cell) => cell.endsWith('!'))).length;
const all = `every ratio of ours is within ${ALLOWED}`;
console.log(missed === 0 ? all : `${missed} rows of ours have a ratio above ${ALLOWED}, marked with !`);
process.exitCode = missed === 0 ? 0 : 1;

function marking(way: string, ratio: number): string {
  return `${ratio.toFixed(2)}${way === 'ours' && ratio > ALLOWED ? ' !' : '  '}`;
}

/** Written past the repository, which would take minutes: every hundredth is withdrawn, and the tallies say so. */
async function fill(db: Db, size: number): Promise<void> {
  const within = new Map<string, number>();
  const gone = new Map<string, { withdrawn: number; highest_withdrawn: number }>();
  const count = (scope: string, number: number) =>
    gone.set(scope, { withdrawn: (gone.get(scope)?.withdrawn ?? 0) + 1, highest_withdrawn: number });
  const random = randomNumbers(size);
  let number = 0;
  for (const batch of inBatches(newAutomations(size, CATEGORIES), 5_000)) {
    const documents = batch.map(({ id, title, description, price, categoryId, developerId, createdAt }) => {
      const category_number = (within.get(categoryId) ?? 0) + 1;
      within.set(categoryId, category_number);
      number += 1;
      const isGone = random() < 0.01;
      if (isGone) count('', number);
      if (isGone) count(categoryId, category_number);
      return {
        _id: new UUID(id),
        number,
        category_number,
        category_id: categoryId,
        title,
        description,
        price: price.minorUnits,
        currency: price.currency,
        developer_id: developerId,
        created_at: createdAt,
        ...(isGone && { withdrawn_at: createdAt }),
      };
    });
    await db.collection<{ _id: UUID }>('automations').insertMany(documents, { ordered: false });
  }
  const tallies = Array.from(gone, ([_id, tally]) => ({ _id, ...tally }));
  if (tallies.length > 0) await db.collection<{ _id: string }>('tallies').insertMany(tallies);
  await prepareMongo(db);
}

async function costOf(db: Db, { way, of, page }: Measured): Promise<number> {
  const category = FILTERS.find(([name]) => name === of)?.[1];
  const filter = category === undefined ? {} : { category };
  const { total } = await (await informed(db, filter)).list({ ...filter, page: { number: 1, limit: LIMIT } });
  const number = PLACES[page]?.(Math.floor(total / LIMIT)) ?? 1;
  const times: number[] = [];
  for (let round = 0; round < (way === 'ours' ? ROUNDS : SKIP_ROUNDS); round += 1) {
    const automations = await informed(db, filter);
    const start = performance.now();
    if (way === 'ours') await automations.list({ ...filter, page: { number, limit: LIMIT } });
    else await skipAndCount(db, category, number);
    times.push(performance.now() - start);
  }
  return median(times);
}

/**
 * Returns a repository that knows what was withdrawn and has cached no page. Reading 100,000 withdrawn numbers may take
 * longer than a read waits; it goes on meanwhile.
 */
async function informed(db: Db, filter: { category?: CategoryId }): Promise<MongoAutomationRepository> {
  const automations = new MongoAutomationRepository(db);
  for (let tries = 0; ; tries += 1)
    try {
      await automations.list({ ...filter, page: { number: 999_999_999, limit: 100 } });
      return automations;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
}

/** What is usually done, with an index that suits it. */
async function skipAndCount(db: Db, category: CategoryId | undefined, number: number): Promise<void> {
  type Stored = { category_id: string; withdrawn_at: Date };
  const filter: Filter<Stored> = { ...(category && { category_id: category }), withdrawn_at: { $exists: false } };
  const order = category ? ({ category_id: -1, category_number: -1 } as const) : ({ number: -1 } as const);
  const automations = db.collection<Stored>('automations');
  const page = automations.find(filter).sort(order).skip((number - 1) * LIMIT).limit(LIMIT);
  await Promise.all([page.toArray(), automations.countDocuments(filter)]);
}
