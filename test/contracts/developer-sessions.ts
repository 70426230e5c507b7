import assert from './assert.js';
import { MAX_SESSIONS } from '../../domain/session.js';
import { activation, ANY_OPERATOR, invitation, inviting, ONE_OPERATOR } from './developers.js';
import { assertConflict, assertOneWins, hashOf } from './keys.js';
import { ADA, at, BOB, nextTurn, numbers } from './offers.js';
import type { Suite } from './runner.js';
import {
  addAll,
  assertEnded,
  assertOpen,
  PASSWORD_HASH,
  session,
  signIn,
  start,
  type SessionStore,
} from './sessions.js';

type Stores = Suite<SessionStore>;

/** What starts and ends sessions together with a change of their developer. */
export function developerSessionPromises(suite: Stores): void {
  suite.describe('signIn', () => {
    startPromises(suite);
    refusalPromises(suite);
  });
  suite.describe('activate, changeSignIn, suspend', () => endPromises(suite));
}

function startPromises({ describe, it }: Stores): void {
  describe(
    'Starts a session, ends the oldest others of its developer, by `createdAt`, so that there are at most ' +
      '`MAX_SESSIONS`, also when raced, and returns true',
    () => {
      it('one after the other, in another order than that of their times', async (store) => {
        const others = [session(901, { developerId: BOB, createdAt: at(-9) }), session(902, { developerId: BOB })];
        await addAll(store, ...others);
        const scrambled = numbers(MAX_SESSIONS).map((n) => (n * 13) % (MAX_SESSIONS + 1));
        for (const n of scrambled) await start(store, session(n, { createdAt: at(n) }));
        await assertOpen(store, ...numbers(MAX_SESSIONS).map((n) => session(n, { createdAt: at(n) })));
        for (const n of numbers(20)) await start(store, session(100 + n, { createdAt: at(100 + n) }));
        await assertEnded(store, ...numbers(20));
        await assertOpen(store, session(21, { createdAt: at(21) }), session(120, { createdAt: at(120) }), ...others);
      });

      it('not the one that is started, also when the clock was set back', async (store) => {
        for (const n of numbers(MAX_SESSIONS)) await start(store, session(n, { createdAt: at(n) }));
        await start(store, session(100, { createdAt: at(-5) }));
        await assertOpen(store, session(100, { createdAt: at(-5) }), session(2, { createdAt: at(2) }));
        await assertEnded(store, 1);
      });

      it('twice as many at once', async (store) => {
        await start(store, session(0));
        const started = await Promise.all(
          numbers(2 * MAX_SESSIONS).map((n) => store.developers.signIn(ADA, signIn(n))),
        );
        assert.ok(!started.includes(false));
        assert.equal((await store.sessions.list(ADA)).length, MAX_SESSIONS);
      });
    },
  );
}

