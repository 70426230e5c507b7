import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { ReviseOutcome, Storage } from '../../domain/ports.js';
import { assertRecorded, assertScanned } from './archives.js';
import { ANY_OPERATOR, invitation, inviting, ONE_OPERATOR, operator } from './developers.js';
import { apiKey, assertOneWins, hashOf, keyIdOf } from './keys.js';
import {
  ADA,
  addOne,
  assertOnSale,
  at,
  auditEntry,
  automation,
  automationIdOf,
  bulkWithdrawal,
  entryIdOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  readWhile,
  revise,
  revision,
  store,
  tally,
  withdrawal,
} from './offers.js';
import { reportRaces } from './report-races.js';
import type { Suite } from './runner.js';
import { session, start } from './sessions.js';

/** Two storages over one store, such as two processes have. Both are the same where there can be only one. */
export type StorageHandles = readonly [one: Storage, other: Storage];

type Handles = Suite<StorageHandles>;

export function handlesPromises(suite: Handles): void {
  suite.describe('What one stores, the other sees in calls that start afterwards', () => {
    automationsSeen(suite);
    entriesSeen(suite);
    othersSeen(suite);
  });
  suite.describe(
    'Calls that overlap have the outcome of some order of them, and no call undoes the write of another',
    () => {
      addRaces(suite);
      changeRaces(suite);
      bulkRaces(suite);
      accountRaces(suite);
      limitRaces(suite);
      reportRaces(suite);
    },
  );
}

function automationsSeen({ it }: Handles): void {
  it('automations that are added in turn, in their order', async ([one, other]) => {
    const stored = [];
    for (const [index, each] of mixedOffers(12).entries()) {
      stored.push(...(await store((index % 2 === 0 ? one : other).automations, each)));
      for (const { automations } of [one, other]) await assertOnSale(automations, stored, [5]);
    }
  });

  it('revisions and withdrawals in turn, and their entries of the audit', async ([one, other]) => {
    const stored = [...(await store(one.automations, ...mixedOffers(9)))];
    const current = stored[4] ?? automation(0);
    ({ automation: stored[4] } = await revise(other.automations, current, { categoryId: GAMES }, auditEntry(1)));
    await one.automations.withdraw(automationIdOf(9), withdrawal(1, { auditEntry: auditEntry(2) }));
    await other.automations.withdraw(automationIdOf(1), withdrawal(2, { auditEntry: auditEntry(3) }));
    const onSale = stored.slice(1, 8);
    for (const handle of [one, other]) {
      await assertOnSale(handle.automations, onSale);
      await assertScanned(
        handle,
        { status: 'on-sale' },
        onSale.map((each) => ({ automation: each })),
      );
      await assertRecorded(handle, ...[1, 2, 3].map((n) => auditEntry(n)));
    }
  });

  it('idempotency keys: an earlier one, and one that is free again', async ([one, other]) => {
    await store(one.automations, offer(1, { key: 'key', until: at(10), hash: 'hash' }));
    const again = await addOne(other.automations, offer(2, { key: 'key' }));
    assert.deepEqual(again, { outcome: 'earlier', automation: automation(1), requestHash: 'hash' });
    assert.equal(await other.automations.freeIdempotencyKeys(at(10)), 1);
    await store(one.automations, offer(2, { key: 'key' }));
  });
}

