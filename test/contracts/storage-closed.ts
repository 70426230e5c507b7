import assert from './assert.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { searchTerms } from '../../domain/search-terms.js';
import { activation, ANY_OPERATOR, invitation, inviting } from './developers.js';
import { identity } from './developer-identities.js';
import { apiKey, hashOf, keyIdOf } from './keys.js';
import { RECORD_CALLS } from './oauth-calls.js';
import {
  ADA,
  at,
  auditEntry,
  automation,
  automationIdOf,
  bulkWithdrawal,
  numbers,
  offer,
  query,
  revision,
  store,
  TOOLS,
  USD,
  withdrawal,
} from './offers.js';
import { recordsOf } from './records.js';
import { REPORT_CALLS, reportsOf } from './reports.js';
import type { Suite } from './runner.js';
import { signIn } from './sessions.js';
import type { StorageHandles } from './storage-handles.js';
import type { Method } from './storage-unprepared.js';

/** One call of each method that needs the store. */
export const CALLS: Readonly<Record<Method | 'prepare' | 'ping' | 'check', (storage: Storage) => Promise<unknown>>> = {
  'automations.add': ({ automations }) => automations.add([offer(1)]),
  'automations.find': ({ automations }) => automations.find(automationIdOf(1)),
  'automations.readFile': ({ automations }) => automations.readFile(automationIdOf(1)),
  'automations.list': ({ automations }) => automations.list(query(1, 10)),
  'automations.countByCategory': ({ automations }) => automations.countByCategory(),
  'automations.revise': ({ automations }) => automations.revise(revision(automation(1), { title: 'New' })),
  'automations.withdraw': ({ automations }) => automations.withdraw(automationIdOf(1), withdrawal(1)),
  'automations.withdrawAll': ({ automations }) => automations.withdrawAll(bulkWithdrawal(1)),
  'automations.freeIdempotencyKeys': ({ automations }) => automations.freeIdempotencyKeys(at(1)),
  'archive.scan': ({ archive }) => archive.scan({ order: 'newest-first', limit: 10 }),
  'archive.findAny': ({ archive }) => archive.findAny(automationIdOf(1)),
  'categories.list': ({ categories }) => categories.list(),
  'categories.find': ({ categories }) => categories.find(TOOLS),
  'categories.save': ({ categories }) => categories.save([{ id: TOOLS, name: 'Tools' }]),
  'categories.remove': ({ categories }) => categories.remove(TOOLS),
  'keys.add': ({ keys }) => keys.add({ key: apiKey(1), entries: [] }),
  'keys.find': ({ keys }) => keys.find(keyIdOf(1)),
  'keys.findByHash': ({ keys }) => keys.findByHash(hashOf(1)),
  'keys.list': ({ keys }) => keys.list({ limit: 10 }),
  'keys.listActive': ({ keys }) => keys.listActive(ADA, at(1)),
  'keys.countActive': ({ keys }) => keys.countActive(ADA, at(1)),
  'keys.listEnded': ({ keys }) => keys.listEnded({ developerId: ADA, asOf: at(1), limit: 10 }),
  'keys.countEnded': ({ keys }) => keys.countEnded(ADA, at(1)),
  'keys.removeEnded': ({ keys }) => keys.removeEnded(at(1)),
  'keys.replace': ({ keys }) => keys.replace(keyIdOf(1), { successor: apiKey(2), until: at(1), entries: [] }),
  'keys.revoke': ({ keys }) => keys.revoke(keyIdOf(1), { at: at(1), entries: [] }),
  'keys.rename': ({ keys }) => keys.rename(keyIdOf(1), { name: 'New', entries: [] }),
  'keys.noteUse': ({ keys }) => keys.noteUse(keyIdOf(1), at(1)),
  'developers.find': ({ developers }) => developers.find(ADA),
  'developers.findBySignInName': ({ developers }) => developers.findBySignInName('ada'),
  'developers.findByInvitation': ({ developers }) => developers.findByInvitation(hashOf(1)),
  'developers.findByIdentity': ({ developers }) => developers.findByIdentity(identity()),
  'developers.listIdentities': ({ developers }) => developers.listIdentities([ADA]),
  'developers.identify': ({ developers }) => developers.identify(identity(), { id: ADA, at: at(0), entries: [] }),
  'developers.findShownAs': ({ developers }) => developers.findShownAs(ADA),
  'developers.list': ({ developers }) => developers.list({ limit: 10 }),
  'developers.count': ({ developers }) => developers.count(),
  'developers.countOperators': ({ developers }) => developers.countOperators(),
  'developers.register': ({ developers }) => developers.register(ADA, { at: at(0), entries: [] }),
  'developers.setRole': ({ developers }) => developers.setRole(ADA, { role: 'buyer', ...ANY_OPERATOR }),
  'developers.invite': ({ developers }) => developers.invite(ADA, inviting(invitation(1), at(0))),
  'developers.activate': ({ developers }) => developers.activate(hashOf(1), activation('ada')),
  'developers.signIn': ({ developers }) => developers.signIn(ADA, signIn(1)),
  'developers.suspend': ({ developers }) => developers.suspend(ADA, { at: at(1), ...ANY_OPERATOR }),
  'developers.restore': ({ developers }) => developers.restore({ id: ADA, entries: [] }),
  'developers.setProfile': ({ developers }) =>
    developers.setProfile(ADA, { profile: { publicName: 'Ada' }, entries: [] }),
  'developers.changeSignIn': ({ developers }) =>
    developers.changeSignIn(ADA, { current: '$ada$', ...activation('ada') }),
  'developers.rename': ({ developers }) => developers.rename(ADA, { signInName: 'ada', entries: [] }),
  'sessions.findByHash': ({ sessions }) => sessions.findByHash(hashOf(1)),
  'sessions.list': ({ sessions }) => sessions.list(ADA),
  'sessions.renew': ({ sessions }) => sessions.renew(hashOf(1), at(2)),
  'sessions.end': ({ sessions }) => sessions.end({ hash: hashOf(1), entries: [] }),
  'sessions.endAll': ({ sessions }) => sessions.endAll({ developerId: ADA, entries: [] }),
  'sessions.endExpired': ({ sessions }) => sessions.endExpired(at(1)),
  'auditLog.append': ({ auditLog }) => auditLog.append([auditEntry(1)]),
  'auditLog.list': ({ auditLog }) => auditLog.list({ limit: 10 }),
  prepare: (storage) => storage.prepare({ currency: USD }),
  ping: (storage) => storage.ping(),
  check: (storage) => storage.check({ repair: false }),
};

