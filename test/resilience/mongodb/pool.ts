import { randomUUID } from 'node:crypto';
import {
  MongoApiKeyRepository,
  MongoAutomationRepository,
  MongoCategoryRepository,
  newMongoClient,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import type { AutomationRepository } from '../../../domain/ports.js';
import { DomainError } from '../../../domain/errors.js';
import { numbers, offer, query } from '../../contracts/offers.js';
import { collectGarbage } from '../../support/garbage.js';
import { Findings, type Report } from '../../support/soak-report.js';

/**
 * E8: far more calls at once than there are connections; each is answered or fails as unavailable, and nothing stays.
 */
export async function poolExhausted(
  url: string,
  { connections, rounds }: { connections: number; rounds: number },
): Promise<Report> {
  const findings = new Findings();
  const client = newMongoClient(`${url}${url.includes('?') ? '&' : '?'}maxPoolSize=${connections}`);
  const db = client.db(`pool-${randomUUID()}`);
  await prepareMongo(db);
  const stores = {
    keys: new MongoApiKeyRepository(db),
    automations: new MongoAutomationRepository(db),
    categories: new MongoCategoryRepository(db),
  };
  await callAtOnce(stores, findings);
  const before = memoryKept();
  let after = before;
  for (let round = 1; round < rounds; round += 1) {
    await callAtOnce(stores, findings);
    after = memoryKept();
  }
  findings.set('MiB grown', (after - before) / 2 ** 20);
  findings.check((findings.figures['MiB grown'] ?? 0) <= 50, 'memory has grown');
  findings.check((await stores.keys.findByHash('hash 1')) === undefined, 'it is not well afterwards');
  await client.close();
  return findings;
}

/** In bytes, without what is only not collected yet. */
function memoryKept(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}

interface Stores {
  readonly keys: MongoApiKeyRepository;
  readonly automations: AutomationRepository;
  readonly categories: MongoCategoryRepository;
}

async function callAtOnce({ keys, automations, categories }: Stores, findings: Findings): Promise<void> {
  const start = performance.now();
  const calls = numbers(500).map((n): Promise<unknown> => {
    if (n % 50 === 0) return automations.add([offer(n, { id: randomUUID() as AutomationId })]);
    if (n % 5 === 0) return automations.find(randomUUID() as AutomationId);
    if (n % 7 === 0) return automations.list(query(1 + (n % 9), 20));
    if (n % 11 === 0) return categories.find('none' as CategoryId);
    return keys.findByHash(`hash ${n}`);
  });
  const timed = calls.map((call) =>
    call.then(
      () => findings.count('answered'),
      (error: unknown) => {
        findings.count('failed');
        findings.check(error instanceof DomainError && error.kind === 'unavailable', String(error));
      },
    ),
  );
  await Promise.all(timed);
  const took = performance.now() - start;
  findings.set('longest ms', Math.max(findings.figures['longest ms'] ?? 0, took));
}
