/**
 * A process that creates as fast as it can: `node writer.js PLACE KIND CALLERS`. It sends a message when it is ready,
 * and begins when it receives for how long: once to warm up, and once more.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Automation, AutomationId } from '../../domain/automation.js';
import { percentile } from '../../test/support/percentile.js';
import type { Place } from '../../test/support/place.js';
import { newAutomations, newCategories } from '../catalogue.js';
import { ours, plain } from './subjects.js';

const SETTLING_MS = 300;

/** The creates a second of a writer, and the 99th percentile of their times in milliseconds. */
export interface Written {
  readonly perSecond: number;
  readonly p99: number;
}

const [place = '', kind = '', callers = ''] = process.argv.slice(2);
const subject = await (kind === 'ours' ? ours : plain)(JSON.parse(place) as Place);
const samples = Array.from(newAutomations(2_000, newCategories(50)));
process.send?.('ready');
const [milliseconds] = (await once(process, 'message')) as [number];
// V8 compiles what runs often: later in each of four processes that share two cores than in one alone.
await write(milliseconds);
const took = await write(milliseconds);
const written: Written = { perSecond: took.length / (milliseconds / 1_000), p99: percentile(took, 0.99) };
process.send?.(written);
setTimeout(() => void subject.close().then(() => process.disconnect()), SETTLING_MS);

/** Returns what each create took. */
async function write(forMilliseconds: number): Promise<readonly number[]> {
  const all: number[] = [];
  const end = performance.now() + forMilliseconds;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      const sample = samples[all.length % samples.length] as Automation;
      await subject.create({ ...sample, id: randomUUID() as AutomationId });
      all.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: Number(callers) }, caller));
  return all;
}
