import type { AuditEntry } from '../../domain/audit.js';
import type { Storage } from '../../domain/ports.js';
import { assertRecorded } from './archives.js';
import assert from './assert.js';
import { activation, ANY_OPERATOR, hashOfName, invitation, ONE_OPERATOR } from './developers.js';
import { apiKey, assertConflict, hashOf, keyIdOf } from './keys.js';
import { ADA, at, auditEntry, BOB, numbers } from './offers.js';
import { record, recordIdOf, recordsOf, upsertAll, type OAuthStore } from './records.js';
import type { Suite } from './runner.js';
import { addAll, PASSWORD_HASH, session, signIn, start, type SessionStore } from './sessions.js';

/** The promise that all changes of accounts share. */
const SENTENCE =
  'Stored in the audit log together with the change: both or neither. Where nothing changes, none is stored';

/** Returns the nth entry, and the change that has it. */
function audited(n: number): { readonly entries: readonly AuditEntry[] } {
  return { entries: [auditEntry(n)] };
}

/** Asserts that the log has the nth entries, and no others. */
async function assertEntries(store: Pick<Storage, 'auditLog'>, ...stored: readonly number[]): Promise<void> {
  await assertRecorded(store, ...stored.map((n) => auditEntry(n)));
}

/** The entries of keys. */
export function keyEntryPromises({ describe, it }: Suite<Pick<Storage, 'keys' | 'auditLog'>>): void {
  describe(SENTENCE, () => {
    it('those of a key that is added, replaced, renamed and revoked', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      await keys.add({ key: apiKey(2), max: 10, entries: numbers(2).map((n) => auditEntry(n + 1)) });
      await assertEntries(store, 1, 2, 3);
      await keys.replace(keyIdOf(1), { successor: apiKey(3), until: at(9), max: 10, ...audited(4) });
      await assertEntries(store, 1, 2, 3, 4);
      await keys.rename(keyIdOf(2), { name: 'New', ...audited(5) });
      await assertEntries(store, 1, 2, 3, 4, 5);
      await keys.revoke(keyIdOf(2), { at: at(5), ...audited(6) });
      await assertEntries(store, 1, 2, 3, 4, 5, 6);
    });

    it('none of a key that is refused', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      await assertConflict(keys.add({ key: apiKey(1), ...audited(2) }), 'duplicate-key');
      await assertConflict(keys.add({ key: apiKey(2, { hash: hashOf(1) }), max: 9, ...audited(3) }), 'duplicate-key');
      await assertConflict(keys.add({ key: apiKey(2), max: 1, ...audited(4) }), 'too-many-keys');
      const replace = (successor: number, max?: number) =>
        keys.replace(keyIdOf(1), { successor: apiKey(successor), until: at(9), max, ...audited(5) });
      await assertConflict(replace(1), 'duplicate-key');
      await assertConflict(replace(2, 1), 'too-many-keys');
      await assertEntries(store, 1);
    });

    it('none of a key that is not there, or was revoked before', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      assert.equal(await keys.rename(keyIdOf(9), { name: 'New', ...audited(2) }), false);
      assert.equal(await keys.revoke(keyIdOf(9), { at: at(1), ...audited(3) }), false);
      await keys.revoke(keyIdOf(1), { at: at(1), ...audited(4) });
      assert.equal(await keys.revoke(keyIdOf(1), { at: at(2), ...audited(5) }), true);
      for (const id of [keyIdOf(1), keyIdOf(9)])
        assert.equal(await keys.replace(id, { successor: apiKey(2), until: at(9), ...audited(6) }), false);
      await assertEntries(store, 1, 4);
    });

    it('one, of 20 revocations of a key at once', async (store) => {
      await store.keys.add({ key: apiKey(1), entries: [] });
      await Promise.all(numbers(20).map((n) => store.keys.revoke(keyIdOf(1), { at: at(n), ...audited(n) })));
      const revokedAt = (await store.keys.find(keyIdOf(1)))?.revokedAt ?? assert.fail('it is not revoked');
      await assertEntries(store, revokedAt.getTime() - at(0).getTime());
    });
  });
}

