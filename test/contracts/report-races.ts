import assert from './assert.js';
import { MAX_OPEN_REPORTS } from '../../domain/report.js';
import { assertRecorded } from './archives.js';
import { ADA, auditEntry, automationIdOf, numbers } from './offers.js';
import { addReports, audited, closing, MANY, outcomes, report, reportsOf, type ReportStore } from './reports.js';
import type { Suite } from './runner.js';

/** The races of reports between two handles on one store. */
export function reportRaces({ it }: Suite<readonly [one: ReportStore, other: ReportStore]>): void {
  const all = { automationId: automationIdOf(1), limit: 1_000 };

  it('40 reports of one account at once, by both: one, with its entry', async (handles) => {
    const adding = MANY.map((n) =>
      reportsOf(handles[n % 2 === 0 ? 0 : 1]).add({ report: report(n, { developerId: ADA }), ...audited(n) }),
    );
    const added = await Promise.all(adding);
    assert.deepEqual(outcomes(added), { stored: 1, repeated: 39, full: 0 });
    await assertRecorded(handles[0], auditEntry(added.indexOf('stored') + 1));
  });

  it('40 reports at once, by both, where there is room for 20: 20', async (handles) => {
    await addReports(reportsOf(handles[0]), ...numbers(MAX_OPEN_REPORTS - 20).map((n) => report(n)));
    const adding = MANY.map((n) =>
      reportsOf(handles[n % 2 === 0 ? 0 : 1]).add({ report: report(n + 200), entries: [] }),
    );
    assert.deepEqual(outcomes(await Promise.all(adding)), { stored: 20, repeated: 0, full: 20 });
    for (const handle of handles) assert.equal((await reportsOf(handle).list(all)).length, MAX_OPEN_REPORTS);
  });

  it('10 times, 20 reports that both close while they come: each is closed once, or open', async (handles) => {
    for (const round of numbers(10)) {
      const first = 100 * round;
      const adding = numbers(20).map((n) =>
        reportsOf(handles[n % 2 === 0 ? 0 : 1]).add({ report: report(first + n), entries: [] }),
      );
      const closed = await Promise.all(handles.map((handle) => reportsOf(handle).close(all.automationId, closing(1))));
      await Promise.all(adding);
      const open = (await reportsOf(handles[0]).list(all)).filter(({ closedAt }) => closedAt === undefined).length;
      assert.equal(
        closed.reduce((sum, count) => sum + count, open),
        20,
      );
      await reportsOf(handles[1]).close(all.automationId, closing(2));
    }
  });

  it('the end of all reports by both, 10 times: once, with its entry', async (handles) => {
    for (const round of numbers(10)) {
      await addReports(reportsOf(handles[0]), report(100 + round));
      const ends = handles.map((handle, n) =>
        reportsOf(handle).close(all.automationId, closing(1, { refusedFile: 'a', ...audited(2 * round + n) })),
      );
      assert.deepEqual((await Promise.all(ends)).sort(), [0, 1]);
      assert.equal((await handles[1].auditLog.list({ limit: 100 })).length, round);
    }
  });
}
