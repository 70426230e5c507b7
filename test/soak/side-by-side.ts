import { randomInt } from 'node:crypto';
import { inParallel } from '../adapters/http/hostile/in-parallel.js';
import { ROWS } from '../adapters/http/hostile/rows.js';
import { runBefore, runOn, runRows } from '../adapters/http/hostile/run.js';
import { shuffled } from '../adapters/http/hostile/shuffled.js';
import { KnownList } from '../adapters/http/pages.js';
import { sendIllegalTexts, sendLegalTexts } from '../adapters/http/texts.js';
import { openTwoClients } from '../support/mongo-storage.js';
import { hasMongo } from '../support/mongod.js';
import type { Repositories, TestService, TestServiceOptions } from '../support/service.js';
import { startTwoProcesses } from '../support/side-by-side.js';
import { Findings, type Report } from '../support/soak-report.js';

type Runs = Readonly<Record<string, () => Promise<Report>>>;

/** Each through two processes that serve one database, where there is MongoDB. What they log as failures are violations too. */
export function onTwoServices(
  runs: Readonly<Record<string, (service: TestService) => Promise<Report>>>,
  options?: Pick<TestServiceOptions, 'now'>,
): Runs {
  const runOne = async (run: (service: TestService) => Promise<Report>): Promise<Report> => {
    const service = await startTwoProcesses(options);
    try {
      const report = await run(service);
      return { ...report, violations: [...report.violations, ...service.errors.map(String)] };
    } finally {
      await service.close();
    }
  };
  return hasMongo() ? Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, () => runOne(run)])) : {};
}

/** Through two clients of one database, which the run closes, where there is MongoDB: for what needs a clock, or a store that fails when it is told to. */
export function onTwoClients(run: (handles: readonly Repositories[]) => Promise<Report>): Runs {
  return hasMongo() ? { 'two clients of MongoDB': async () => run(await openTwoClients()) } : {};
}

/** All but one: at `/` the marketplace has nothing, but a whole service shows the way to its documentation. */
const HOSTILE = ROWS.filter(({ name }) => name !== 'nothing at /');

/** B1: the whole table, and behind each row that ends its connection a create. */
export async function hostility(service: TestService, seed?: number): Promise<Report> {
  const findings = new Findings();
  const run = await runOn(service);
  const closing = HOSTILE.filter(({ closes }) => closes);
  const requests = runRows(run, seed === undefined ? HOSTILE : shuffled(HOSTILE, seed)).then(() => runBefore(run, closing));
  await requests.catch((error: unknown) => findings.check(false, `seed ${seed ?? 'none'}: ${String(error)}`));
  findings.set('requests', HOSTILE.length + closing.length);
  return findings;
}

/** B4: so many texts as they may be, and as many as they may not. */
export async function texts(service: TestService, count: number): Promise<Report> {
  const findings = new Findings();
  const key = await service.key();
  const sample = { numRuns: count, seed: randomInt(2 ** 31) };
  await sendLegalTexts(service, key, sample);
  await sendIllegalTexts(service, key, sample);
  findings.set('came back', count);
  findings.set('refused', count);
  return findings;
}

/** B6: every limit, while nobody writes, while somebody does, and afterwards. */
export async function pages(service: TestService, items: number, perSecond: number): Promise<Report> {
  const findings = new Findings();
  const known = new KnownList(service, await service.key());
  await known.fill(items);
  const limits = Array.from({ length: 100 }, (_, i) => i + 1);
  await inParallel(limits, (limit) => known.walk(known.ids, limit));
  const started = performance.now();
  findings.set('added meanwhile', await known.walkWhileItGrows(limits, perSecond));
  findings.atLeast('added a second', (known.ids.length - items) / ((performance.now() - started) / 1_000), perSecond * 0.9);
  await inParallel(limits, (limit) => known.walk(known.ids, limit));
  return findings;
}