/** The entries of developers, and of what they change together with it. */
export function developerEntryPromises({ describe, it }: Suite<SessionStore>): void {
  const anyOperator = (n: number) => ({ ...ANY_OPERATOR, ...audited(n) });
  const invite = ({ developers }: SessionStore, id = ADA, n = 1) =>
    developers.invite(id, { invitation: invitation(n), at: at(0), ...anyOperator(n) });

  describe(SENTENCE, () => {
    it('those of each change of a developer', async (store) => {
      const { developers } = store;
      await invite(store);
      const entries = [auditEntry(2), auditEntry(3)];
      assert.equal(await developers.activate(hashOf(1), activation('Ada', { entries })), true);
      await assertEntries(store, 1, 2, 3);
      const passwordHash = hashOfName('Ada');
      assert.equal(await developers.signIn(ADA, signIn(1, { passwordHash, ...audited(4) })), true);
      await developers.setRole(ADA, { role: 'buyer', ...anyOperator(5) });
      await assertEntries(store, 1, 2, 3, 4, 5);
      await developers.setProfile(ADA, { profile: { publicName: 'Ada' }, ...audited(6) });
      await developers.changeSignIn(ADA, { current: passwordHash, signInName: 'A', passwordHash: '$', ...audited(7) });
      await developers.rename(ADA, { signInName: 'Countess', ...audited(8) });
      await assertEntries(store, 1, 2, 3, 4, 5, 6, 7, 8);
      await developers.suspend(ADA, { at: at(9), ...anyOperator(9) });
      await developers.restore({ id: ADA, ...audited(10) });
      await assertEntries(store, ...numbers(10));
    });

    it('those of an identity, of a new developer and of a known one', async (store) => {
      const identify = (subject: string, id: typeof ADA, n: number) =>
        store.developers.identify({ issuer: 'host', subject }, { id, at: at(n), ...audited(n) });
      for (const [subject, id, n] of [
        ['1', ADA, 1],
        ['2', ADA, 2],
        ['3', BOB, 3],
      ] as const) {
        await identify(subject, id, n);
        await assertEntries(store, ...numbers(n));
      }
    });

    it('those of a developer who is registered, and none of one who is known', async (store) => {
      assert.equal(await store.developers.register(ADA, { at: at(1), ...audited(1) }), true);
      await assertEntries(store, 1);
      assert.equal(await store.developers.register(ADA, { at: at(2), ...audited(2) }), false);
      await invite(store, BOB, 3);
      assert.equal(await store.developers.register(BOB, { at: at(4), ...audited(4) }), false);
      await assertEntries(store, 1, 3);
    });

    it('one, of 20 registrations of a developer at once', async (store) => {
      const register = (n: number) => store.developers.register(ADA, { at: at(n), ...audited(n) });
      const outcomes = await Promise.all(numbers(20).map(register));
      await assertEntries(store, outcomes.indexOf(true) + 1);
    });

    it('none where there is no such developer, invitation or password', async (store) => {
      const { developers } = store;
      await developers.activate(hashOf(1), activation('Ada', audited(1)));
      await developers.signIn(ADA, signIn(1, audited(2)));
      await developers.setRole(ADA, { role: 'buyer', ...anyOperator(3) });
      await developers.setProfile(ADA, { profile: {}, ...audited(4) });
      await developers.changeSignIn(ADA, { current: '', signInName: 'A', passwordHash: '$', ...audited(5) });
      await developers.rename(ADA, { signInName: 'Countess', ...audited(6) });
      await developers.suspend(ADA, { at: at(9), ...anyOperator(7) });
      await developers.restore({ id: ADA, ...audited(8) });
      await assertEntries(store);
    });

    it('none of what changes nothing: a role, a name, a suspension, or none, once more', async (store) => {
      const { developers } = store;
      await start(store, session(1));
      await developers.setRole(ADA, { role: 'developer', ...anyOperator(1) });
      await developers.rename(ADA, { signInName: `name of ${ADA}`, ...audited(2) });
      await developers.restore({ id: ADA, ...audited(3) });
      const identity = { issuer: 'host', subject: '1' };
      await developers.identify(identity, { id: ADA, at: at(1), entries: [] });
      for (const id of [ADA, BOB]) await developers.identify(identity, { id, at: at(9), ...audited(9) });
      await assertEntries(store);
      for (const n of [4, 5]) await developers.suspend(ADA, { at: at(n), ...anyOperator(n) });
      assert.equal(await developers.signIn(ADA, signIn(2, audited(6))), false);
      await assertEntries(store, 4);
    });

    it('none of what is refused', async (store) => {
      const { developers } = store;
      await addAll(store, session(1), session(2, { developerId: BOB }));
      await developers.setRole(ADA, { role: 'operator', ...ANY_OPERATOR });
      await developers.setProfile(BOB, { profile: { publicName: 'Bob' }, entries: [] });
      const last = (n: number) => ({ ...ONE_OPERATOR, ...audited(n) });
      assert.equal(await developers.suspend(ADA, { at: at(1), ...last(1) }), 'last-operator');
      assert.equal(await developers.setRole(ADA, { role: 'buyer', ...last(2) }), 'last-operator');
      const inviting = { invitation: invitation(1), at: at(0), role: 'buyer', ...last(3) } as const;
      assert.equal(await developers.invite(ADA, inviting), 'last-operator');
      await developers.invite(ADA, { ...inviting, ...ANY_OPERATOR, role: 'operator' });
      const signInName = `name of ${BOB}`;
      const passwordHash = PASSWORD_HASH;
      const taken = [
        developers.activate(hashOf(1), activation(signInName, audited(4))),
        developers.rename(ADA, { signInName, ...audited(5) }),
        developers.changeSignIn(ADA, { current: passwordHash, signInName, passwordHash, ...audited(6) }),
        developers.setProfile(ADA, { profile: { publicName: 'BOB' }, ...audited(7) }),
        developers.signIn(ADA, signIn(2, audited(8))),
        developers.activate(hashOf(1), activation('Ada', { session: signIn(2).session, ...audited(9) })),
      ];
      for (const one of await Promise.allSettled(taken)) assert.equal(one.status, 'rejected');
      await assertEntries(store);
    });

    it('one, of 20 suspensions at once, and of 20 sign-ins with one session', async (store) => {
      const { developers } = store;
      await start(store, session(1));
      const signIns = numbers(20).map((n) => developers.signIn(ADA, signIn(2, audited(100 + n))));
      const started = (await Promise.allSettled(signIns)).findIndex(({ status }) => status === 'fulfilled') + 1;
      await Promise.all(numbers(20).map((n) => developers.suspend(ADA, { at: at(n), ...anyOperator(n) })));
      const suspendedAt = (await developers.find(ADA))?.suspendedAt ?? assert.fail('they are not suspended');
      await assertEntries(store, suspendedAt.getTime() - at(0).getTime(), 100 + started);
    });

    it('whose ids are taken are never mistaken for a name or a session', async (store) => {
      const { developers, auditLog } = store;
      await start(store, session(1));
      await auditLog.append([auditEntry(1)]);
      const passwordHash = PASSWORD_HASH;
      const changes = [
        () => developers.rename(ADA, { signInName: 'Countess', ...audited(1) }),
        () => developers.setProfile(ADA, { profile: { publicName: 'Ada' }, ...audited(1) }),
        () => developers.changeSignIn(ADA, { current: passwordHash, signInName: 'A', passwordHash, ...audited(1) }),
        () => developers.signIn(ADA, signIn(2, audited(1))),
        () => invite(store),
        () => developers.suspend(ADA, { at: at(1), ...anyOperator(1) }),
      ];
      for (const change of changes)
        await change().catch((error: unknown) =>
          assert.notEqual((error as { readonly kind?: unknown }).kind, 'conflict'),
        );
      await assertEntries(store, 1);
    });
  });
}