/** A reader who asks meanwhile meets a change without its entry, if they are stored one after the other. */
function entriesSeen({ it }: Handles): void {
  it('the entry of a change as soon as the change, while automations are added, revised, withdrawn', async (both) => {
    const [one, other] = both;
    const rounds = numbers(20);
    const changing = rounds.reduce(async (before, n) => {
      await before;
      const [added] = await store(one.automations, offer(n, { auditEntry: auditEntry(3 * n) }));
      await revise(one.automations, added ?? automation(n), { title: 'Revised' }, auditEntry(3 * n + 1));
      await one.automations.withdraw(automationIdOf(n), withdrawal(9, { auditEntry: auditEntry(3 * n + 2) }));
    }, Promise.resolve());
    const readOnce = async () => {
      const [latest] = await other.auditLog.list({ limit: 1 });
      const [seen] = await other.archive.scan({ order: 'newest-first', limit: 1 });
      assert.ok(seen !== undefined || latest === undefined, 'an entry is seen before its automation');
      if (seen === undefined) return;
      const entries = new Set((await other.auditLog.list({ limit: 100 })).map(({ id }) => id));
      const { automation: found, withdrawn } = seen;
      const n = rounds.find((round) => automationIdOf(round) === found.id) ?? assert.fail();
      assert.ok(entries.has(entryIdOf(3 * n)), 'an automation is seen before the entry of its publication');
      if (found.title === 'Revised') assert.ok(entries.has(entryIdOf(3 * n + 1)), 'a revision before its entry');
      if (withdrawn !== undefined) assert.ok(entries.has(entryIdOf(3 * n + 2)), 'a withdrawal before its entry');
      const changes = withdrawn !== undefined ? 2 : found.title === 'Revised' ? 1 : 0;
      assert.ok(latest === undefined || latest.id <= entryIdOf(3 * n + changes), 'an entry before its change');
    };
    await readWhile(readOnce, changing);
    assert.equal((await other.auditLog.list({ limit: 100 })).length, 3 * rounds.length);
  });

  it('the entries of 20 withdrawals of five automations each as soon as these', async ([one, other]) => {
    const stored = await store(one.automations, ...numbers(100).map((n) => offer(n)));
    const withdrawing = numbers(20).reduce(async (before, n) => {
      await before;
      await one.automations.withdrawAll(bulkWithdrawal(5, { firstEntry: n * 10 }));
    }, Promise.resolve());
    const readOnce = async () => {
      const { length } = await other.archive.scan({ order: 'oldest-first', status: 'withdrawn', limit: 100 });
      const entries = await other.auditLog.list({ limit: 100 });
      assert.ok(entries.length >= length, `${length} are seen as withdrawn, with ${entries.length} entries`);
    };
    await readWhile(readOnce, withdrawing);
    assert.equal((await other.auditLog.list({ limit: 1_000 })).length, stored.length);
  });
}

function othersSeen({ it }: Handles): void {
  it('categories', async ([one, other]) => {
    await one.categories.save([{ id: GAMES, name: 'Games' }]);
    assert.deepEqual(await other.categories.find(GAMES), { id: GAMES, name: 'Games' });
  });

  it('API keys', async ([one, other]) => {
    await one.keys.add({ key: apiKey(1), entries: [] });
    assert.deepEqual(await other.keys.findByHash(hashOf(1)), apiKey(1));
  });

  it('developers', async ([one, other]) => {
    await one.developers.invite(ADA, inviting({ hash: hashOf(1), until: at(9) }, at(0)));
    assert.equal((await other.developers.findByInvitation(hashOf(1)))?.id, ADA);
  });

  it('sessions', async ([one, other]) => {
    await start(one, session(1));
    assert.equal((await other.sessions.findByHash(hashOf(1)))?.developerId, ADA);
  });

  it('the audit', async ([one, other]) => {
    await one.auditLog.append([auditEntry(1)]);
    assert.deepEqual(await other.auditLog.list({ limit: 10 }), [auditEntry(1)]);
  });
}

function addRaces({ it }: Handles): void {
  it('100 adds at once, by both: all are there, and both show one order', async ([one, other]) => {
    await Promise.all(mixedOffers(100).map((each, n) => store((n % 2 === 0 ? one : other).automations, each)));
    const query = { order: 'oldest-first', limit: 1_000 } as const;
    const found = (await one.archive.scan(query)).map((each) => each.automation);
    assert.equal(found.length, 100);
    for (const { automations } of [one, other]) await assertOnSale(automations, found, [100]);
  });

  it('one id 40 times, and one idempotency key 40 times: each is stored once', async ([one, other]) => {
    const add = (each: ReturnType<typeof offer>, n: number) => addOne((n % 2 === 0 ? one : other).automations, each);
    const ids = await Promise.all(numbers(40).map((n) => add(offer(0, { title: `No ${n}` }), n)));
    const keys = await Promise.all(numbers(40).map((n) => add(offer(n, { key: 'key' }), n)));
    assert.deepEqual(
      [tally(ids), tally(keys)],
      [
        { stored: 1, conflict: 39 },
        { stored: 1, earlier: 39 },
      ],
    );
  });

  it('one API key 40 times: it is stored once', async ([one, other]) => {
    await assertOneWins(numbers(40).map((n) => (n % 2 === 0 ? one : other).keys.add({ key: apiKey(1), entries: [] })));
  });
}

function limitRaces({ it }: Handles): void {
  it('60 API keys of one developer, added at once by both, at most 10: 10', async (handles) => {
    const adding = numbers(60).map((n) =>
      handles[n % 2 === 0 ? 0 : 1].keys.add({ key: apiKey(n), max: 10, entries: [] }),
    );
    const added = await Promise.allSettled(adding);
    assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 10);
    for (const { keys } of handles) assert.equal(await keys.countActive(ADA, at(0)), 10);
  });

  it('30 successors of one API key at once, by both, at most 10 keys: 10', async (handles) => {
    await handles[0].keys.add({ key: apiKey(100), entries: [] });
    const successor = (n: number) =>
      handles[n % 2 === 0 ? 0 : 1].keys.replace(keyIdOf(100), {
        successor: apiKey(n),
        until: at(9),
        max: 10,
        entries: [],
      });
    const replaced = await Promise.allSettled(numbers(30).map(successor));
    assert.equal(replaced.filter(({ status }) => status === 'fulfilled').length, 9);
    for (const { keys } of handles) assert.equal(await keys.countActive(ADA, at(0)), 10);
  });
}

