import assert from 'node:assert/strict';
import type { AuditEntry } from '../../domain/audit.js';
import type { Automation } from '../../domain/automation.js';
import { assertRecorded, type ArchivedStore } from './archives.js';
import {
  ADA,
  assertOnSale,
  at,
  auditEntry,
  automation,
  automationIdOf,
  BOB,
  entryIdOf,
  LONGEST_DEVELOPER,
  numbers,
  offer,
  revise,
  revision,
  store,
} from './offers.js';
import type { Suite } from './runner.js';

type Archive = Suite<ArchivedStore>;

/** The nth entry, of a change of this automation. */
const published = (n: number, of: number): AuditEntry =>
  auditEntry(n, { action: 'automation-published', subject: automationIdOf(of) });
const revised = (n: number, of: number): AuditEntry =>
  auditEntry(n, { action: 'automation-revised', subject: automationIdOf(of), changed: ['title', 'price'] });
const withdrawn = (n: number, of: number): AuditEntry =>
  auditEntry(n, { action: 'automation-withdrawn', subject: automationIdOf(of), actor: 'operator' });

/** Adds automations, each with an entry of its own number, and returns the entries. */
async function fill({ automations }: ArchivedStore, count: number): Promise<readonly AuditEntry[]> {
  const entries = numbers(count).map((n) => published(n, n));
  await store(automations, ...entries.map((entry, index) => offer(index + 1, { auditEntry: entry })));
  return entries;
}

/** Moves entries to the log, at most `limit` at a time, and returns how many. */
async function move({ archive, auditLog }: ArchivedStore, limit: number): Promise<number> {
  const pending = await archive.pendingAudit(limit);
  assert.ok(pending.length <= limit, 'no more than were asked for');
  await auditLog.append(pending);
  await archive.clearAudit(pending.map(({ id }) => id));
  return pending.length;
}

async function moveAll(subject: ArchivedStore, limit: number): Promise<void> {
  for (let rounds = 0; (await move(subject, limit)) > 0; rounds += 1) assert.ok(rounds < 100, 'it comes to an end');
}

export function auditPromises(suite: Archive): void {
  changes(suite);
  pending(suite);
  clear(suite);
}

function changes(suite: Archive): void {
  const sentence =
    'Entries that the store writes to the audit log itself, together with the change, are not among them: ' +
    'such a store returns none';
  suite.describe(`${sentence}. Each is in one of the two as soon as the change is acknowledged`, () => {
    acknowledged(suite);
    refused(suite);
  });
}

function acknowledged({ it }: Archive): void {
  it('of what is added, revised and withdrawn', async (subject) => {
    const { automations } = subject;
    const [one = automation(0)] = await store(automations, offer(1, { auditEntry: published(1, 1) }), offer(2));
    await assertRecorded(subject, published(1, 1));
    await revise(automations, one, { title: 'Revised' }, revised(2, 1));
    await assertRecorded(subject, published(1, 1), revised(2, 1));
    await automations.withdraw(one.id, { at: at(9), developerId: ADA, auditEntry: withdrawn(3, 1) });
    await assertRecorded(subject, published(1, 1), revised(2, 1), withdrawn(3, 1));
  });

  it('of each of 500 in one call', async (subject) => {
    await assertRecorded(subject, ...(await fill(subject, 500)));
  });

  it('field for field', async (subject) => {
    const entries = [
      auditEntry(1, { action: 'automation-published', subject: automationIdOf(1), address: '2001:db8::1' }),
      auditEntry(2, { at: new Date('9999-12-31T23:59:59.999Z'), developerId: LONGEST_DEVELOPER }),
      auditEntry(3, { at: new Date(0), changed: ['title', 'description', 'price', 'categoryId'] }),
      auditEntry(4, { requestId: '~$.\'"%_\\'.padEnd(128, '~'), changed: [] }),
    ];
    await store(subject.automations, ...entries.map((entry, n) => offer(n, { auditEntry: entry })));
    await assertRecorded(subject, ...entries);
  });

  it('of 20 revisions of one automation, after each other', async (subject) => {
    let [current = automation(0)] = await store(subject.automations, offer(1));
    const entries = numbers(20).map((n) => revised(n, 1));
    for (const entry of entries)
      ({ automation: current } = await revise(subject.automations, current, { title: `As of ${entry.id}` }, entry));
    await assertRecorded(subject, ...entries);
  });

  it('of an offer that loses its key to a later one of the same call', async (subject) => {
    await store(
      subject.automations,
      offer(1, { key: 'key', until: at(5), auditEntry: published(1, 1) }),
      offer(2, { key: 'key', createdAt: at(5), auditEntry: published(2, 2) }),
    );
    await assertRecorded(subject, published(1, 1), published(2, 2));
  });
}