function refusalPromises({ describe, it }: Stores): void {
  describe(
    'Returns false, and changes nothing, when the developer has another password hash or is suspended, and when ' +
      'there is no such developer, also when raced: no session is left that began before a suspension or another ' +
      'password',
    () => {
      it('another hash, none, one who was invited alone, and an unknown one', async (store) => {
        const { developers, sessions } = store;
        await addAll(store, session(1));
        await developers.invite(BOB, inviting(invitation(2), at(0)));
        for (const passwordHash of ['', `${PASSWORD_HASH} `, PASSWORD_HASH.toUpperCase()])
          for (const id of [ADA, BOB]) assert.equal(await developers.signIn(id, signIn(2, { passwordHash })), false);
        for (const id of [BOB, 'eve' as typeof BOB]) assert.equal(await developers.signIn(id, signIn(2)), false);
        await assertEnded(store, 2);
        assert.deepEqual(await sessions.list(ADA), [session(1)]);
      });

      it('while suspended, and no longer when restored', async (store) => {
        const { developers } = store;
        await addAll(store, session(1));
        await developers.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
        assert.equal(await developers.signIn(ADA, signIn(2)), false);
        await assertEnded(store, 1, 2);
        await developers.restore({ id: ADA, entries: [] });
        await assertEnded(store, 1, 2);
        assert.equal(await developers.signIn(ADA, signIn(2)), true);
      });

      it('20 times, raced with a suspension: none is left', async (store) => {
        const { developers, sessions } = store;
        await start(store, session(0));
        for (const round of numbers(20)) {
          const signIns = numbers(4).map(async (n) => {
            for (let turn = 0; turn < n; turn += 1) await nextTurn();
            return developers.signIn(ADA, signIn(round * 10 + n));
          });
          for (let turn = 0; turn < round % 4; turn += 1) await nextTurn();
          await Promise.all([...signIns, developers.suspend(ADA, { at: at(5), ...ANY_OPERATOR })]);
          assert.deepEqual(await sessions.list(ADA), [], `round ${round}`);
          await developers.restore({ id: ADA, entries: [] });
        }
      });

      it('20 times, raced with another password: none of the old one is left', async (store) => {
        const { developers, sessions } = store;
        await start(store, session(0));
        let current = PASSWORD_HASH;
        for (const round of numbers(20)) {
          const change = { current, signInName: 'Ada', passwordHash: `$hash ${round}$`, entries: [] };
          const signIns = numbers(4).map(async (n) => {
            for (let turn = 0; turn < n; turn += 1) await nextTurn();
            return developers.signIn(ADA, signIn(round * 10 + n, { passwordHash: change.current }));
          });
          for (let turn = 0; turn < round % 4; turn += 1) await nextTurn();
          await Promise.all([...signIns, developers.changeSignIn(ADA, change)]);
          assert.deepEqual(await sessions.list(ADA), [], `round ${round}`);
          current = change.passwordHash;
        }
      });
    },
  );

  describe(
    'Without a password hash none is compared, and `createdAt` of the first session is `activeSince` of a developer ' +
      'who has none',
    () => {
      const vouched = (n: number, time = n) =>
        ({ passwordHash: undefined, session: { ...session(n, { createdAt: at(time) }), sid: `sid ${n}` } }) as const;

      it('one who is not active becomes active, with the first, and is nothing else than before', async (store) => {
        const { developers, sessions } = store;
        await developers.register(ADA, { at: at(0), entries: [] });
        const before = await developers.find(ADA);
        for (const n of [5, 3]) assert.equal(await developers.signIn(ADA, { ...vouched(n), entries: [] }), true);
        assert.deepEqual(await developers.find(ADA), { ...before, activeSince: at(5) });
        assert.deepEqual(
          (await sessions.list(ADA)).map(({ sid }) => sid),
          ['sid 5', 'sid 3'],
        );
      });

      it('one who is active stays as they are, with their password', async (store) => {
        await start(store, session(1));
        const before = await store.developers.find(ADA);
        assert.equal(await store.developers.signIn(ADA, { ...vouched(2, 900), entries: [] }), true);
        assert.deepEqual(await store.developers.find(ADA), before);
      });

      it('no session of one who is suspended, or of nobody', async (store) => {
        await start(store, session(1));
        await store.developers.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
        for (const id of [ADA, BOB])
          assert.equal(await store.developers.signIn(id, { ...vouched(2), entries: [] }), false);
        await assertEnded(store, 1, 2);
      });
    },
  );

  describe(
    'Rejects with a `DomainError` of kind `conflict`, code `duplicate-session`, and changes nothing, when the hash ' +
      'of the session is taken, also when raced',
    () => {
      it('and ends none of 50', async (store) => {
        const all = numbers(MAX_SESSIONS).map((n) => session(n, { createdAt: at(n) }));
        await addAll(store, ...all);
        await assertConflict(store.developers.signIn(ADA, signIn(7)), 'duplicate-session');
        await assertOpen(store, ...all);
      });

      it('and keeps the first, which is of another developer', async (store) => {
        await addAll(store, session(1), session(2, { developerId: BOB }));
        await assertConflict(store.developers.signIn(BOB, signIn(1)), 'duplicate-session');
        await assertOpen(store, session(1), session(2, { developerId: BOB }));
      });

      it('one hash 50 times at once: one is stored', async (store) => {
        await start(store, session(0));
        await assertOneWins(numbers(50).map(() => store.developers.signIn(ADA, signIn(1))));
        await assertOpen(store, session(0), session(1));
      });
    },
  );
}

