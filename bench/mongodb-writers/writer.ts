/**
 * A process that creates as fast as it can: `node writer.js URL KIND CALLERS`. It sends a message when it is ready, and
 * begins when it receives for how long: once to warm up, and once more.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { documentOf, type AutomationDocument } from '../../adapters/mongodb/automation-documents.js';
import { MongoAutomationRepository, prepareMongo } from '../../adapters/mongodb/index.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { newPatientClient } from '../../test/support/large-mongo.js';
import { percentile } from '../../test/support/percentile.js';
import { newAutomations, newCategories } from '../catalogue.js';

const SETTLING_MS = 300;

/** The creates a second of a writer, and the 99th percentile of their times in milliseconds. */
export interface Written {
  readonly perSecond: number;
  readonly p99: number;
}

const [url = '', kind = '', callers = ''] = process.argv.slice(2);
const client = newPatientClient(url);
const create = kind === 'ours' ? await ours() : await plain();
const samples = Array.from(newAutomations(2_000, newCategories(50)));
process.send?.('ready');
const [milliseconds] = (await once(process, 'message')) as [number];
// V8 compiles what runs often: later in each of four processes that share two cores than in one alone.
await write(milliseconds);
const took = await write(milliseconds);
const written: Written = { perSecond: took.length / (milliseconds / 1_000), p99: percentile(took, 0.99) };
process.send?.(written);
setTimeout(() => void client.close().then(() => process.disconnect()), SETTLING_MS);

async function ours() {
  await prepareMongo(client.db(), { search: false });
  const automations = new MongoAutomationRepository(client.db(), { search: false });
  return (automation: Automation) => automations.add([{ automation }]);
}

/** One command for each, into a collection with no other index; the client asks for majority and journal. */
async function plain() {
  await client.connect();
  const collection = client.db().collection<AutomationDocument>('plain');
  return (automation: Automation) => collection.insertOne(documentOf({ automation }, 0));
}

/** Returns what each create took. */
async function write(forMilliseconds: number): Promise<readonly number[]> {
  const all: number[] = [];
  const end = performance.now() + forMilliseconds;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      const sample = samples[all.length % samples.length] as Automation;
      await create({ ...sample, id: randomUUID() as AutomationId });
      all.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: Number(callers) }, caller));
  return all;
}
