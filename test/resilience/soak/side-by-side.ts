import { randomInt } from 'node:crypto';
import { USD } from '../../contracts/offers.js';
import { inParallel } from '../../integration/http/hostile/in-parallel.js';
import type { WireRow } from '../../integration/http/hostile/row.js';
import { runBefore, runOn, runRows } from '../../integration/http/hostile/run.js';
import { KnownList } from '../../integration/http/pages.js';
import { sendIllegalTexts, sendLegalTexts } from '../../integration/http/texts.js';
import type { Repositories } from '../../support/repositories.js';
import type { TestService, TestServiceOptions } from '../../support/service.js';
import { SERVERS, type Server } from '../../support/servers.js';
import { startTwoProcesses } from '../../support/side-by-side.js';
import { Findings, type Report } from '../../support/soak-report.js';

type Runs<Subject> = Readonly<Record<string, (subject: Subject) => Promise<Report>>>;

/**
 * Each through two processes that serve one store of a database, for each that there is. What they log as failures are
 * violations too.
 */
export function onTwoServices(runs: Runs<TestService>, options?: Pick<TestServiceOptions, 'now'>): Runs<void> {
  return onEachServer(runs, async (run, server) => {
    const service = await startTwoProcesses(server, options);
    try {
      const report = await run(service);
      return { ...report, violations: [...report.violations, ...service.errors.map(String)] };
    } finally {
      await service.close();
    }
  });
}

/**
 * Each through two clients of one store, which the run closes, for each database that there is: for what needs a clock,
 * or a store that fails when it is told to.
 */
export function onTwoClients(runs: Runs<readonly Repositories[]>): Runs<void> {
  return onEachServer(runs, async (run, { newSettings, join }) => {
    const settings = await newSettings();
    const handles = [join(settings), join(settings)];
    for (const handle of handles) await handle.prepare({ currency: USD });
    return run(handles);
  });
}

function onEachServer<Run>(
  runs: Readonly<Record<string, Run>>,
  start: (run: Run, server: Server) => Promise<Report>,
): Runs<void> {
  const each = Object.entries(SERVERS).flatMap(([name, server]) =>
    Object.entries(runs).map(([title, run]) => [`${title} on ${name}`, () => start(run, server)] as const),
  );
  return Object.fromEntries(each);
}

/** B1: these requests in their order, and behind each that ends its connection a create. */
export async function hostility(service: TestService, rows: readonly WireRow[]): Promise<Report> {
  const findings = new Findings();
  const run = await runOn(service);
  await runRows(run, rows);
  const closing = rows.filter(({ closes }) => closes);
  await runBefore(run, closing);
  findings.set('requests', rows.length + closing.length);
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

export const LIMITS: readonly number[] = Array.from({ length: 100 }, (_, i) => i + 1);
export const ALL_OF_ONE_TIME = { now: () => new Date('2026-01-01T00:00:00.000Z') };

/** As far as one create after the other can be as many. */
const A_SECOND = 50;

/**
 * B6: with every limit while nobody writes and while somebody does, and afterwards with some, since the list is long by
 * then.
 */
export async function pages(service: TestService, items: number, limits: readonly number[]): Promise<Report> {
  const findings = new Findings();
  const known = new KnownList(service, await service.key());
  await known.fill(items);
  await inParallel(limits, (limit) => known.walk(known.ids, limit));
  const started = performance.now();
  const added = await known.walkWhileItGrows(limits, A_SECOND);
  findings.check(added > 0, 'nobody wrote');
  findings.set('added meanwhile', added);
  findings.set('added a second', (added * 1_000) / (performance.now() - started));
  await inParallel([10, 25, 99, 100], (limit) => known.walk(known.ids, limit));
  return findings;
}
