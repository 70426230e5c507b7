import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import { MAX_OPEN_REPORTS, REPORT_KINDS, type Report } from '../../domain/report.js';
import { assertRecorded } from './archives.js';
import { tamper } from './handles.js';
import { ADA, at, auditEntry, automationIdOf, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import {
  addReports,
  assertReports,
  audited,
  closing,
  MANY,
  outcomes,
  report,
  reportsOf,
  type ReportStore,
} from './reports.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Reports = Suite<ReportStore>;

const FIRST = automationIdOf(1);
const SHA256 = 'a'.repeat(64);
const LONGEST_TEXT = '🦄'.repeat(1_000);
const ALL = { automationId: FIRST, limit: 1_000 };

/**
 * Declares what every `ReportRepository` promises, for a storage that has them. Left out is that all parts cost the
 * same, which needs a clock.
 */
export function reportRepositoryContract(fresh: Fresh<ReportStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('ReportRepository', () => {
    suite.describe('add', () => addPromises(suite));
    suite.describe('listReported', () => reportedPromises(suite));
    suite.describe('list', () => listPromises(suite));
    suite.describe('close', () => closePromises(suite));
    suite.describe('isRefused', () => refusedPromises(suite));
    suite.describe('removeClosed', () => removeClosedPromises(suite));
    suite.describe('removeAddresses', () => removeAddressesPromises(suite));
    entryPromises(suite);
    handlePromises(suite);
  });
}

function addPromises({ describe, it }: Reports): void {
  describe('Stores an open report', () => {
    it('field for field: of each kind, with the shortest and the longest text, of an account', async (store) => {
      const all: readonly Report[] = [
        ...REPORT_KINDS.map((kind, index) => report(index + 1, { kind })),
        report(6, { text: '' }),
        report(7, { text: LONGEST_TEXT, address: '2001:db8::1' }),
        report(8, { developerId: LONGEST_DEVELOPER, text: `'"<b>\n%_$1 é e\u0301 \u2028` }),
      ];
      await addReports(reportsOf(store), ...all);
      await assertReports(reportsOf(store), all);
    });
  });

  const REPEATED =
    'Stores nothing, and returns `repeated`, when its account has an open one for this automation; else `full`, ' +
    'when the automation has `MAX_OPEN_REPORTS` open ones; both also when raced';
  describe(REPEATED, () => {
    it('of each account one for each automation; those of no account are all stored', async (store) => {
      const reports = reportsOf(store);
      const all = [report(1, { developerId: ADA }), report(2, { developerId: BOB }), report(3), report(4)];
      await addReports(reports, ...all, report(5, { developerId: ADA, automationId: automationIdOf(2) }));
      const again = report(6, { developerId: ADA, kind: 'other', text: 'Again' });
      assert.equal(await reports.add({ report: again, entries: [] }), 'repeated');
      await assertReports(reports, all);
    });

    it('one more of the same account when the first was closed', async (store) => {
      const reports = reportsOf(store);
      await addReports(reports, report(1, { developerId: ADA }));
      await reports.close(FIRST, closing(2));
      await addReports(reports, report(3, { developerId: ADA }));
    });

    it('40 at once of one account: one', async (store) => {
      const reports = reportsOf(store);
      const adding = MANY.map((n) => reports.add({ report: report(n, { developerId: ADA }), entries: [] }));
      assert.deepEqual(outcomes(await Promise.all(adding)), { stored: 1, repeated: 39, full: 0 });
      assert.equal((await reports.list(ALL)).length, 1);
    });

    it('up to the limit, and not beyond, 40 at once; other automations have room', async (store) => {
      const reports = reportsOf(store);
      const developerId = ADA;
      await addReports(
        reports,
        report(1, { developerId }),
        ...numbers(MAX_OPEN_REPORTS - 21).map((n) => report(n + 1)),
      );
      const adding = MANY.map((n) => reports.add({ report: report(n + 200), entries: [] }));
      assert.deepEqual(outcomes(await Promise.all(adding)), { stored: 20, repeated: 0, full: 20 });
      assert.equal((await reports.list(ALL)).length, MAX_OPEN_REPORTS);
      assert.equal(await reports.add({ report: report(300, { developerId }), entries: [] }), 'repeated');
      await addReports(reports, report(301, { automationId: automationIdOf(2) }));
      await reports.close(FIRST, closing(1));
      await addReports(reports, report(302));
    });
  });
}

function reportedPromises({ describe, it }: Reports): void {
  describe(
    'Returns the automations that have open reports, in descending order of their ids, with the number and the ' +
      'kinds of these; at most `limit` of them, and fewer only at the end',
    () => {
      it('none; then each once, and none whose reports are closed', async (store) => {
        const reports = reportsOf(store);
        assert.deepEqual(await reports.listReported({ limit: 10 }), []);
        const of = (n: number) => ({ automationId: automationIdOf(n) });
        await addReports(reports, report(1, of(1)), report(2, { ...of(1), kind: 'other' }), report(3, of(1)));
        await addReports(reports, report(4, { ...of(2), kind: 'misleading' }), report(5, of(3)));
        await reports.close(automationIdOf(3), closing(1));
        const expected = [
          { ...of(1), count: 3, kinds: ['dangerous', 'other'] },
          { ...of(2), count: 1, kinds: ['misleading'] },
        ];
        const newestFirst = expected.sort((one, other) => (one.automationId < other.automationId ? 1 : -1));
        assert.deepEqual(await reports.listReported({ limit: 10 }), newestFirst);
      });
    },
  );

  describe('With `before`, those whose id is lower, also when that one is unknown', () => {
    it('in parts of each size, of automations with as many reports as they can have', async (store) => {
      const reports = reportsOf(store);
      const ids = numbers(7).map((n) => automationIdOf(n));
      for (const [index, automationId] of ids.entries()) {
        const own = numbers(index === 3 ? MAX_OPEN_REPORTS : index + 1).map((n) => report(1_000 * index + n));
        await Promise.all(own.map((one) => reports.add({ report: { ...one, automationId }, entries: [] })));
      }
      const expected = ids.toSorted().toReversed();
      for (const limit of [1, 2, 1_000]) {
        const seen: string[] = [];
        for (let more = true; more;) {
          const before = seen.at(-1) as (typeof ids)[0] | undefined;
          const part = await reports.listReported({ limit, before });
          seen.push(...part.map(({ automationId }) => automationId));
          for (const { automationId, count } of part)
            assert.equal(count, automationId === ids[3] ? MAX_OPEN_REPORTS : ids.indexOf(automationId) + 1);
          more = part.length === limit && seen.length <= expected.length;
        }
        assert.deepEqual(seen, expected);
      }
      const [highest = FIRST] = expected;
      await reports.close(highest, closing(1));
      const next = await reports.listReported({ limit: 1, before: highest });
      assert.equal(next[0]?.automationId, expected[1]);
    });
  });
}

function listPromises({ describe, it }: Reports): void {
  describe(
    'Returns the reports of an automation, field for field, in descending order of their ids; at most `limit` of ' +
      'them, and fewer only at the end',
    () => {
      it('none, and those of one alone, in whatever order they were stored', async (store) => {
        const reports = reportsOf(store);
        await assertReports(reports, []);
        await addReports(reports, report(3), report(1), report(9, { automationId: automationIdOf(2) }), report(2));
        await assertReports(reports, [report(1), report(2), report(3)]);
        await reports.close(FIRST, closing(5));
        const closed = numbers(3).map((n) => report(n, { closedAt: at(5), decision: 'dismissed' }));
        await assertReports(reports, closed);
      });
    },
  );

  describe('With `before`, those whose id is lower, also when that one is unknown', () => {
    it('before one that is not there, or is of another automation', async (store) => {
      const reports = reportsOf(store);
      await addReports(reports, report(1), report(2), report(4), report(3, { automationId: automationIdOf(2) }));
      for (const before of [report(3).id, report(4).id])
        assert.deepEqual(await reports.list({ ...ALL, before }), [report(2), report(1)]);
    });
  });
}

function closePromises({ describe, it }: Reports): void {
  describe(
    'Closes every open report of an automation, and returns how many; with `refusedFile`, this file is refused from ' +
      'then on, all or nothing',
    () => {
      it('with the decision, and not those of another automation', async (store) => {
        const reports = reportsOf(store);
        const other = report(3, { automationId: automationIdOf(2) });
        await addReports(reports, report(1), report(2, { developerId: ADA }), other);
        assert.equal(await reports.close(FIRST, closing(5, { decision: 'withdrawn' })), 2);
        const closed = { closedAt: at(5), decision: 'withdrawn' } as const;
        await assertReports(reports, [report(1, closed), report(2, { developerId: ADA, ...closed })]);
        await assertReports(reports, [other], automationIdOf(2));
        assert.equal(await reports.isRefused(SHA256), false);
      });

      it('as many as there may be, with a file, which is refused once', async (store) => {
        const reports = reportsOf(store);
        for (const round of [1, 2]) {
          const all = numbers(MAX_OPEN_REPORTS).map((n) => report(1_000 * round + n));
          await Promise.all(all.map((one) => reports.add({ report: one, entries: [] })));
          assert.equal(await reports.close(FIRST, closing(5, { refusedFile: SHA256 })), MAX_OPEN_REPORTS);
          assert.equal(await reports.isRefused(SHA256), true);
        }
      });
    },
  );

  describe('Where none is open, nothing changes', () => {
    it('neither a decision that was made, nor a file', async (store) => {
      const reports = reportsOf(store);
      await addReports(reports, report(1));
      await reports.close(FIRST, closing(5));
      const late = closing(9, { decision: 'file-refused', refusedFile: SHA256, ...audited(1) });
      assert.equal(await reports.close(FIRST, late), 0);
      assert.equal(await reports.close(automationIdOf(2), late), 0);
      await assertReports(reports, [report(1, { closedAt: at(5), decision: 'dismissed' })]);
      assert.equal(await reports.isRefused(SHA256), false);
      await assertRecorded(store);
    });
  });

  describe('When raced, each report is closed once', () => {
    it('of 40 calls that close 30', async (store) => {
      const reports = reportsOf(store);
      await addReports(reports, ...numbers(30).map((n) => report(n)));
      const closed = await Promise.all(MANY.map((n) => reports.close(FIRST, closing(n, audited(n)))));
      assert.deepEqual(
        closed.filter((count) => count > 0),
        [30],
      );
      await assertRecorded(store, auditEntry(closed.indexOf(30) + 1));
    });
  });
}

function refusedPromises({ describe, it }: Reports): void {
  describe('Returns whether the file with this SHA-256 is refused', () => {
    it('and no other one', async (store) => {
      const reports = reportsOf(store);
      for (const [n, refusedFile] of [SHA256, 'b'.repeat(64)].entries()) {
        await addReports(reports, report(n));
        await reports.close(FIRST, closing(1, { refusedFile }));
        assert.equal(await reports.isRefused(refusedFile), true);
      }
      assert.equal(await reports.isRefused(SHA256), true);
      for (const near of [SHA256.slice(1), SHA256.toUpperCase(), 'c'.repeat(64), '', '%'])
        assert.equal(await reports.isRefused(near), false);
    });
  });
}

function removeClosedPromises({ describe, it }: Reports): void {
  describe('Removes every report that was closed at or before this time, and returns how many', () => {
    it('also at the very time, and neither later ones nor open ones', async (store) => {
      const reports = reportsOf(store);
      for (const n of [9, 10, 11]) {
        await addReports(reports, report(n));
        await reports.close(FIRST, closing(n));
      }
      await addReports(reports, report(1));
      assert.equal(await reports.removeClosed(at(10)), 2);
      await assertReports(reports, [report(1), report(11, { closedAt: at(11), decision: 'dismissed' })]);
      assert.equal(await reports.removeClosed(at(10)), 0);
    });

    it('many, and no file that is refused', async (store) => {
      const reports = reportsOf(store);
      for (const round of numbers(5)) {
        const all = numbers(MAX_OPEN_REPORTS).map((n) => report(1_000 * round + n));
        await Promise.all(all.map((one) => reports.add({ report: one, entries: [] })));
        await reports.close(FIRST, closing(1, { refusedFile: SHA256 }));
      }
      assert.equal(await reports.removeClosed(at(1)), 5 * MAX_OPEN_REPORTS);
      assert.equal(await reports.isRefused(SHA256), true);
    });
  });
}

function removeAddressesPromises({ describe, it }: Reports): void {
  describe('Removes the address of every report of or before this time, and returns of how many', () => {
    it('also at the very time, of open ones and closed ones; the rest stays', async (store) => {
      const reports = reportsOf(store);
      const address = '192.0.2.1';
      await addReports(reports, report(9, { address, developerId: ADA }));
      await reports.close(FIRST, closing(9));
      await addReports(reports, ...[10, 11].map((n) => report(n, { address })), report(8));
      assert.equal(await reports.removeAddresses(at(10)), 2);
      const closed = report(9, { developerId: ADA, closedAt: at(9), decision: 'dismissed' });
      await assertReports(reports, [report(8), closed, report(10), report(11, { address })]);
      assert.equal(await reports.removeAddresses(at(10)), 0);
    });

    it('many', async (store) => {
      const reports = reportsOf(store);
      const all = numbers(405).map((n) => report(n, { automationId: automationIdOf(n % 9), address: '192.0.2.1' }));
      await Promise.all(all.map((one) => reports.add({ report: one, entries: [] })));
      assert.equal(await reports.removeAddresses(at(500)), 405);
    });
  });
}

function entryPromises({ describe, it }: Reports): void {
  const SENTENCE =
    'Stored in the audit log together with the change: both or neither. Where nothing changes, none is stored';
  describe(SENTENCE, () => {
    it('those of a report, and of the end of all', async (store) => {
      const reports = reportsOf(store);
      assert.equal(await reports.add({ report: report(1), ...audited(1) }), 'stored');
      await assertRecorded(store, auditEntry(1));
      await reports.close(FIRST, closing(1, { entries: [auditEntry(2), auditEntry(3)] }));
      await assertRecorded(store, ...[1, 2, 3].map((n) => auditEntry(n)));
    });

    it('none of a report that is repeated, or of which there are too many', async (store) => {
      const reports = reportsOf(store);
      const developerId = 'eve' as DeveloperId;
      await addReports(reports, report(1, { developerId }));
      await reports.add({ report: report(2, { developerId }), ...audited(1) });
      await addReports(reports, ...numbers(MAX_OPEN_REPORTS - 1).map((n) => report(n + 2)));
      assert.equal(await reports.add({ report: report(500), ...audited(2) }), 'full');
      await assertRecorded(store);
    });

    it('one, of 40 at once of one account', async (store) => {
      const reports = reportsOf(store);
      const adding = MANY.map((n) => reports.add({ report: report(n, { developerId: ADA }), ...audited(n) }));
      const added = await Promise.all(adding);
      await assertRecorded(store, auditEntry(added.indexOf('stored') + 1));
    });
  });
}

function handlePromises({ describe, it }: Reports): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was added, closed and found', async (store) => {
      const reports = reportsOf(store);
      const [added, ended] = [{ ...report(1), at: at(1) }, closing(5)];
      await addReports(reports, added);
      await reports.close(FIRST, ended);
      tamper(added);
      tamper(ended);
      tamper(await reports.list(ALL));
      await assertReports(reports, [report(1, { closedAt: at(5), decision: 'dismissed' })]);
      const open = { ...report(2), at: at(2) };
      await addReports(reports, open);
      tamper(open);
      assert.deepEqual(await reports.list({ ...ALL, limit: 1 }), [report(2)]);
    });
  });
}
