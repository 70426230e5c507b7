import assert from './assert.js';
import type { AgentAddress } from '../../domain/app.js';
import type { CategoryId } from '../../domain/category.js';
import { AUDIT_ACTIONS, type AuditEntry, type AuditEntryId } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { afterPromises } from './audit-log-after.js';
import { mixedEntries, ofNoAccount } from './audit-entries.js';
import { tamper } from './handles.js';
import { keyIdOf } from './keys.js';
import { ADA, at, auditEntry, automationIdOf, BOB, entryIdOf, LONGEST_DEVELOPER, numbers } from './offers.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Log = Suite<AuditLog>;

/**
 * Asserts that parts of every size, one after the other, are the entries, which are given in the order of their ids.
 */
async function assertLogged(
  log: AuditLog,
  entries: readonly AuditEntry[],
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
      assert.ok(seen.length <= entries.length, 'each once');
      assert.ok(part.length === limit || seen.length === entries.length, 'fewer only at the end');
      more = part.length > 0;
    }
    assert.deepEqual(seen, entries.toReversed());
  }
}

/** Declares what every `AuditLog` promises. Left out is that all parts cost the same, which needs a clock. */
export function auditLogContract(fresh: Fresh<AuditLog>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('AuditLog', () => {
    suite.describe('append', () => appendPromises(suite));
    suite.describe('list', () => {
      listPromises(suite);
      afterPromises(suite);
    });
    handlePromises(suite);
  });
}

function appendPromises({ describe, it }: Log): void {
  describe('Stores the entries', () => {
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

    it('500 in one call', async (log) => {
      const entries = mixedEntries(500);
      await log.append(entries);
      await assertLogged(log, entries, {}, [1_000]);
    });

    it('20 calls at once', async (log) => {
      const entries = mixedEntries(100);
      await Promise.all(numbers(20).map((n) => log.append(entries.slice((n - 1) * 5, n * 5))));
      await assertLogged(log, entries);
    });
  });

  describe('One whose id is stored already is not stored again', () => {
    it('it keeps its first content, and the others are stored', async (log) => {
      await log.append([auditEntry(1), auditEntry(2)]);
      await log.append([auditEntry(3), auditEntry(1, { action: 'signed-out' }), auditEntry(4)]);
      await log.append([auditEntry(4), auditEntry(5)]);
      await assertLogged(
        log,
        numbers(5).map((n) => auditEntry(n)),
      );
    });

    it('twice in one call', async (log) => {
      await log.append([auditEntry(1), auditEntry(1), auditEntry(2)]);
      await assertLogged(log, [auditEntry(1), auditEntry(2)]);
    });

    it('100 times at once', async (log) => {
      await Promise.all(numbers(100).map(() => log.append([auditEntry(1), auditEntry(2)])));
      await assertLogged(log, [auditEntry(1), auditEntry(2)]);
    });
  });

  describe('When it rejects, some may be stored; the same call again stores the others', () => {
    it('every third was stored', async (log) => {
      const entries = mixedEntries(20);
      await log.append(entries.filter((_, index) => index % 3 === 0));
      await log.append(entries);
      await log.append(entries);
      await assertLogged(log, entries);
    });
  });
}

const ENTRIES: Readonly<Record<string, AuditEntry>> = {
  'with all that it can have': auditEntry(1, {
    subject: keyIdOf(7),
    address: '2001:db8::1',
    requestId: 'a-b_c"\'%\\$',
  }),
  'of a revision, with every field': auditEntry(1, {
    action: 'automation-revised',
    subject: automationIdOf(7),
    changed: ['title', 'description', 'price', 'categoryId'],
  }),
  'of a revision, with one field': auditEntry(1, { action: 'automation-revised', changed: ['price'] }),
  'of a program, with the longest id of its credential': auditEntry(1, {
    action: 'automation-published',
    credentialId: `https://${'a'.repeat(492)}`,
  }),
  'of an import, with its counts and the longest name of a file': auditEntry(1, {
    action: 'import-finished',
    counts: { stored: 0, present: 4_294_967_296, failed: 1 },
    file: `${'\u{1F984}'.repeat(250)}.jsnl`,
  }),
  'of an import of categories, with its counts': auditEntry(1, {
    action: 'categories-imported',
    counts: { added: 4_294_967_296, renamed: 0, unchanged: 1 },
  }),
  'of a rotation, with both keys': auditEntry(1, {
    action: 'key-rotated',
    subject: keyIdOf(7),
    predecessor: keyIdOf(6),
  }),
  'of the operator': auditEntry(1, { actor: 'operator', action: 'developer-invited' }),
  'of an operator with a name, with the role that was given': auditEntry(1, {
    actor: 'operator',
    operatorId: BOB,
    action: 'developer-role-changed',
    role: 'buyer',
  }),
  'about an agent with the longest address': auditEntry(1, {
    action: 'app-revoked',
    subject: 'https://agent.example/'.padEnd(500, 'x') as AgentAddress,
  }),
  'about a category': auditEntry(1, { action: 'category-added', subject: 'a-category' as CategoryId }),
  'of no account': ofNoAccount(1),
  'with the longest request id, and an IPv4 address within IPv6': auditEntry(1, {
    requestId: '~'.repeat(128),
    address: '0000:0000:0000:0000:0000:ffff:192.168.158.190',
  }),
  'of the developer with the longest id': auditEntry(1, { developerId: LONGEST_DEVELOPER }),
  'of 1969': auditEntry(1, { at: new Date(-999) }),
  'of 1970': auditEntry(1, { at: new Date(0) }),
  'of 9999': auditEntry(1, { at: new Date('9999-12-31T23:59:59.999Z') }),
};