function accountRaces({ it }: Handles): void {
  it('one public name, and what looks like it, by 20 developers: one has it', async ([one, other]) => {
    const ids = numbers(20).map((n) => `developer-${n}` as DeveloperId);
    const developersOf = (n: number) => (n % 2 === 0 ? one : other).developers;
    await Promise.all(ids.map((id, n) => developersOf(n).invite(id, inviting(invitation(n), at(0)))));
    const looks = ['Zoe', 'Zoe', 'Z0E', 'Zоe'];
    const profile = (n: number) => ({ profile: { publicName: looks[n % 4] ?? '' }, entries: [] });
    await assertOneWins(ids.map((id, n) => developersOf(n).setProfile(id, profile(n))));
  });

  it('one developer, registered 20 times: once', async (handles) => {
    const calls = numbers(20).map((n) =>
      handles[n % 2 === 0 ? 0 : 1].developers.register(ADA, { at: at(0), entries: [] }),
    );
    assert.equal((await Promise.all(calls)).filter((isAdded) => isAdded).length, 1);
  });

  it('two operators who end each other at once, 5 times: one is left', async (handles) => {
    const ids = [ADA, 'eve' as DeveloperId] as const;
    for (const [n, id] of ids.entries()) await operator(handles[0].developers, id, n + 1);
    for (const round of numbers(5)) {
      const outcomes = await Promise.all(
        handles.map(({ developers }, n) => {
          const id = ids[n] ?? ADA;
          if ((round + n) % 2 === 0) return developers.setRole(id, { role: 'buyer', ...ONE_OPERATOR });
          return developers.suspend(id, { at: at(round), ...ONE_OPERATOR });
        }),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'last-operator').length, 1);
      for (const { developers } of handles) assert.equal(await developers.countOperators(), 1);
      for (const id of ids) await handles[1].developers.restore({ id, entries: [] });
      for (const id of ids) await handles[1].developers.setRole(id, { role: 'operator', ...ANY_OPERATOR });
    }
  });
}

function changeRaces({ it }: Handles): void {
  it('20 automations, each revised by both at once: one revision counts', async ([one, other]) => {
    const stored = await store(one.automations, ...mixedOffers(20));
    const winners = await Promise.all(
      stored.map(async (each) => {
        const sent = ['one', 'other'].map((title) => revision(each, { title, categoryId: GAMES }));
        const answers = await Promise.all(
          [one, other].map(({ automations }, n) => automations.revise(sent[n] ?? assert.fail())),
        );
        assert.deepEqual(answers.map(outcomeOf).sort(), ['conflict', 'revised']);
        return (sent[answers.map(outcomeOf).indexOf('revised')] ?? assert.fail()).automation;
      }),
    );
    for (const { automations } of [one, other]) await assertOnSale(automations, winners, [7]);
  });

  it('20 automations, each withdrawn by both and revised: it is withdrawn once', async ([one, other]) => {
    const stored = await store(one.automations, ...mixedOffers(20));
    await Promise.all(
      stored.map(async (each) => {
        const revising = one.automations.revise(revision(each, { categoryId: GAMES }));
        const answers = await Promise.all(
          [one, other].map(({ automations }) => automations.withdraw(each.id, withdrawal(1))),
        );
        assert.deepEqual(answers.sort(), ['already-withdrawn', 'withdrawn']);
        assert.notEqual(outcomeOf(await revising), 'conflict');
      }),
    );
    for (const { automations } of [one, other]) await assertOnSale(automations, []);
  });
}

function bulkRaces({ it }: Handles): void {
  it('30 automations, all withdrawn by both at once: each once', async (handles) => {
    await store(handles[0].automations, ...mixedOffers(30));
    const calls = numbers(8).map((n) =>
      handles[n % 2 === 0 ? 0 : 1].automations.withdrawAll(bulkWithdrawal(5, { firstEntry: n * 10 })),
    );
    const ids = (await Promise.all(calls)).flat();
    assert.deepEqual([ids.length, new Set(ids).size], [30, 30]);
    for (const { automations, auditLog } of handles) {
      await assertOnSale(automations, []);
      assert.equal((await auditLog.list({ limit: 100 })).length, 30);
    }
  });
}

function outcomeOf({ outcome }: ReviseOutcome): ReviseOutcome['outcome'] {
  return outcome;
}
