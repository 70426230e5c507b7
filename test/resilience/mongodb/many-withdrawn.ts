import type { Db } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { collectionsOf } from '../../../adapters/mongodb/collections.js';
import { MongoAutomationRepository, mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import type { NewAutomation } from '../../../domain/ports.js';
import { at, automationIdOf, offer, query, USD } from '../../contracts/offers.js';
import { fillMongo, newPatientClient, recount } from '../../support/large-mongo.js';
import { percentile } from '../../support/percentile.js';
import { Findings, type Report } from '../../support/soak-report.js';

const LIMIT = 20;
const LOT = 5_000;
const CATEGORIES = 100;
const EACH = 10;
const LISTS = 31;
const CALLERS = 32;
const LISTERS = 4;

interface Sizes {
  readonly count: number;
  /** How many are withdrawn one by one at the end. */
  readonly withdrawals: number;
  /** How long the server keeps the keys of what was withdrawn; by default 300 s. */
  readonly historyMs: number;
}

/** H5: a tenth of a store is withdrawn. Its pages cost what they did, and withdrawals at full speed fail no list. */
export async function manyWithdrawn(url: string, database: string, sizes: Sizes): Promise<Report> {
  const findings = new Findings();
  const client = newPatientClient(url);
  const db = client.db(database);
  try {
    await fillMongo(db, batchesOf(sizes.count));
    await recount(db);
    const before = await costOfPage(db, sizes.count);
    const change = { $unset: { on_sale: true }, $set: { withdrawn_at: at(1) } } as const;
    await collectionsOf(db).automations.updateMany({ seq: { $mod: [EACH, 0] } }, change);
    await recount(db);
    await setTimeout(sizes.historyMs);
    const left = sizes.count - Math.ceil(sizes.count / EACH);
    findings.set('page ms, none withdrawn', before);
    const after = await costOfPage(db, left);
    findings.set('page ms', after);
    findings.set('page, as a multiple', after / before);
    await firstList(url, database, left, findings);
    await atFullSpeed(db, sizes, left, findings);
  } finally {
    await db.dropDatabase();
    await client.close();
  }
  return findings;
}

function* batchesOf(count: number): Generator<readonly NewAutomation[]> {
  for (let start = 0; start < count; start += LOT)
    yield Array.from({ length: Math.min(LOT, count - start) }, (_, n) => nth(start + n));
}

function nth(n: number): NewAutomation {
  return offer(n, { categoryId: `category-${n % CATEGORIES}` as CategoryId });
}

/** Returns the median of pages in the middle, none of them cached. */
async function costOfPage(db: Db, total: number): Promise<number> {
  const automations = new MongoAutomationRepository(db, { search: false });
  await automations.list(query(1, 1));
  await automations.stop();
  const times: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    const start = performance.now();
    await automations.list(query(Math.ceil(total / LIMIT / 2) + n, LIMIT));
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
}

/** A process starts: it prepares the store, and has read no counts yet. */
async function firstList(url: string, database: string, total: number, findings: Findings): Promise<void> {
  const client = newMongoClient(url);
  const storage = mongoStorage(client.db(database), { search: false });
  await storage.prepare({ currency: USD });
  const memory = process.memoryUsage.rss();
  const start = performance.now();
  const first = await storage.automations.list(query(1, LIMIT));
  findings.set('first list ms', performance.now() - start);
  findings.set('memory of the counts MiB', Math.max(0, process.memoryUsage.rss() - memory) / 2 ** 20);
  findings.check(first.total === total, `${first.total} automations are on sale, not ${total}`);
  await storage.close();
  await client.close();
}

async function atFullSpeed(db: Db, { count, withdrawals }: Sizes, left: number, findings: Findings): Promise<void> {
  const automations = new MongoAutomationRepository(db, { search: false });
  const waiting = onSaleIn(count, withdrawals);
  const lists: number[] = [];
  let isDone = false;
  const withdraw = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
      findings.check(
        (await automations.withdraw(id, { at: at(2), by: 'developer' })) === 'withdrawn',
        `${id} was not withdrawn`,
      );
  };
  const list = async () => {
    while (!isDone) {
      const start = performance.now();
      await automations.list(query(1 + ((lists.length * 997) % Math.floor(left / LIMIT / 2)), LIMIT));
      lists.push(performance.now() - start);
    }
  };
  const started = performance.now();
  const withdrawing = Promise.all(Array.from({ length: CALLERS }, withdraw)).finally(() => (isDone = true));
  const ended = await Promise.allSettled([withdrawing, ...Array.from({ length: LISTERS }, list)]);
  const seconds = (performance.now() - started) / 1_000;
  for (const one of ended) findings.check(one.status === 'fulfilled', JSON.stringify(one));
  findings.set('withdrawals/s', withdrawals / seconds);
  findings.set('lists meanwhile', lists.length);
  findings.set('list p99 ms meanwhile', percentile(lists, 0.99));
  findings.check(lists.length > 0, 'nothing was listed meanwhile');
  const { total } = await automations.list(query(1, LIMIT));
  findings.check(total === left - withdrawals, `${total} automations are left, not ${left - withdrawals}`);
  await automations.stop();
}

/** Returns ids that are spread over the store. */
function onSaleIn(count: number, wanted: number): AutomationId[] {
  const step = Math.floor(count / wanted / EACH) * EACH || 1;
  const places = Array.from({ length: wanted }, (_, n) => n * step + 1);
  return places.map((place) => automationIdOf(place));
}
