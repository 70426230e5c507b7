/**
 * A process that creates as fast as it can: `node writer.js URL`. It sends a message when it is ready, and begins when
 * it receives for how long.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { MongoAutomationRepository, newMongoClient, prepareMongo } from '../../adapters/mongodb/index.js';
import type { AutomationId } from '../../domain/automation.js';
import { newAutomations, newCategories } from '../catalogue.js';
import { percentile } from '../../test/support/percentile.js';

const CALLERS = 32;
/** Until V8 has compiled what runs often: later in each of four that share two cores than in one alone. */
const WARM_UP_MS = 8_000;
const SETTLING_MS = 300;

/** What a writer did: creates a second, and in milliseconds. */
export interface Written {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const [, , url = ''] = process.argv;
const client = newMongoClient(url);
await prepareMongo(client.db());
const automations = new MongoAutomationRepository(client.db());
const samples = Array.from(newAutomations(2_000, newCategories(50)));
process.send?.('ready');
const [milliseconds] = (await once(process, 'message')) as [number];
await write(WARM_UP_MS);
const took = await write(milliseconds);
const written: Written = {
  perSecond: took.length / (milliseconds / 1_000),
  p50: percentile(took, 0.5),
  p99: percentile(took, 0.99),
};
process.send?.(written);
setTimeout(() => void client.close().then(() => process.disconnect()), SETTLING_MS);

/** What each create took. */
async function write(forMilliseconds: number): Promise<readonly number[]> {
  const all: number[] = [];
  const end = performance.now() + forMilliseconds;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      const sample = samples[all.length % samples.length] as (typeof samples)[number];
      await automations.add([{ automation: { ...sample, id: randomUUID() as AutomationId } }]);
      all.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return all;
}
