import type { Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAutomationArchive,
  MongoAutomationRepository,
  MongoCategoryRepository,
  newMongoClient,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { ApiKeyId } from '../../../domain/api-key.js';
import { at, automationIdOf, GAMES, mixedOffers, numbers, offer, query, TOOLS } from '../../contracts/offers.js';
import { seeded } from '../../support/catalogue.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { scansOf, Wire } from './plans.js';
import { monitored } from '../../support/mongod.js';

const LIMIT = 20;
const MAX_LIST_MS = 50;

/**
 * E11: with so many automations no query scans a collection, a page looks at a key for each of its items and few more,
 * and takes no time to speak of.
 */
export async function plansAtScale(count: number): Promise<Report> {
  const findings = new Findings();
  const client = newMongoClient(monitored(await newMongoUrl()));
  const db = client.db();
  try {
    await prepareMongo(db);
    const automations = new MongoAutomationRepository(db);
    const offers = mixedOffers(count);
    for (let start = 0; start < count; start += 500) await automations.add(offers.slice(start, start + 500));
    for (const n of numbers(50)) await automations.withdraw(automationIdOf(n * 1_000), { at: at(1), by: 'developer' });
    const wire = new Wire(db.client);
    const pages = [1, Math.floor(count / LIMIT / 2), Math.floor(count / LIMIT)];
    for (const scope of [undefined, TOOLS, GAMES])
      for (const number of pages) await automations.list(query(number, LIMIT, scope));
    const [first] = await wire.during(() => new MongoAutomationRepository(db).list(query(pages[1] ?? 1, LIMIT)));
    findings.check(first !== undefined, 'no command was heard');
    await everyOtherQuery(db, automations, count);
    for (const command of wire.commands.filter(({ name }) => name === 'find' || name === 'aggregate'))
      for (const { collection, stages, keys, returned } of await scansOf(command, db)) {
        findings.count('explained');
        const few = collection !== 'automations' && collection !== 'api_keys';
        findings.check(
          few || !stages.includes('COLLSCAN'),
          `a query scans ${collection}: ${JSON.stringify(command.document)}`,
        );
        findings.check(keys <= 2 * returned + 3 * 256, `${keys} keys are looked at for ${returned} in ${collection}`);
      }
    await timeLists(automations, count, findings);
  } finally {
    await db.dropDatabase();
    await client.close();
  }
  return findings;
}

async function everyOtherQuery(db: Db, automations: MongoAutomationRepository, count: number): Promise<void> {
  const [keys, categories] = [new MongoApiKeyRepository(db), new MongoCategoryRepository(db)];
  await automations.find(automationIdOf(7));
  await Promise.all(numbers(30).map((n) => automations.find(automationIdOf(n * 100))));
  for (const after of [1, Math.floor(count / 2)])
    await new MongoAutomationArchive(db).scan({ order: 'oldest-first', limit: 1_000, after: automationIdOf(after) });
  await automations.countByCategory();
  await automations.add([
    offer(count + 1, { key: 'a' }),
    offer(count + 2, { key: 'a' }),
    offer(count + 1, { key: 'b' }),
  ]);
  await automations.freeIdempotencyKeys(at(1));
  await keys.find('none' as ApiKeyId);
  await keys.findByHash('none');
  await keys.list({ limit: LIMIT });
  await categories.find(TOOLS);
}

async function timeLists(automations: MongoAutomationRepository, count: number, findings: Findings): Promise<void> {
  const random = seeded(count);
  const times: number[] = [];
  for (let n = 0; n < 2_000; n += 1) {
    const scope = [undefined, TOOLS, GAMES][n % 3];
    const start = performance.now();
    await automations.list(query(1 + Math.floor((random() * count) / LIMIT / 2), LIMIT, scope));
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  findings.set('list p50 ms', times[1_000] ?? 0);
  findings.atMost('list p99 ms', times[1_980] ?? Infinity, MAX_LIST_MS);
}
