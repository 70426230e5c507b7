import assert from 'node:assert/strict';
import { AUDIT_ACTIONS, type AuditEntry, type AuditEntryId } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { tamper } from './handles.js';
import { keyIdOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers, readWhile, uuid } from './offers.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Log = Suite<AuditLog>;

const entryIdOf = (n: number) => uuid(n) as AuditEntryId;

/** The nth entry; all are of the same time unless told otherwise. */
function entry(n: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return { id: entryIdOf(n), at: at(0), actor: 'developer', action: 'signed-in', developerId: ADA, ...fields };
}

const ofNobody = (n: number): AuditEntry => ({
  id: entryIdOf(n),
  at: at(n),
  actor: 'stranger',
  action: 'sign-in-failed',
});

/** Entries 1 to `count`, in turn of Ada, of Bob and of no developer. */
function mixedEntries(count: number): readonly AuditEntry[] {
  return numbers(count).map((n) => (n % 3 === 0 ? ofNobody(n) : entry(n, { developerId: n % 3 === 1 ? ADA : BOB })));
}

/** That parts of every size, one after the other, are the entries, newest first. */
async function assertLogged(
  log: AuditLog,
  appended: readonly AuditEntry[],
  whose: Pick<AuditQuery, 'developerId'> = {},
  limits = [1, 3, 100],
): Promise<void> {
  for (const limit of limits) {
    const seen: AuditEntry[] = [];
    for (let more = true; more;) {
      const last = seen.at(-1);
      const part = await log.list({ ...whose, limit, ...(last && { before: last.id }) });
      assert.ok(part.length <= limit, 'no more than were asked for');
      seen.push(...part);
      assert.ok(seen.length <= appended.length, 'each once');
      assert.ok(part.length === limit || seen.length === appended.length, 'fewer only at the end');
      more = part.length > 0;
    }
    assert.deepEqual(seen, appended.toReversed());
  }
}

/** What every `AuditLog` owes. That all parts cost the same is left out: it takes a clock. */
export function auditLogContract(fresh: Fresh<AuditLog>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('AuditLog', () => {
    suite.describe('append', () => appendPromises(suite));
    suite.describe('list', () => listPromises(suite));
    handlePromises(suite);
  });
}

function appendPromises({ describe, it }: Log): void {
  describe('Stores the entries, in their order, all or none of them; ' +
    'an entry whose id is stored already is not stored again', () => {
    it('none', async (log) => {
      await log.append([]);
      await assertLogged(log, []);
    });

    it('together and one after the other', async (log) => {
      const entries = mixedEntries(20);
      await log.append(entries.slice(0, 12));
      for (const one of entries.slice(12)) await log.append([one]);
      await assertLogged(log, entries);
    });

    it('at once: each call stands together', async (log) => {
      const calls = numbers(10).map((n) => numbers(5).map((m) => entry(n * 10 + m)));
      await Promise.all(calls.map((entries) => log.append(entries)));
      const ids = (await log.list({ limit: 100 })).map(({ id }) => id).reverse();
      assert.equal(ids.length, 50);
      for (const entries of calls) {
        const first = ids.indexOf(entries[0]?.id ?? assert.fail());
        assert.deepEqual(
          ids.slice(first, first + 5),
          entries.map(({ id }) => id),
        );
      }
    });

    it('a reader meanwhile sees all of 500 or none', async (log) => {
      const entries = numbers(500).map((n) => entry(n));
      const read = async () => assert.ok([0, 500].includes((await log.list({ limit: 1_000 })).length));
      await readWhile(read, log.append(entries));
      await assertLogged(log, entries, {}, [1_000]);
    });

    it('an id that comes again keeps its first entry and its place, and the others are stored', async (log) => {
      await log.append([entry(1), entry(2)]);
      await log.append([entry(3), entry(1, { action: 'signed-out' }), entry(4)]);
      await log.append([entry(4), entry(5), entry(5, { action: 'signed-out' })]);
      await assertLogged(
        log,
        numbers(5).map((n) => entry(n)),
      );
    });

    it('an id 100 times at once is stored once', async (log) => {
      await Promise.all(numbers(100).map(() => log.append([entry(1)])));
      await assertLogged(log, [entry(1)]);
    });
  });
}

