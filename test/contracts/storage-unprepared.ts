import assert from './assert.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { activation, ANY_OPERATOR, invitation, inviting } from './developers.js';
import { identity } from './developer-identities.js';
import { apiKey, hashOf, keyIdOf } from './keys.js';
import { RECORD_WRITES } from './oauth-calls.js';
import {
  ADA,
  addOne,
  at,
  auditEntry,
  automation,
  automationIdOf,
  bulkWithdrawal,
  GAMES,
  numbers,
  offer,
  revision,
  USD,
  withdrawal,
} from './offers.js';
import { assertGone, assertThere, record, recordsOf } from './records.js';
import { assertReports, report, REPORT_WRITES, reportsOf } from './reports.js';
import type { Suite } from './runner.js';
import { signIn } from './sessions.js';
import type { StorageHandles } from './storage-handles.js';

type Ports = Omit<
  Storage,
  'supports' | 'search' | 'oauthRecords' | 'reports' | 'recordedCurrency' | 'prepare' | 'ping' | 'check' | 'close'
>;

/** The name of a method of a port, such as `keys.find`. */
export type Method = { [Port in keyof Ports]: `${Port}.${keyof Ports[Port] & string}` }[keyof Ports];

/** The name of a method that only reads. */
export type Read = Extract<Method, `${string}.${'find' | 'read' | 'list' | 'count' | 'scan'}${string}`>;

/** The name of a method that writes. */
export type Write = Exclude<Method, Read>;

/** The writes that a new store can begin with, in this order: each port has one, and an activation starts a session. */
export const FIRST_WRITES = {
  'automations.add': ({ automations }) => automations.add([offer(1)]),
  'categories.save': ({ categories }) => categories.save([{ id: GAMES, name: 'Games' }]),
  'keys.add': ({ keys }) => keys.add({ key: apiKey(1), entries: [] }),
  'developers.invite': ({ developers }) => developers.invite(ADA, inviting(invitation(1), at(0))),
  'developers.activate': ({ developers }) => developers.activate(hashOf(1), activation('ada')),
  'auditLog.append': ({ auditLog }) => auditLog.append([auditEntry(1)]),
} satisfies Partial<Record<Write, (storage: Storage) => Promise<unknown>>>;

/** The other writes. All but `register` change nothing in a new store. */
export const LATER_WRITES: Readonly<
  Record<Exclude<Write, keyof typeof FIRST_WRITES>, (storage: Storage) => Promise<unknown>>
> = {
  'automations.revise': ({ automations }) => automations.revise(revision(automation(1), { title: 'New' })),
  'automations.withdraw': ({ automations }) => automations.withdraw(automationIdOf(1), withdrawal(1)),
  'automations.withdrawAll': ({ automations }) => automations.withdrawAll(bulkWithdrawal(1)),
  'automations.freeIdempotencyKeys': ({ automations }) => automations.freeIdempotencyKeys(at(1)),
  'categories.remove': ({ categories }) => categories.remove(GAMES),
  'keys.replace': ({ keys }) => keys.replace(keyIdOf(1), { successor: apiKey(2), until: at(1), entries: [] }),
  'keys.revoke': ({ keys }) => keys.revoke(keyIdOf(1), { at: at(1), entries: [] }),
  'keys.rename': ({ keys }) => keys.rename(keyIdOf(1), { name: 'New', entries: [] }),
  'keys.noteUse': ({ keys }) => keys.noteUse(keyIdOf(1), at(1)),
  'keys.removeEnded': ({ keys }) => keys.removeEnded(at(1)),
  'developers.register': ({ developers }) => developers.register(ADA, { at: at(0), entries: [] }),
  'developers.identify': ({ developers }) => developers.identify(identity(), { id: ADA, at: at(0), entries: [] }),
  'developers.signIn': ({ developers }) => developers.signIn(ADA, signIn(1)),
  'developers.suspend': ({ developers }) => developers.suspend(ADA, { at: at(1), ...ANY_OPERATOR }),
  'developers.restore': ({ developers }) => developers.restore({ id: ADA, entries: [] }),
  'developers.setRole': ({ developers }) => developers.setRole(ADA, { role: 'buyer', ...ANY_OPERATOR }),
  'developers.setProfile': ({ developers }) =>
    developers.setProfile(ADA, { profile: { publicName: 'Ada' }, entries: [] }),
  'developers.changeSignIn': ({ developers }) =>
    developers.changeSignIn(ADA, { current: '$ada$', ...activation('ada') }),
  'developers.rename': ({ developers }) => developers.rename(ADA, { signInName: 'ada', entries: [] }),
  'sessions.renew': ({ sessions }) => sessions.renew(hashOf(1), at(2)),
  'sessions.end': ({ sessions }) => sessions.end({ hash: hashOf(1), entries: [] }),
  'sessions.endAll': ({ sessions }) => sessions.endAll({ developerId: ADA, entries: [] }),
  'sessions.endExpired': ({ sessions }) => sessions.endExpired(at(1)),
};

