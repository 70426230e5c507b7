import assert from './assert.js';
import type { ReportClosing, ReportOutcome, ReportRepository, Storage } from '../../domain/ports.js';
import type { Report, ReportId } from '../../domain/report.js';
import { at, auditEntry, automationIdOf, entryIdOf, numbers } from './offers.js';
import { LeftOut } from './runner.js';

/** A storage that may be without reports, and the audit that is stored with them. */
export type ReportStore = Pick<Storage, 'reports' | 'auditLog'>;

/** Returns the reports of a storage; where there are none, the test is left out. */
export function reportsOf({ reports }: Pick<ReportStore, 'reports'>): ReportRepository {
  if (reports === undefined) throw new LeftOut('ReportRepository, since the storage has no `reports`');
  return reports;
}

/** The nth report, of the first automation unless told otherwise. The order of the ids is that of n. */
export function report(n: number, fields: Partial<Report> = {}): Report {
  const id = entryIdOf(n) as string as ReportId;
  return { id, automationId: automationIdOf(1), kind: 'dangerous', text: `Text ${n}`, at: at(n), ...fields };
}

/** The nth entry, and what has it. */
export function audited(n: number) {
  return { entries: [auditEntry(n)] };
}

export function closing(n: number, fields: Partial<ReportClosing> = {}): ReportClosing {
  return { at: at(n), decision: 'dismissed', entries: [], ...fields };
}

/** Adds reports, one after the other, all of which must be stored. */
export async function addReports(reports: ReportRepository, ...all: readonly Report[]): Promise<void> {
  for (const one of all) assert.equal(await reports.add({ report: one, entries: [] }), 'stored');
}

/** How often each outcome was returned. */
export function outcomes(all: readonly ReportOutcome[]): Readonly<Record<string, number>> {
  const count = (wanted: ReportOutcome) => all.filter((one) => one === wanted).length;
  return { stored: count('stored'), repeated: count('repeated'), full: count('full') };
}

/** Asserts that an automation has these reports, which are given in the order of their ids, in parts of any size. */
export async function assertReports(
  reports: ReportRepository,
  expected: readonly Report[],
  automationId = automationIdOf(1),
): Promise<void> {
  for (const limit of [1, 3, 1_000]) {
    const seen: Report[] = [];
    for (let more = true; more;) {
      const part = await reports.list({ automationId, limit, before: seen.at(-1)?.id });
      assert.ok(part.length <= limit, 'no more than were asked for');
      seen.push(...part);
      assert.ok(part.length === limit || seen.length === expected.length, 'fewer only at the end');
      more = part.length > 0 && seen.length <= expected.length;
    }
    assert.deepEqual(seen, expected.toReversed());
  }
}

/** The calls that read, and those that write, one of each. */
export const REPORT_READS = {
  listReported: (reports: ReportRepository) => reports.listReported({ limit: 10 }),
  list: (reports: ReportRepository) => reports.list({ automationId: automationIdOf(1), limit: 10 }),
  isRefused: (reports: ReportRepository) => reports.isRefused('00'),
};

/** All but `add` change nothing in a new store. */
export const REPORT_WRITES = {
  add: (reports: ReportRepository) => reports.add({ report: report(1), entries: [] }),
  close: (reports: ReportRepository) => reports.close(automationIdOf(2), closing(1)),
  removeClosed: (reports: ReportRepository) => reports.removeClosed(at(0)),
  removeAddresses: (reports: ReportRepository) => reports.removeAddresses(at(0)),
};

export const REPORT_CALLS: Readonly<Record<keyof ReportRepository, (reports: ReportRepository) => Promise<unknown>>> = {
  ...REPORT_READS,
  ...REPORT_WRITES,
};

export const MANY = numbers(40);