/** Calls in flight may be `unavailable`, or `outcome-unknown` when they write; no other failure comes of `close`. */
async function isAcknowledged(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    assert.ok(error instanceof DomainError, `a call in flight rejects with a DomainError, not with ${String(error)}`);
    assert.ok(['unavailable', 'outcome-unknown'].includes(error.kind), error.kind);
    return false;
  }
}

export function closedPromises({ describe, it }: Suite<StorageHandles>): void {
  describe('Releases what the storage holds. Calls afterwards reject as `unavailable`', () => {
    for (const port of new Set(Object.keys(CALLS).map((name) => name.split('.')[0])))
      it(`each call of \`${port}\``, async ([storage]) => {
        await store(storage.automations, offer(1));
        await storage.close();
        for (const [name, call] of Object.entries(CALLS))
          if (name.split('.')[0] === port) await assertUnavailable(call(storage), name);
      });

    it('each search', async ([storage]) => {
      const { search } = storage;
      await storage.close();
      const everything = { page: { number: 1, limit: 10 }, order: 'newest' } as const;
      for (const query of [everything, { ...everything, terms: searchTerms('a') }])
        if (search !== undefined) await assertUnavailable(search.search(query), 'search');
    });

    it('each call of the records of an authorization server', async ([storage]) => {
      const records = recordsOf(storage);
      await storage.close();
      for (const [name, call] of Object.entries(RECORD_CALLS)) await assertUnavailable(call(records), name);
    });

    it('each call of the reports', async ([storage]) => {
      const reports = reportsOf(storage);
      await storage.close();
      for (const [name, call] of Object.entries(REPORT_CALLS)) await assertUnavailable(call(reports), name);
    });

    it('again, which is no error', async ([storage]) => {
      await storage.close();
      await storage.close();
    });

    it('with calls in flight: each ends, and what was acknowledged is stored', async ([one, other]) => {
      const adds = numbers(20).map((n) => isAcknowledged(one.automations.add([offer(n)])));
      const reads = Object.entries(CALLS).flatMap(([name, call]) => (name.includes('list') ? [call(one)] : []));
      const closing = one.close();
      await Promise.all(reads.map(isAcknowledged));
      const acknowledged = (await Promise.all(adds)).flatMap((isStored, n) =>
        isStored ? [automationIdOf(n + 1)] : [],
      );
      await closing;
      if (one === other) return;
      for (const id of acknowledged) assert.equal((await other.automations.find(id))?.id, id);
    });
  });
}

/** Asserts that a call rejects with a `DomainError` of kind `unavailable`. */
export async function assertUnavailable(call: Promise<unknown>, name: string): Promise<void> {
  const error = await call.then(
    () => 'nothing',
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DomainError, `${name} rejects with a DomainError, not with ${String(error)}`);
  assert.equal(error.kind, 'unavailable', name);
}