function refused({ it }: Archive): void {
  it('none of an offer that is a conflict or an earlier one', async (subject) => {
    const offers = [offer(1, { key: 'key' }), offer(1), offer(2, { key: 'key' })];
    const answers = await subject.automations.add(
      offers.map((one, index) => ({ ...one, auditEntry: published(index + 1, 1) })),
    );
    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['stored', 'conflict', 'earlier'],
    );
    await assertRecorded(subject, published(1, 1));
  });

  it('none of a revision or a withdrawal that changes nothing', async (subject) => {
    const { automations } = subject;
    const [one = automation(0)] = await store(automations, offer(1), offer(2));
    await revise(automations, one, { title: 'Revised' }, revised(1, 1));
    await automations.revise(revision(one, { title: 'Late' }, revised(2, 1)));
    await automations.withdraw(one.id, { at: at(9), developerId: BOB, auditEntry: withdrawn(3, 1) });
    await automations.withdraw(one.id, { at: at(9), auditEntry: withdrawn(4, 1) });
    await automations.withdraw(one.id, { at: at(9), auditEntry: withdrawn(5, 1) });
    await automations.revise(revision(one, { title: 'Later' }, revised(6, 1)));
    await automations.withdraw(automationIdOf(9), { at: at(9), auditEntry: withdrawn(7, 9) });
    await assertRecorded(subject, revised(1, 1), withdrawn(4, 1));
  });

  it('one, of 30 revisions and 30 withdrawals at once', async (subject) => {
    const { automations } = subject;
    const [one = automation(0), two = automation(0)] = await store(automations, offer(1), offer(2));
    const revisions = numbers(30).map((n) => automations.revise(revision(one, { title: `${n}` }, revised(n, 1))));
    const withdrawals = numbers(30).map((n) =>
      automations.withdraw(two.id, { at: at(n), auditEntry: withdrawn(100 + n, 2) }),
    );
    const first = (await Promise.all(revisions)).findIndex(({ outcome }) => outcome === 'revised') + 1;
    const second = (await Promise.all(withdrawals)).indexOf('withdrawn') + 1;
    await assertRecorded(subject, revised(first, 1), withdrawn(100 + second, 2));
  });
}

function pending({ describe, it }: Archive): void {
  describe(
    'Returns entries of the audit that are kept together with automations, in any order, at most `limit` of ' +
      'them, 1 to 1,000; fewer only when there are no others',
    () => {
      it('none of an empty store', async ({ archive }) => {
        assert.deepEqual(await archive.pendingAudit(1_000), []);
      });

      it('of 20 of them, parts of every size', async (subject) => {
        await fill(subject, 20);
        const all = (await subject.archive.pendingAudit(1_000)).length;
        for (const limit of [1, 7, 19, 20, 21])
          assert.equal((await subject.archive.pendingAudit(limit)).length, Math.min(all, limit));
      });

      it('of 20 of one automation, parts of every size', async (subject) => {
        let [current = automation(0)] = await store(subject.automations, offer(1));
        for (const n of numbers(20))
          ({ automation: current } = await revise(subject.automations, current, { title: `No ${n}` }, revised(n, 1)));
        const all = (await subject.archive.pendingAudit(1_000)).length;
        for (const limit of [1, 7, 20])
          assert.equal((await subject.archive.pendingAudit(limit)).length, Math.min(all, limit));
      });
    },
  );
}

function clear({ describe, it }: Archive): void {
  describe('Removes these entries from the automations with which they are kept; unknown ids change nothing', () => {
    for (const limit of [1, 7, 1_000])
      it(`moved to the log, ${limit} at a time, and the automations stay as they are`, async (subject) => {
        const entries = [...(await fill(subject, 20))];
        await subject.automations.withdraw(automationIdOf(20), { at: at(9), auditEntry: withdrawn(21, 20) });
        await moveAll(subject, limit);
        assert.deepEqual(await subject.archive.pendingAudit(1_000), []);
        const logged = await subject.auditLog.list({ limit: 1_000 });
        assert.deepEqual(logged, [...entries, withdrawn(21, 20)].reverse());
        await assertOnSale(
          subject.automations,
          numbers(19).map((n) => automation(n)),
          [100],
        );
      });

    it('twice, as after an interruption', async (subject) => {
      const entries = await fill(subject, 5);
      const { archive, auditLog } = subject;
      const found = await archive.pendingAudit(1_000);
      await auditLog.append(found);
      await move(subject, 1_000);
      await archive.clearAudit(found.map(({ id }) => id));
      assert.deepEqual(await auditLog.list({ limit: 1_000 }), entries.toReversed());
      assert.deepEqual(await archive.pendingAudit(1_000), []);
    });

    it('one of three of an automation; the others stay', async (subject) => {
      const { automations, archive, auditLog } = subject;
      const [one = automation(0)] = await store(automations, offer(1, { auditEntry: published(1, 1) }));
      await revise(automations, one, { title: 'Revised' }, revised(2, 1));
      await automations.withdraw(one.id, { at: at(9), auditEntry: withdrawn(3, 1) });
      const middle = (await archive.pendingAudit(1_000)).filter(({ id }) => id === entryIdOf(2));
      await auditLog.append(middle);
      await archive.clearAudit([entryIdOf(2)]);
      await assertRecorded(subject, published(1, 1), revised(2, 1), withdrawn(3, 1));
      assert.ok((await archive.pendingAudit(1_000)).every(({ id }) => id !== entryIdOf(2)));
    });

    it('none, and unknown ones', async (subject) => {
      const entries = await fill(subject, 3);
      await subject.archive.clearAudit([]);
      await subject.archive.clearAudit([entryIdOf(8), entryIdOf(9)]);
      await assertRecorded(subject, ...entries);
    });

    it('while automations are revised: none is lost', async (subject) => {
      const first = await fill(subject, 10);
      const current: Automation[] = numbers(10).map((n) => automation(n));
      for (const round of numbers(5)) {
        const revising = current.map(async (one, index) => {
          const entry = revised(round * 100 + index, index + 1);
          current[index] = (await revise(subject.automations, one, { title: `${round}` }, entry)).automation;
          return entry;
        });
        await Promise.all([move(subject, 4), move(subject, 1_000), ...revising]);
      }
      await moveAll(subject, 1_000);
      const later = numbers(5).flatMap((round) => numbers(10).map((n) => revised(round * 100 + n - 1, n)));
      await assertRecorded(subject, ...first, ...later);
    });
  });
}