function listPromises(suite: Log): void {
  orderPromises(suite);
  partPromises(suite);
}

function orderPromises({ describe, it }: Log): void {
  describe(
    'Returns the entries, field for field, in descending order of their ids; ' +
      'at most `limit` of them, and fewer only at the end',
    () => {
      it('1,001, 500 of them in a call', async (log) => {
        const entries = numbers(1_001).map((n) => auditEntry(n));
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
        const entries = AUDIT_ACTIONS.map((action, n) => auditEntry(n, { action }));
        await log.append(entries);
        await assertLogged(log, entries);
      });

      it('whatever the order in which they were appended, and their `at`', async (log) => {
        const entries = numbers(12).map((n) => auditEntry(n, { at: at(-n) }));
        const [late, early] = [entries.slice(0, 6), entries.slice(6)];
        await log.append(early.toReversed());
        for (const one of late.toReversed()) await log.append([one]);
        await assertLogged(log, entries);
        await assertLogged(log, entries, { developerId: ADA });
      });
    },
  );
}

function partPromises({ describe, it }: Log): void {
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

    it('not those of an operator who acts for another developer', async (log) => {
      const entries = [auditEntry(1, { developerId: BOB }), auditEntry(2, { actor: 'operator', operatorId: BOB })];
      await log.append(entries);
      assert.deepEqual(await log.list({ limit: 10, developerId: BOB }), entries.slice(0, 1));
      assert.deepEqual(await log.list({ limit: 10, developerId: ADA }), entries.slice(1));
    });

    it('none of a developer without entries', async (log) => {
      await log.append([auditEntry(1)]);
      assert.deepEqual(await log.list({ limit: 10, developerId: BOB }), []);
    });
  });

  describe('With `before`, those whose id is lower, also when that entry is unknown', () => {
    it('and concerns another developer', async (log) => {
      await log.append([1, 2, 3, 4].map((n) => auditEntry(n, { developerId: n === 3 ? BOB : ADA })));
      const part = await log.list({ limit: 10, developerId: ADA, before: entryIdOf(3) });
      assert.deepEqual(part, [auditEntry(2), auditEntry(1)]);
    });

    it('a part stays where it was while others are appended', async (log) => {
      await log.append([1, 3, 4, 5].map((n) => auditEntry(n)));
      const [, second] = await log.list({ limit: 2 });
      await log.append([auditEntry(6), auditEntry(2)]);
      const part = await log.list({ limit: 2, before: second?.id ?? assert.fail() });
      assert.deepEqual(part, [auditEntry(3), auditEntry(2)]);
    });

    it('of the oldest, nothing; of an unknown one, what is lower', async (log) => {
      await log.append([2, 4, 6].map((n) => auditEntry(n)));
      const before = (id: AuditEntryId) => log.list({ limit: 10, before: id });
      assert.deepEqual(await before(entryIdOf(2)), []);
      assert.deepEqual(await before(entryIdOf(5)), [auditEntry(4), auditEntry(2)]);
      assert.deepEqual(await before('ffffffff-ffff-7fff-bfff-ffffffffffff' as AuditEntryId), [
        auditEntry(6),
        auditEntry(4),
        auditEntry(2),
      ]);
    });
  });
}

function handlePromises({ describe, it }: Log): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    const full = () => auditEntry(1, { changed: ['title'], counts: { stored: 1, present: 2, failed: 3 } });

    it('what was appended', async (log) => {
      const entries = [full(), auditEntry(2)];
      await log.append(entries);
      tamper(entries);
      await assertLogged(log, [full(), auditEntry(2)]);
    });

    it('what was listed', async (log) => {
      await log.append([full(), auditEntry(2)]);
      tamper(await log.list({ limit: 2 }));
      tamper(await log.list({ limit: 2, developerId: ADA }));
      await assertLogged(log, [full(), auditEntry(2)]);
    });
  });
}