function endPromises({ describe, it }: Stores): void {
  describe('ends all their sessions and starts this one, all or nothing', () => {
    it('with each activation; the sessions of others stay', async (store) => {
      await addAll(store, session(1), session(2), session(3, { developerId: BOB }));
      await store.developers.invite(ADA, inviting(invitation(9), at(0)));
      await assertOpen(store, session(1), session(2));
      const { session: started } = signIn(4);
      assert.equal(await store.developers.activate(hashOf(9), activation('Ada', { session: started })), true);
      assert.deepEqual(await store.sessions.list(ADA), [session(4)]);
      await assertOpen(store, session(3, { developerId: BOB }));
    });

    it('and neither when the invitation is refused, or the name taken', async (store) => {
      await addAll(store, session(1), session(2, { developerId: BOB }));
      await store.developers.invite(ADA, inviting(invitation(9), at(0)));
      const activate = (time: number, name: string) =>
        store.developers.activate(hashOf(9), activation(name, { at: at(time), session: signIn(4).session }));
      assert.equal(await activate(1000, 'Ada'), false);
      await assertConflict(activate(1, `name of ${BOB}`), 'sign-in-name-taken');
      await assertOpen(store, session(1));
      await assertEnded(store, 4);
    });
  });

  describe('Rejects in the same way, code `duplicate-session`, when the hash of the session is taken', () => {
    it('and the invitation stays good', async (store) => {
      await addAll(store, session(1), session(2, { developerId: BOB }));
      await store.developers.invite(ADA, inviting(invitation(9), at(0)));
      for (const n of [1, 2])
        await assertConflict(
          store.developers.activate(hashOf(9), activation('Countess', { session: signIn(n).session })),
          'duplicate-session',
        );
      await assertOpen(store, session(1), session(2, { developerId: BOB }));
      assert.equal(await store.developers.activate(hashOf(9), activation('Countess')), true);
    });
  });

  describe('with another password hash ends every session of the developer but `keptSession`', () => {
    const change = { current: PASSWORD_HASH, signInName: 'Ada', passwordHash: PASSWORD_HASH, entries: [] };

    it('all but one, and those of others stay', async (store) => {
      await addAll(store, session(1), session(2), session(3), session(4, { developerId: BOB }));
      const another = { ...change, passwordHash: '$another$', keptSession: hashOf(2) };
      assert.equal(await store.developers.changeSignIn(ADA, another), true);
      assert.deepEqual(await store.sessions.list(ADA), [session(2)]);
      await assertOpen(store, session(4, { developerId: BOB }));
    });

    it('all, where none is kept, or the one of another', async (store) => {
      await addAll(store, session(1), session(4, { developerId: BOB }));
      const another = { ...change, passwordHash: '$another$', keptSession: hashOf(4) };
      assert.equal(await store.developers.changeSignIn(ADA, another), true);
      await assertEnded(store, 1);
      await assertOpen(store, session(4, { developerId: BOB }));
    });

    it('none with the same password hash, and none when the change is refused', async (store) => {
      await addAll(store, session(1), session(2), session(3, { developerId: BOB }));
      assert.equal(await store.developers.changeSignIn(ADA, change), true);
      const another = { ...change, passwordHash: '$another$' };
      assert.equal(await store.developers.changeSignIn(ADA, { ...another, current: '$wrong$' }), false);
      await assertConflict(store.developers.changeSignIn(ADA, { ...another, signInName: `name of ${BOB}` }));
      await assertOpen(store, session(1), session(2));
    });
  });

  describe('ends every session of the developer, and returns the developer as they were before', () => {
    it('with each suspension; the sessions of others stay', async (store) => {
      await addAll(store, session(1), session(2), session(3, { developerId: BOB }));
      await store.developers.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
      assert.deepEqual(await store.sessions.list(ADA), []);
      await assertOpen(store, session(3, { developerId: BOB }));
    });

    it('and none when the last operator is kept', async (store) => {
      await addAll(store, session(1));
      await store.developers.setRole(ADA, { role: 'operator', ...ANY_OPERATOR });
      assert.equal(await store.developers.suspend(ADA, { at: at(5), ...ONE_OPERATOR }), 'last-operator');
      await assertOpen(store, session(1));
    });
  });
}