/** Asserts how many each port has stored. */
export async function assertCounts(storage: Storage, count: number): Promise<void> {
  const { archive, auditLog, categories, developers, keys, sessions } = storage;
  const stored: readonly Promise<readonly unknown[]>[] = [
    archive.scan({ order: 'oldest-first', limit: 50 }),
    categories.list(),
    keys.list({ limit: 50 }),
    developers.list({ limit: 50 }),
    sessions.list(ADA),
    auditLog.list({ limit: 50 }),
  ];
  assert.deepEqual(
    (await Promise.all(stored)).map(({ length }) => length),
    stored.map(() => count),
  );
}

/** A store that both handles share outlives a process. One handle alone may be in memory, and may take each write. */
export function unpreparedPromises({ describe, it }: Suite<StorageHandles>): void {
  describe(
    'Until a store is prepared, by any process, each write to it rejects as `unavailable`, code `not-prepared`, ' +
      'and stores nothing; a store in the memory of one process needs no `prepare`',
    () => {
      it('the first write of each port, and again when it is prepared', async ([one, other]) => {
        const refusals = [];
        for (const [name, write] of Object.entries(FIRST_WRITES)) refusals.push(await isRefused(name, write(other)));
        if (one !== other) assert.ok(!refusals.includes(false), 'a store that outlives a process must be prepared');
        await one.prepare({ currency: USD });
        await assertCounts(one, refusals[0] === true ? 0 : 1);
        if (refusals[0] === true) for (const write of Object.values(FIRST_WRITES)) await write(other);
        await assertCounts(other, 1);
      });

      it('each other write, too, though it would change nothing', async ([one, other]) => {
        for (const [name, write] of Object.entries(LATER_WRITES))
          assert.ok((await isRefused(name, write(other))) || one === other, `${name} needs a store that is prepared`);
      });

      it('each write of the records of an authorization server, and again when it is prepared', async ([
        one,
        other,
      ]) => {
        const records = recordsOf(other);
        const isStored = !(await isRefused('upsert', records.upsert(record(1))));
        for (const [name, write] of Object.entries(RECORD_WRITES))
          assert.ok((await isRefused(name, write(records))) || one === other, `${name} needs a store that is prepared`);
        await one.prepare({ currency: USD });
        await (isStored ? assertThere : assertGone)(recordsOf(one), record(1));
        for (const write of Object.values(RECORD_WRITES)) await write(records);
        await assertThere(recordsOf(one), record(1));
      });

      it('each write of reports, and again when it is prepared', async ([one, other]) => {
        const reports = reportsOf(other);
        for (const [name, write] of Object.entries(REPORT_WRITES))
          assert.ok((await isRefused(name, write(reports))) || one === other, `${name} needs a store that is prepared`);
        await one.prepare({ currency: USD });
        await assertReports(reportsOf(one), one === other ? [report(1)] : []);
      });

      it('30 adds at once with one idempotency key: at most one is stored', async ([one, other]) => {
        const adds = numbers(30).map((n) => addOne((n % 2 === 0 ? one : other).automations, offer(n, { key: 'key' })));
        await Promise.all(adds.map((add, n) => isRefused(`add ${n}`, add)));
        await one.prepare({ currency: USD });
        assert.ok((await one.archive.scan({ order: 'oldest-first', limit: 50 })).length <= 1);
      });
    },
  );
}

/** Returns whether a write was refused. Asserts that it was refused in the promised way. */
async function isRefused(name: string, write: Promise<unknown>): Promise<boolean> {
  const error = await write.then(
    () => 'nothing',
    (reason: unknown) => reason,
  );
  if (error === 'nothing') return false;
  assert.ok(error instanceof DomainError, `${name} rejects with a DomainError, not with ${String(error)}`);
  assert.deepEqual([error.kind, error.code], ['unavailable', 'not-prepared'], name);
  assert.match(error.message, /prepare/, name);
  return true;
}
