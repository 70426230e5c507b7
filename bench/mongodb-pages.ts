/** What a page costs on MongoDB, by depth and by size of the store: `node dist/bench/mongodb-pages.js [SIZE ...]`. */
import { writeFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import { collectionsOf } from '../adapters/mongodb/collections.js';
import { MongoAutomationRepository } from '../adapters/mongodb/index.js';
import type { CategoryId } from '../domain/category.js';
import type { NewAutomation } from '../domain/ports.js';
import { fillMongo, newPatientClient, recount } from '../test/support/large-mongo.js';
import { ReplicaSet } from '../test/support/replica-set.js';
import { inBatches, newAutomations, newCategories } from './catalogue.js';
import { grouped, machine, median, numbersGiven, table } from './figures.js';
import { svg } from './plot.js';

const LIMIT = 20;
const CATEGORIES = newCategories(16);
const FILTERS: Readonly<Record<string, CategoryId | undefined>> = { all: undefined, '1/16': CATEGORIES[6]?.id };
const PLACES: Readonly<Record<string, (last: number) => number>> = {
  first: () => 1,
  middle: (last) => Math.ceil(last / 2),
  last: (last) => last,
};
/** Shares of the store: each is withdrawn in addition to those before. */
const WITHDRAWN: Readonly<Record<string, number>> = { none: 0, '1 %': 0.01, '10 %': 0.1 };
const COLOURS: Readonly<Record<string, string>> = { first: '#1b7f3b', middle: '#1f5fbf', last: '#b3261e' };

/** A way to ask for a page; the gate is what the slowest cell may cost, as a multiple of the fastest. */
interface Way {
  readonly name: string;
  readonly rounds: number;
  readonly clients: number;
  readonly gate?: number;
  ask(db: Db, category: CategoryId | undefined, page: number): Promise<() => Promise<unknown>>;
}

const WARM_UP = 5;
const MOST_ROUNDS = 31;
/** Lists beyond the end before one is measured: what reading all counts has left behind slows the first ones. */
const BEYOND = 4;

const OURS: readonly Way[] = [
  { name: 'ours', rounds: MOST_ROUNDS, clients: 1, gate: 2, ask: informed },
  { name: 'ours, 16 clients', rounds: 7, clients: 16, gate: 2, ask: informed },
  { name: 'ours, first list of a process', rounds: 7, clients: 1, ask: uninformed },
];
const PEER: Way = { name: 'skip + count', rounds: 3, clients: 1, ask: skipAndCount };

/** A row of the table: the milliseconds of one page, many times at each size. */
interface Row {
  readonly withdrawn: string;
  readonly way: Way;
  readonly of: string;
  readonly page: string;
  readonly times: readonly number[][];
}

const sizes = numbersGiven([1_000, 100_000, 1_000_000]);
// The server keeps the keys of withdrawn automations for its history: here for seconds, by default for five minutes.
const set = await ReplicaSet.start(1, 10_000, {
  cacheGb: 2,
  options: ['--setParameter', 'minSnapshotHistoryWindowInSeconds=5'],
});
const client = newPatientClient(set.url);
const rows: readonly Row[] = Object.keys(WITHDRAWN).flatMap((withdrawn) =>
  [...OURS, ...(withdrawn === '1 %' ? [PEER] : [])].flatMap((way) =>
    Object.keys(FILTERS).flatMap((of) =>
      Object.keys(PLACES).map((page) => ({ withdrawn, way, of, page, times: sizes.map(() => []) })),
    ),
  ),
);
const stores = sizes.map((size) => client.db(`pages-${size}`));
for (const [n, db] of stores.entries()) await fillMongo(db, offersOf(sizes[n] ?? 0));
for (const [withdrawn, share] of Object.entries(WITHDRAWN)) {
  for (const db of stores) await withdraw(db, share);
  process.stderr.write(`withdrawn: ${withdrawn}: stored\n`);
  const measured = rows.filter((row) => row.withdrawn === withdrawn);
  for (let round = 1 - WARM_UP; round <= MOST_ROUNDS; round += 1)
    for (const { way, of, page, times } of measured)
      for (const [n, db] of stores.entries()) {
        if (round > way.rounds || (round < 1 && way === PEER)) continue;
        const spent = await timesOf(way, db, FILTERS[of], page);
        if (round > 0) times[n]?.push(...spent);
      }
}
await client.close();
await set.stop();

const titles = sizes.map((size) => `${grouped(size)}, ms`);
const cells = rows.map((row) => [
  ...[row.withdrawn, row.way.name, row.of, row.page],
  ...costsOf(row).map((cost) => cost.toFixed(2)),
]);
console.log(table(['withdrawn', 'way', 'of', 'page', ...titles], cells, 4));
console.log(`pages of ${LIMIT} that no process has kept; ${machine()}`);
for (const { name, gate } of OURS) {
  if (gate === undefined) continue;
  const costs = rows.filter(({ way }) => way.name === name).flatMap(costsOf);
  const ratio = Math.max(...costs) / Math.min(...costs);
  console.log(`${name}: the slowest cell is ${ratio.toFixed(2)} x the fastest, at most ${gate} allowed`);
  if (!(ratio <= gate)) process.exitCode = 1;
}
if (sizes.length > 1) writeFileSync('docs/pages-mongodb.svg', picture());

function picture(): string {
  const compared = [OURS[0], PEER];
  const ofAll = rows.filter(({ withdrawn, of }) => withdrawn === '1 %' && of === 'all');
  const plotted = ofAll.filter(({ way }) => compared.includes(way));
  return svg({
    title: `One page of ${LIMIT} on MongoDB, by the size of the store`,
    places: sizes.map(grouped),
    unit: 'ms',
    lines: plotted.map((row) => ({
      name: `${row.page}, ${row.way.name}`,
      values: costsOf(row),
      colour: COLOURS[row.page] ?? '',
      dashed: row.way === PEER,
    })),
  });
}

function costsOf({ times }: Row): readonly number[] {
  return times.map(median);
}

function* offersOf(size: number): Generator<readonly NewAutomation[]> {
  for (const batch of inBatches(newAutomations(size, CATEGORIES), 5_000))
    yield batch.map((automation) => ({ automation }));
}

/** Withdraws until this share of all is withdrawn, and counts what is left. */
async function withdraw(db: Db, share: number): Promise<void> {
  const { automations } = collectionsOf(db);
  const [all, onSale] = [await automations.countDocuments({}), await automations.countDocuments({ on_sale: true })];
  const chance = 1 - (all * (1 - share)) / onSale;
  if (chance > 0) {
    const change = { $unset: { on_sale: true }, $set: { withdrawn_at: new Date() } } as const;
    await automations.updateMany({ on_sale: true, $expr: { $lt: [{ $rand: {} }, chance] } }, change);
  }
  await recount(db);
}

/** Asks once with each client, at the same time. Returns the milliseconds of each. */
async function timesOf(way: Way, db: Db, category: CategoryId | undefined, page: string): Promise<readonly number[]> {
  const number = PLACES[page]?.(Math.floor((await countOnSale(db, category)) / LIMIT)) ?? 1;
  const asks = await Promise.all(Array.from({ length: way.clients }, () => way.ask(db, category, number)));
  return Promise.all(
    asks.map(async (ask) => {
      const start = performance.now();
      await ask();
      return performance.now() - start;
    }),
  );
}

async function countOnSale(db: Db, category: CategoryId | undefined): Promise<number> {
  const { items, total } = await (
    await newRepository(db)
  ).list({
    ...(category && { category }),
    page: { number: 1, limit: 1 },
  });
  if (items.length !== 1) throw new Error('there is nothing on sale');
  return total;
}

/** Returns a repository that does not check the counts meanwhile. */
async function newRepository(db: Db): Promise<MongoAutomationRepository> {
  const automations = new MongoAutomationRepository(db, { search: false });
  await automations.stop();
  return automations;
}

/** The repository has read no counts. */
async function uninformed(db: Db, category: CategoryId | undefined, number: number) {
  const automations = await newRepository(db);
  return () => automations.list({ ...(category && { category }), page: { number, limit: LIMIT } });
}

/** The repository has read the counts some lists ago, and has cached no page. */
async function informed(db: Db, category: CategoryId | undefined, number: number) {
  const automations = await newRepository(db);
  const query = { ...(category && { category }) };
  for (let n = 0; n < BEYOND; n += 1)
    await automations.list({ ...query, page: { number: 999_999_999 - n, limit: 100 } });
  return () => automations.list({ ...query, page: { number, limit: LIMIT } });
}

/** What is usually done, with an index that suits it. */
async function skipAndCount(db: Db, category: CategoryId | undefined, number: number) {
  const filter = { on_sale: true as const, ...(category && { category_id: category }) };
  const { automations } = collectionsOf(db);
  return () => {
    const page = automations
      .find(filter)
      .sort({ seq: -1 })
      .skip((number - 1) * LIMIT)
      .limit(LIMIT);
    return Promise.all([page.toArray(), automations.countDocuments(filter)]);
  };
}