const ENTRIES: Readonly<Record<string, AuditEntry>> = {
  'with all that it can have': entry(1, { subject: keyIdOf(7), address: '2001:db8::1', requestId: 'a-b_c"\'%\\$' }),
  'of the operator': entry(1, { actor: 'operator', action: 'developer-invited' }),
  'of nobody': ofNobody(1),
  'with the longest request id, and an IPv4 address within IPv6': entry(1, {
    requestId: '~'.repeat(128),
    address: '0000:0000:0000:0000:0000:ffff:192.168.158.190',
  }),
  'of the developer of an issuer with the longest id': entry(1, { developerId: LONGEST_DEVELOPER }),
};

function listPromises({ describe, it }: Log): void {
  describe('Returns the entries, field for field, newest first: the reverse of the order in which `append` stored ' +
    'them, whatever their `at`; at most `limit` of them, and fewer only at the end', () => {
    it('1,001, 500 of them at a time', async (log) => {
      const entries = numbers(1_001).map((n) => entry(n));
      for (const start of [0, 500, 1_000]) await log.append(entries.slice(start, start + 500));
      await assertLogged(log, entries, {}, [101, 1_000]);
      await assertLogged(log, entries, { developerId: ADA }, [101, 1_000]);
    });

    for (const [what, one] of Object.entries(ENTRIES))
      it(`one ${what}`, async (log) => {
        await log.append([one]);
        assert.deepEqual(await log.list({ limit: 1 }), [one]);
      });

    it('one of each action', async (log) => {
      const entries = AUDIT_ACTIONS.map((action, n) => entry(n, { action }));
      await log.append(entries);
      await assertLogged(log, entries);
    });

    for (const [what, time] of Object.entries({ rising: at, falling: (n: number) => at(-n) }))
      it(`\`at\` ${what}`, async (log) => {
        const entries = numbers(12).map((n) => entry(n, { at: time(n) }));
        for (const one of entries) await log.append([one]);
        await assertLogged(log, entries);
      });
  });

  describe('With `developerId`, only the entries that concern this developer', () => {
    it('each their own', async (log) => {
      const entries = mixedEntries(20);
      await log.append(entries);
      for (const developerId of [ADA, BOB])
        await assertLogged(
          log,
          entries.filter((one) => one.developerId === developerId),
          { developerId },
        );
    });

    it('none of one who did nothing', async (log) => {
      await log.append([entry(1)]);
      assert.deepEqual(await log.list({ limit: 10, developerId: BOB }), []);
    });
  });

  describe('With `before`, those that come after that entry in this order; none when it is unknown', () => {
    it('also when it concerns somebody else', async (log) => {
      await log.append([entry(1), entry(2), entry(3, { developerId: BOB }), entry(4)]);
      assert.deepEqual(await log.list({ limit: 10, developerId: ADA, before: entryIdOf(3) }), [entry(2), entry(1)]);
    });

    it('and stays where it was while others are appended', async (log) => {
      await log.append(numbers(4).map((n) => entry(n)));
      const [, second] = await log.list({ limit: 2 });
      await log.append([entry(5)]);
      assert.deepEqual(await log.list({ limit: 1, before: second?.id ?? assert.fail() }), [entry(2)]);
    });

    it('of the oldest, and of an unknown one, nothing', async (log) => {
      await log.append([entry(1), entry(2)]);
      for (const before of [entryIdOf(1), entryIdOf(9)]) assert.deepEqual(await log.list({ limit: 10, before }), []);
    });
  });
}

function handlePromises({ describe, it }: Log): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was appended', async (log) => {
      const entries = [entry(1), entry(2)];
      await log.append(entries);
      tamper(entries);
      await assertLogged(log, [entry(1), entry(2)]);
    });

    it('what was listed', async (log) => {
      await log.append([entry(1), entry(2)]);
      tamper(await log.list({ limit: 2 }));
      tamper(await log.list({ limit: 2, developerId: ADA }));
      await assertLogged(log, [entry(1), entry(2)]);
    });
  });
}
