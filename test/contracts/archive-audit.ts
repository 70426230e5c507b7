import assert from './assert.js';
import { withdrawalEntries, type AuditEntry } from '../../domain/audit.js';
import { assertRecorded, type ArchivedStore } from './archives.js';
import {
  ADA,
  auditEntry,
  at,
  automation,
  automationIdOf,
  BOB,
  bulkWithdrawal,
  LONGEST_DEVELOPER,
  numbers,
  offer,
  revise,
  revision,
  store,
  withdrawal,
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

/** The entries of changes of automations. */
export function auditPromises(suite: Archive): void {
  suite.describe('The entry of the audit, stored in the audit log together with the change: both or neither', () => {
    together(suite);
    neither(suite);
  });
  const sentence =
    'Takes the oldest automations that the developer has on sale off the market, as `withdraw` does, at most as many ' +
    'as there are `entryIds`, and stores an entry of the audit for each, all or nothing';
  suite.describe(sentence, () => bulk(suite));
}

function together({ it }: Archive): void {
  it('of what is added, revised and withdrawn, in the log as soon as it is acknowledged', async (subject) => {
    const { automations } = subject;
    const [one = automation(0)] = await store(automations, offer(1, { auditEntry: published(1, 1) }), offer(2));
    await assertRecorded(subject, published(1, 1));
    await revise(automations, one, { title: 'Revised' }, revised(2, 1));
    await assertRecorded(subject, published(1, 1), revised(2, 1));
    await automations.withdraw(one.id, withdrawal(9, { developerId: ADA, auditEntry: withdrawn(3, 1) }));
    await assertRecorded(subject, published(1, 1), revised(2, 1), withdrawn(3, 1));
  });

  it('of each of 500 in one call', async (subject) => {
    const entries = numbers(500).map((n) => published(n, n));
    await store(subject.automations, ...entries.map((entry, index) => offer(index + 1, { auditEntry: entry })));
    await assertRecorded(subject, ...entries);
  });

  it('field for field', async (subject) => {
    const entries = [
      auditEntry(1, { action: 'automation-published', subject: automationIdOf(1), address: '2001:db8::1' }),
      auditEntry(2, { at: new Date('9999-12-31T23:59:59.999Z'), developerId: LONGEST_DEVELOPER }),
      auditEntry(3, { at: new Date(-999), changed: ['title', 'description', 'price', 'categoryId'] }),
      auditEntry(4, { requestId: '~$.\'"%_\\'.padEnd(128, '~'), changed: [], actor: 'operator', operatorId: BOB }),
    ];
    await store(subject.automations, ...entries.map((entry, n) => offer(n, { auditEntry: entry })));
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

function neither({ it }: Archive): void {
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
    await automations.withdraw(one.id, withdrawal(9, { developerId: BOB, auditEntry: withdrawn(3, 1) }));
    await automations.withdraw(one.id, withdrawal(9, { auditEntry: withdrawn(4, 1) }));
    await automations.withdraw(one.id, withdrawal(9, { auditEntry: withdrawn(5, 1) }));
    await automations.revise(revision(one, { title: 'Later' }, revised(6, 1)));
    await automations.withdraw(automationIdOf(9), withdrawal(9, { auditEntry: withdrawn(7, 9) }));
    await assertRecorded(subject, revised(1, 1), withdrawn(4, 1));
  });

  it('one, of 30 revisions and 30 withdrawals at once', async (subject) => {
    const { automations } = subject;
    const [one = automation(0), two = automation(0)] = await store(automations, offer(1), offer(2));
    const revisions = numbers(30).map((n) => automations.revise(revision(one, { title: `${n}` }, revised(n, 1))));
    const withdrawals = numbers(30).map((n) =>
      automations.withdraw(two.id, withdrawal(n, { auditEntry: withdrawn(100 + n, 2) })),
    );
    const first = (await Promise.all(revisions)).findIndex(({ outcome }) => outcome === 'revised') + 1;
    const second = (await Promise.all(withdrawals)).indexOf('withdrawn') + 1;
    await assertRecorded(subject, revised(first, 1), withdrawn(100 + second, 2));
  });
}

function bulk({ it }: Archive): void {
  it('with the ids in the order of the automations, and none for the ids that are left', async (subject) => {
    await store(subject.automations, ...numbers(4).map((n) => offer(n, { ...(n === 2 && { developerId: BOB }) })));
    const sent = bulkWithdrawal(5, { firstEntry: 11 });
    const ids = await subject.automations.withdrawAll(sent);
    assert.deepEqual(ids, [1, 3, 4].map(automationIdOf));
    await assertRecorded(subject, ...withdrawalEntries(ids, sent));
    assert.deepEqual(await subject.automations.withdrawAll(bulkWithdrawal(5, { firstEntry: 21 })), []);
    await assertRecorded(subject, ...withdrawalEntries(ids, sent));
  });

  it('one for each, of 10 calls at once', async (subject) => {
    await store(subject.automations, ...numbers(20).map((n) => offer(n)));
    const sent = numbers(10).map((n) => bulkWithdrawal(7, { firstEntry: n * 100 }));
    const ids = await Promise.all(sent.map((each) => subject.automations.withdrawAll(each)));
    assert.deepEqual(new Set(ids.flat()), new Set(numbers(20).map(automationIdOf)));
    const entries = sent.flatMap((each, index) => withdrawalEntries(ids[index] ?? [], each));
    await assertRecorded(subject, ...entries);
  });

  it('the author, the time and the reason of each', async ({ automations, archive }) => {
    const stored = await store(automations, ...numbers(3).map((n) => offer(n)));
    await automations.withdrawAll({ ...bulkWithdrawal(2), at: at(7), by: 'operator', reason: '$reason' });
    const withdrawnAlready = { at: at(7), by: 'operator', reason: '$reason' } as const;
    for (const [index, one] of stored.entries())
      assert.deepEqual(
        await archive.findAny(one.id),
        index < 2 ? { automation: one, withdrawn: withdrawnAlready } : { automation: one },
      );
  });
}
