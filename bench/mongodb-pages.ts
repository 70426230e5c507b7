/** What a page costs on MongoDB, by depth and by size of the store: `node dist/bench/mongodb-pages.js [SIZE ...]`. */
import { writeFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import { collectionsOf } from '../adapters/mongodb/collections.js';
import { documentOf, type AutomationDocument } from '../adapters/mongodb/documents.js';
import { MongoAutomationRepository, mongoStorage, newMongoClient, prepareMongo } from '../adapters/mongodb/index.js';
import type { CategoryId } from '../domain/category.js';
import { ReplicaSet } from '../test/support/replica-set.js';
import { inBatches, newAutomations, newCategories, randomNumbers } from './catalogue.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { svg } from './plot.js';

const LIMIT = 20;
const ROUNDS = 15;
const SKIP_ROUNDS = 5;
const ALLOWED = 1.5;
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
/** A store is filled while the machine does other things, too. */
const PATIENCE = '&socketTimeoutMS=600000&waitQueueTimeoutMS=600000&serverSelectionTimeoutMS=60000';
const client = newMongoClient(`${set.url}${PATIENCE}`);
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

/** Written past the repository, which would take minutes: every hundredth is withdrawn. Then a check counts them. */
async function fill(db: Db, size: number): Promise<void> {
  await prepareMongo(db);
  const { automations, counters } = collectionsOf(db);
  const random = randomNumbers(size);
  let seq = 0;
  for (const batch of inBatches(newAutomations(size, CATEGORIES), 5_000)) {
    const documents = batch.map((automation) => {
      const { on_sale, ...document } = documentOf({ automation }, seq++);
      return random() < 0.01 ? { ...document, withdrawn_at: automation.createdAt } : { ...document, on_sale };
    });
    await automations.insertMany(documents as AutomationDocument[], { ordered: false });
  }
  await counters.updateOne({ _id: 'automations' }, { $set: { next: seq } }, { upsert: true });
  const storage = mongoStorage(db);
  await storage.check({ repair: true });
  await storage.close();
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

/** Returns a repository that has read the counts and has cached no page. */
async function informed(db: Db, filter: { category?: CategoryId }): Promise<MongoAutomationRepository> {
  const automations = new MongoAutomationRepository(db);
  await automations.list({ ...filter, page: { number: 999_999_999, limit: 100 } });
  return automations;
}

/** What is usually done, with an index that suits it. */
async function skipAndCount(db: Db, category: CategoryId | undefined, number: number): Promise<void> {
  const filter = { on_sale: true as const, ...(category && { category_id: category }) };
  const { automations } = collectionsOf(db);
  const page = automations.find(filter).sort({ seq: -1 }).skip((number - 1) * LIMIT).limit(LIMIT);
  await Promise.all([page.toArray(), automations.countDocuments(filter)]);
}
