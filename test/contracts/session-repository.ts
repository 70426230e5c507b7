import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import { tamper } from './handles.js';
import { assertConflict, assertOneWins, hashOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import { sessionOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Sessions = Suite<SessionRepository>;

/** The nth session. */
function session(n: number, fields: Partial<Session> = {}): Session {
  return { hash: hashOf(n), developerId: ADA, createdAt: at(0), until: at(1000), ...fields };
}

async function addAll(repository: SessionRepository, ...sessions: readonly Session[]): Promise<void> {
  for (const one of sessions) await repository.add(one);
  await assertOpen(repository, ...sessions);
}

async function assertOpen(repository: SessionRepository, ...sessions: readonly Session[]): Promise<void> {
  for (const one of sessions) assert.deepEqual(await repository.findByHash(one.hash), one);
}

async function assertEnded(repository: SessionRepository, ...ns: readonly number[]): Promise<void> {
  for (const n of ns) assert.equal(await repository.findByHash(hashOf(n)), undefined);
}

/** What every `SessionRepository` owes. */
export function sessionRepositoryContract(fresh: Fresh<SessionRepository>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('SessionRepository', () => {
    suite.describe('add', () => addPromises(suite));
    suite.describe('findByHash', () => findPromises(suite));
    suite.describe('list', () => listPromises(suite));
    suite.describe('renew', () => renewPromises(suite));
    suite.describe('end', () => endPromises(suite));
    suite.describe('endAll', () => endAllPromises(suite));
    suite.describe('endExpired', () => endExpiredPromises(suite));
    sessionOverlaps(suite);
    handlePromises(suite);
  });
}

function addPromises({ describe, it }: Sessions): void {
  describe(
    'Stores a session, and ends the oldest others of its developer, by `createdAt`, so that there are at most ' +
      '`MAX_SESSIONS`, also when raced',
    () => {
      it('one after the other, in another order than that of their times', async (repository) => {
        const others = [session(901, { developerId: BOB, createdAt: at(-9) }), session(902, { developerId: BOB })];
        for (const one of others) await repository.add(one);
        const scrambled = numbers(MAX_SESSIONS).map((n) => (n * 13) % (MAX_SESSIONS + 1));
        for (const n of scrambled) await repository.add(session(n, { createdAt: at(n) }));
        await assertOpen(repository, ...numbers(MAX_SESSIONS).map((n) => session(n, { createdAt: at(n) })));
        for (const n of numbers(20)) await repository.add(session(100 + n, { createdAt: at(100 + n) }));
        await assertEnded(repository, ...numbers(20));
        await assertOpen(
          repository,
          session(21, { createdAt: at(21) }),
          session(120, { createdAt: at(120) }),
          ...others,
        );
      });

      it('not the one that is stored, also when the clock was set back', async (repository) => {
        for (const n of numbers(MAX_SESSIONS)) await repository.add(session(n, { createdAt: at(n) }));
        await repository.add(session(100, { createdAt: at(-5) }));
        await assertOpen(repository, session(100, { createdAt: at(-5) }), session(2, { createdAt: at(2) }));
        await assertEnded(repository, 1);
      });

      it('twice as many at once', async (repository) => {
        await Promise.all(numbers(2 * MAX_SESSIONS).map((n) => repository.add(session(n, { createdAt: at(n) }))));
        const { length } = await repository.list(ADA);
        assert.ok(length <= MAX_SESSIONS && length > MAX_SESSIONS / 2, `${length} are left`);
      });
    },
  );

  describe(
    'Rejects with a `DomainError` of kind `conflict`, and ends none, when its hash is taken, ' + 'also when raced',
    () => {
      it('and ends none of 50', async (repository) => {
        const all = numbers(MAX_SESSIONS).map((n) => session(n, { createdAt: at(n) }));
        await addAll(repository, ...all);
        await assertConflict(repository.add(session(7, { createdAt: at(99) })), 'duplicate-session');
        await assertOpen(repository, ...all);
      });

      it('and keeps the first', async (repository) => {
        await addAll(repository, session(1));
        await assertConflict(repository.add(session(1, { developerId: BOB })), 'duplicate-session');
        await assertOpen(repository, session(1));
      });

      it('one hash 50 times at once: one is stored', async (repository) => {
        await assertOneWins(numbers(50).map(() => repository.add(session(1))));
        await assertOpen(repository, session(1));
      });
    },
  );
}

function findPromises({ describe, it }: Sessions): void {
  describe(
    'Returns the session with this hash, field for field, expired ones included; ' + 'undefined when there is none',
    () => {
      it('each by its own', (repository) =>
        addAll(
          repository,
          session(1),
          session(2, { developerId: BOB, createdAt: at(5), until: at(6), address: '192.0.2.1' }),
        ));

      it('of the developer of an issuer with the longest id', (repository) =>
        addAll(repository, session(1, { developerId: LONGEST_DEVELOPER })));

      it('one that expired long ago', (repository) =>
        addAll(repository, session(1, { createdAt: new Date(0), until: new Date(1) })));

      it('undefined for hashes that are nearly there', async (repository) => {
        await repository.add(session(0xabcdef));
        const hash = hashOf(0xabcdef);
        for (const near of [hash.toUpperCase(), hash.slice(1), `${hash}0`, '', '%'])
          assert.equal(await repository.findByHash(near), undefined);
      });
    },
  );
}

function listPromises({ describe, it }: Sessions): void {
  describe(
    'Returns every session of a developer, field for field, expired ones included, ' + 'the latest `createdAt` first',
    () => {
      it('none, and as many as there may be', async (repository) => {
        assert.deepEqual(await repository.list(ADA), []);
        for (const n of numbers(MAX_SESSIONS)) await repository.add(session(n));
        assert.equal((await repository.list(ADA)).length, MAX_SESSIONS);
      });

      it('of each their own, also an expired one, and none that has ended', async (repository) => {
        const all = [
          session(1, { createdAt: at(5), until: new Date(1) }),
          session(2, { createdAt: at(9), address: '2001:db8::1' }),
          session(3, { createdAt: at(7) }),
        ] as const;
        await addAll(repository, ...all, session(4, { developerId: BOB }), session(5));
        await repository.end(hashOf(5));
        assert.deepEqual(await repository.list(ADA), [all[1], all[2], all[0]]);
        assert.deepEqual(await repository.list(BOB), [session(4, { developerId: BOB })]);
        assert.deepEqual(await repository.list(LONGEST_DEVELOPER), []);
      });
    },
  );
}

function renewPromises({ describe, it }: Sessions): void {
  describe(
    'Extends a session until this time; an earlier time than the stored one and an unknown hash change ' + 'nothing',
    () => {
      it('later', async (repository) => {
        await addAll(repository, session(1), session(2));
        await repository.renew(hashOf(1), at(2000));
        await assertOpen(repository, session(1, { until: at(2000) }), session(2));
      });

      it('earlier', async (repository) => {
        await addAll(repository, session(1));
        await repository.renew(hashOf(1), at(999));
        await assertOpen(repository, session(1));
      });

      it('the latest of many at once counts', async (repository) => {
        await addAll(repository, session(1));
        await Promise.all(numbers(20).map((n) => repository.renew(hashOf(1), at(1000 + ((n * 7) % 20)))));
        await assertOpen(repository, session(1, { until: at(1019) }));
      });

      it('one that is unknown or has ended does not come to life', async (repository) => {
        await addAll(repository, session(1));
        await repository.end(hashOf(1));
        for (const n of [1, 2]) await repository.renew(hashOf(n), at(2000));
        await assertEnded(repository, 1, 2);
      });
    },
  );
}

function endPromises({ describe, it }: Sessions): void {
  describe('Ends the session with this hash and returns whether there was one', () => {
    it('one, and no other', async (repository) => {
      await addAll(repository, session(1), session(2));
      assert.equal(await repository.end(hashOf(1)), true);
      await assertEnded(repository, 1);
      await assertOpen(repository, session(2));
      assert.equal(await repository.end(hashOf(1)), false);
      assert.equal(await repository.end(hashOf(3)), false);
    });
  });

  describe('When raced, one call returns true', () => {
    it('of 50', async (repository) => {
      await addAll(repository, session(1));
      const answers = await Promise.all(numbers(50).map(() => repository.end(hashOf(1))));
      assert.equal(answers.filter((answer) => answer).length, 1);
    });
  });
}

function endAllPromises({ describe, it }: Sessions): void {
  describe('Ends every session of a developer, but not the one with the hash `except`, and returns how many', () => {
    it('and none of another', async (repository) => {
      await addAll(repository, session(1), session(2, { developerId: BOB }), session(3));
      assert.equal(await repository.endAll(ADA), 2);
      await assertEnded(repository, 1, 3);
      await assertOpen(repository, session(2, { developerId: BOB }));
      assert.equal(await repository.endAll(ADA), 0);
    });

    it('all but one', async (repository) => {
      await addAll(repository, session(1), session(2, { developerId: BOB }), session(3), session(4));
      assert.equal(await repository.endAll(ADA, hashOf(3)), 2);
      await assertEnded(repository, 1, 4);
      assert.equal(await repository.endAll(ADA, hashOf(3)), 0);
      assert.equal(await repository.endAll(ADA, hashOf(2)), 1);
      await assertOpen(repository, session(2, { developerId: BOB }));
    });

    it('as many as there may be', async (repository) => {
      for (const n of numbers(MAX_SESSIONS)) await repository.add(session(n));
      assert.equal(await repository.endAll(ADA), MAX_SESSIONS);
      await assertEnded(repository, 1, MAX_SESSIONS);
    });
  });
}

function endExpiredPromises({ describe, it }: Sessions): void {
  describe('Ends every session whose `until` is not after this time, and returns how many', () => {
    it('also at the very time', async (repository) => {
      await addAll(repository, ...[9, 10, 11].map((n) => session(n, { until: at(n) })));
      assert.equal(await repository.endExpired(at(10)), 2);
      await assertEnded(repository, 9, 10);
      await assertOpen(repository, session(11, { until: at(11) }));
      assert.equal(await repository.endExpired(at(10)), 0);
    });

    it('not one that was renewed', async (repository) => {
      await addAll(repository, session(1));
      await repository.renew(hashOf(1), at(1001));
      assert.equal(await repository.endExpired(at(1000)), 0);
    });

    it('many', async (repository) => {
      const developerId = (n: number) => `developer-${n % 20}` as DeveloperId;
      const many = numbers(501).map((n) => session(n, { developerId: developerId(n) }));
      await addAll(repository, ...many, session(502, { until: at(1001) }));
      assert.equal(await repository.endExpired(at(1000)), 501);
      await assertOpen(repository, session(502, { until: at(1001) }));
    });
  });
}

function handlePromises({ describe, it }: Sessions): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was added', async (repository) => {
      const added = session(1);
      await repository.add(added);
      tamper(added);
      await assertOpen(repository, session(1));
    });

    it('what was found, and until when it was renewed', async (repository) => {
      const until = at(2000);
      await repository.add(session(1));
      await repository.renew(hashOf(1), until);
      tamper([until]);
      tamper(await repository.findByHash(hashOf(1)));
      tamper(await repository.list(ADA));
      await assertOpen(repository, session(1, { until: at(2000) }));
    });
  });
}
