import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import { MAX_SESSIONS } from '../../domain/session.js';
import { sessionEntryPromises } from './account-entries.js';
import { tamper } from './handles.js';
import { hashOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import { sessionOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import { addAll, assertEnded, assertOpen, session, start, type SessionStore } from './sessions.js';

type Sessions = Suite<SessionStore>;

/** What every `SessionRepository` owes. */
export function sessionRepositoryContract(fresh: Fresh<SessionStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('SessionRepository', () => {
    suite.describe('findByHash', () => findPromises(suite));
    suite.describe('list', () => listPromises(suite));
    suite.describe('renew', () => renewPromises(suite));
    suite.describe('end', () => endPromises(suite));
    suite.describe('endAll', () => endAllPromises(suite));
    suite.describe('endExpired', () => endExpiredPromises(suite));
    sessionOverlaps(suite);
    handlePromises(suite);
    sessionEntryPromises(suite);
  });
}

function findPromises({ describe, it }: Sessions): void {
  describe(
    'Returns the session with this hash, field for field, expired ones included; ' + 'undefined when there is none',
    () => {
      it('each by its own', (store) =>
        addAll(
          store,
          session(1),
          session(2, { developerId: BOB, createdAt: at(5), until: at(6), address: '192.0.2.1' }),
          session(3, { sid: 'a session of the issuer' }),
          session(4, { sid: '' }),
        ));

      it('of the developer with the longest id', (store) =>
        addAll(store, session(1, { developerId: LONGEST_DEVELOPER })));

      it('one that expired long ago', (store) =>
        addAll(store, session(1, { createdAt: new Date(0), until: new Date(1) })));

      it('undefined for hashes that are nearly there', async (store) => {
        await start(store, session(0xabcdef));
        const hash = hashOf(0xabcdef);
        for (const near of [hash.toUpperCase(), hash.slice(1), `${hash}0`, '', '%'])
          assert.equal(await store.sessions.findByHash(near), undefined);
      });
    },
  );
}

function listPromises({ describe, it }: Sessions): void {
  describe(
    'Returns every session of a developer, field for field, expired ones included, ' + 'the latest `createdAt` first',
    () => {
      it('none, and as many as there may be', async (store) => {
        assert.deepEqual(await store.sessions.list(ADA), []);
        for (const n of numbers(MAX_SESSIONS)) await start(store, session(n));
        assert.equal((await store.sessions.list(ADA)).length, MAX_SESSIONS);
      });

      it('of each their own, also an expired one, and none that has ended', async (store) => {
        const all = [
          session(1, { createdAt: at(5), until: new Date(1) }),
          session(2, { createdAt: at(9), address: '2001:db8::1' }),
          session(3, { createdAt: at(7) }),
        ] as const;
        await addAll(store, ...all, session(4, { developerId: BOB }), session(5));
        await store.sessions.end({ hash: hashOf(5), entries: [] });
        assert.deepEqual(await store.sessions.list(ADA), [all[1], all[2], all[0]]);
        assert.deepEqual(await store.sessions.list(BOB), [session(4, { developerId: BOB })]);
        assert.deepEqual(await store.sessions.list(LONGEST_DEVELOPER), []);
      });
    },
  );
}

function renewPromises({ describe, it }: Sessions): void {
  describe(
    'Extends a session until this time; an earlier time than the stored one and an unknown hash change ' + 'nothing',
    () => {
      it('later', async (store) => {
        await addAll(store, session(1), session(2));
        await store.sessions.renew(hashOf(1), at(2000));
        await assertOpen(store, session(1, { until: at(2000) }), session(2));
      });

      it('earlier', async (store) => {
        await addAll(store, session(1));
        await store.sessions.renew(hashOf(1), at(999));
        await assertOpen(store, session(1));
      });

      it('the latest of many at once counts', async (store) => {
        await addAll(store, session(1));
        await Promise.all(numbers(20).map((n) => store.sessions.renew(hashOf(1), at(1000 + ((n * 7) % 20)))));
        await assertOpen(store, session(1, { until: at(1019) }));
      });

      it('one that is unknown or has ended does not come to life', async (store) => {
        await addAll(store, session(1));
        await store.sessions.end({ hash: hashOf(1), entries: [] });
        for (const n of [1, 2]) await store.sessions.renew(hashOf(n), at(2000));
        await assertEnded(store, 1, 2);
      });
    },
  );
}

function endPromises({ describe, it }: Sessions): void {
  describe('Ends the session with this hash and returns whether there was one', () => {
    it('one, and no other', async (store) => {
      await addAll(store, session(1), session(2));
      assert.equal(await store.sessions.end({ hash: hashOf(1), entries: [] }), true);
      await assertEnded(store, 1);
      await assertOpen(store, session(2));
      assert.equal(await store.sessions.end({ hash: hashOf(1), entries: [] }), false);
      assert.equal(await store.sessions.end({ hash: hashOf(3), entries: [] }), false);
    });
  });

  describe('When raced, one call returns true', () => {
    it('of 50', async (store) => {
      await addAll(store, session(1));
      const answers = await Promise.all(numbers(50).map(() => store.sessions.end({ hash: hashOf(1), entries: [] })));
      assert.equal(answers.filter((answer) => answer).length, 1);
    });
  });
}

function endAllPromises({ describe, it }: Sessions): void {
  describe('Ends every session of a developer, and returns how many', () => {
    it('and none of another', async (store) => {
      await addAll(store, session(1), session(2, { developerId: BOB }), session(3));
      assert.equal(await store.sessions.endAll({ developerId: ADA, entries: [] }), 2);
      await assertEnded(store, 1, 3);
      await assertOpen(store, session(2, { developerId: BOB }));
      assert.equal(await store.sessions.endAll({ developerId: ADA, entries: [] }), 0);
    });

    it('as many as there may be', async (store) => {
      for (const n of numbers(MAX_SESSIONS)) await start(store, session(n));
      assert.equal(await store.sessions.endAll({ developerId: ADA, entries: [] }), MAX_SESSIONS);
      await assertEnded(store, 1, MAX_SESSIONS);
    });
  });
}

function endExpiredPromises({ describe, it }: Sessions): void {
  describe('Ends every session whose `until` is not after this time, and returns how many', () => {
    it('also at the very time', async (store) => {
      await addAll(store, ...[9, 10, 11].map((n) => session(n, { until: at(n) })));
      assert.equal(await store.sessions.endExpired(at(10)), 2);
      await assertEnded(store, 9, 10);
      await assertOpen(store, session(11, { until: at(11) }));
      assert.equal(await store.sessions.endExpired(at(10)), 0);
    });

    it('not one that was renewed', async (store) => {
      await addAll(store, session(1));
      await store.sessions.renew(hashOf(1), at(1001));
      assert.equal(await store.sessions.endExpired(at(1000)), 0);
    });

    it('many', async (store) => {
      const developerId = (n: number) => `developer-${n % 20}` as DeveloperId;
      const many = numbers(501).map((n) => session(n, { developerId: developerId(n) }));
      await addAll(store, ...many, session(502, { until: at(1001) }));
      assert.equal(await store.sessions.endExpired(at(1000)), 501);
      await assertOpen(store, session(502, { until: at(1001) }));
    });
  });
}

function handlePromises({ describe, it }: Sessions): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was added', async (store) => {
      const added = session(1);
      await start(store, added);
      tamper(added);
      await assertOpen(store, session(1));
    });

    it('what was found, and until when it was renewed', async (store) => {
      const until = at(2000);
      await start(store, session(1));
      await store.sessions.renew(hashOf(1), until);
      tamper([until]);
      tamper(await store.sessions.findByHash(hashOf(1)));
      tamper(await store.sessions.list(ADA));
      await assertOpen(store, session(1, { until: at(2000) }));
    });
  });
}