/** The entries of sessions that end. */
export function sessionEntryPromises({ describe, it }: Suite<SessionStore>): void {
  describe(SENTENCE, () => {
    it('those of a session that ends, and of all of a developer', async (store) => {
      await addAll(store, session(1), session(2), session(3));
      assert.equal(await store.sessions.end({ hash: hashOf(1), ...audited(1) }), true);
      await assertEntries(store, 1);
      assert.equal(await store.sessions.endAll({ developerId: ADA, ...audited(2) }), 2);
      await assertEntries(store, 1, 2);
    });

    it('none where there is no session', async (store) => {
      await addAll(store, session(1, { developerId: BOB }));
      assert.equal(await store.sessions.end({ hash: hashOf(9), ...audited(1) }), false);
      assert.equal(await store.sessions.endAll({ developerId: ADA, ...audited(2) }), 0);
      await assertEntries(store);
    });

    it('one, of 20 calls at once that end one session', async (store) => {
      await addAll(store, session(1));
      const ends = await Promise.all(numbers(20).map((n) => store.sessions.end({ hash: hashOf(1), ...audited(n) })));
      await assertEntries(store, ends.indexOf(true) + 1);
    });
  });
}

/** The entries of records. */
export function recordEntryPromises({ describe, it }: Suite<OAuthStore>): void {
  const own = (n: number, content = record(n).content) => ({ ...record(n, { content }), developerId: ADA });

  describe(SENTENCE, () => {
    it('those of a record that is added, replaced and removed', async (store) => {
      const records = recordsOf(store);
      assert.equal(await records.add({ record: own(1), ...audited(1) }), true);
      assert.equal(await records.add({ record: own(2), max: 9, ...audited(2) }), true);
      await assertEntries(store, 1, 2);
      assert.equal(await records.replace(own(1, '1'), { from: own(1).content, ...audited(3) }), true);
      assert.equal(await records.destroy({ kind: 'app', id: recordIdOf(2), ...audited(4) }), true);
      await assertEntries(store, 1, 2, 3, 4);
    });

    it('none of a record that is refused, or not there', async (store) => {
      const records = recordsOf(store);
      await records.upsert(own(1));
      assert.equal(await records.add({ record: own(2), max: 1, ...audited(1) }), false);
      assert.equal(await records.replace(own(1, '1'), { from: '2', ...audited(2) }), false);
      assert.equal(await records.destroy({ kind: 'app', id: recordIdOf(2), ...audited(3) }), false);
      assert.equal(await records.revokeByClientId({ clientId: 'client', ...audited(4) }), 0);
      await assertEntries(store);
    });

    it('one, of 20 calls at once that remove one record', async (store) => {
      const records = recordsOf(store);
      await records.upsert(own(1));
      const removing = numbers(20).map((n) => records.destroy({ kind: 'app', id: recordIdOf(1), ...audited(n) }));
      await assertEntries(store, (await Promise.all(removing)).indexOf(true) + 1);
    });
  });

  describe('The entries of the audit are stored with the first lot', () => {
    it('once for 1,001 records, and not again when there are none', async (store) => {
      const records = recordsOf(store);
      await upsertAll(records, ...numbers(1_001).map((n) => record(n, { clientId: 'client' })));
      assert.equal(await records.revokeByClientId({ clientId: 'client', ...audited(1) }), 1_001);
      assert.equal(await records.revokeByClientId({ clientId: 'client', ...audited(2) }), 0);
      await assertEntries(store, 1);
    });
  });
}
