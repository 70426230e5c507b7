import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Developer } from '../../domain/developer.js';
import type { ApiKeyRepository, AutomationRepository, DeveloperRepository, OAuthRecords } from '../../domain/ports.js';
import { activation, ANY_OPERATOR, invitation, inviting } from './developers.js';
import { addKeys, apiKey, hashOf, keyIdOf } from './keys.js';
import { addOne, ADA, at, automation, nextTurn, numbers, offer, store } from './offers.js';
import { assertGone, assertThere, record, recordIdOf, revoke, upsertAll } from './records.js';
import type { Suite } from './runner.js';
import { session, start, type SessionStore } from './sessions.js';

const SENTENCE = 'Calls that overlap have the outcome of some order of them, and no call undoes the write of another';

/** One of each, so that a race that is seldom lost is lost once. */
const MANY = numbers(20);

/** Does it with each number, all at once. */
async function withEach(race: (n: number) => readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(MANY.flatMap(race));
}

/**
 * Both overlap; with odd numbers the one begins first, with even ones the other. The second begins 0 to 4 turns later,
 * so that it meets the first at each point of its work.
 */
function inEitherOrder(
  n: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): readonly Promise<unknown>[] {
  const [first, second] = n % 2 === 1 ? [one, other] : [other, one];
  return [first(), afterTurns(Math.floor(n / 2) % 5, second)];
}

/** Calls it after this number of turns of the event loop. */
async function afterTurns(turns: number, call: () => Promise<unknown>): Promise<unknown> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  return call();
}

export function keyOverlaps({ describe, it }: Suite<ApiKeyRepository>): void {
  const keys = MANY.map((n) => apiKey(n));

  describe(SENTENCE, () => {
    it('a revocation and a use', async (repository) => {
      await addKeys(repository, ...keys);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.revoke(keyIdOf(n), { at: at(9), entries: [] }),
          () => repository.noteUse(keyIdOf(n), at(6)),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(keyIdOf(n)), apiKey(n, { revokedAt: at(9), lastUsedAt: at(6) }));
    });

    it('a revocation and another name', async (repository) => {
      await addKeys(repository, ...keys);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.revoke(keyIdOf(n), { at: at(9), entries: [] }),
          () => repository.rename(keyIdOf(n), { name: 'New', entries: [] }),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(keyIdOf(n)), apiKey(n, { revokedAt: at(9), name: 'New' }));
    });

    it('a revocation and a successor: both, or the revocation alone', async (repository) => {
      await addKeys(repository, ...keys);
      const replaced = new Set<number>();
      const replace = async (n: number) =>
        (await repository.replace(keyIdOf(n), { successor: apiKey(n + 100), until: at(50), entries: [] })) &&
        replaced.add(n);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => replace(n),
          () => repository.revoke(keyIdOf(n), { at: at(9), entries: [] }),
        ),
      );
      for (const n of MANY) {
        const successor = replaced.has(n) ? apiKey(n + 100) : undefined;
        assert.deepEqual(
          await repository.find(keyIdOf(n)),
          apiKey(n, { revokedAt: at(9), ...(successor && { expiresAt: at(50) }) }),
        );
        assert.deepEqual(await repository.find(keyIdOf(n + 100)), successor);
      }
    });

    it('another name and a use', async (repository) => {
      await addKeys(repository, ...keys);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.rename(keyIdOf(n), { name: 'New', entries: [] }),
          () => repository.noteUse(keyIdOf(n), at(6)),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(keyIdOf(n)), apiKey(n, { name: 'New', lastUsedAt: at(6) }));
    });

    it('another name and a successor', async (repository) => {
      await addKeys(repository, ...keys);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.rename(keyIdOf(n), { name: 'New', entries: [] }),
          () => repository.replace(keyIdOf(n), { successor: apiKey(n + 100), until: at(50), entries: [] }),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(keyIdOf(n)), apiKey(n, { name: 'New', expiresAt: at(50) }));
    });

    it('a successor and a use', async (repository) => {
      await addKeys(repository, ...keys);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.replace(keyIdOf(n), { successor: apiKey(n + 100), until: at(50), entries: [] }),
          () => repository.noteUse(keyIdOf(n), at(6)),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(keyIdOf(n)), apiKey(n, { expiresAt: at(50), lastUsedAt: at(6) }));
    });
  });
}

export function sessionOverlaps({ describe, it }: Suite<SessionStore>): void {
  const open = async (store: SessionStore): Promise<void> => {
    for (const n of MANY) await start(store, session(n, { until: at(100) }));
  };
  const assertAllEnded = async (store: SessionStore): Promise<void> => {
    for (const n of MANY) assert.equal(await store.sessions.findByHash(hashOf(n)), undefined);
  };

  describe(SENTENCE, () => {
    it('an end and a renewal', async (store) => {
      await open(store);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => store.sessions.end({ hash: hashOf(n), entries: [] }),
          () => store.sessions.renew(hashOf(n), at(200)),
        ),
      );
      await assertAllEnded(store);
    });

    it('the end of all and renewals', async (store) => {
      await open(store);
      const renewals = () => MANY.map((n) => store.sessions.renew(hashOf(n), at(200)));
      await Promise.all([...renewals(), store.sessions.endAll({ developerId: ADA, entries: [] }), ...renewals()]);
      await assertAllEnded(store);
    });
  });
}

export function recordOverlaps({ describe, it }: Suite<OAuthRecords>): void {
  const old = MANY.map((n) => record(n, { grantId: 'grant', clientId: 'client' }));
  const renewed = (n: number) => record(n, { grantId: 'grant', clientId: 'client', content: '{}' });

  describe(SENTENCE, () => {
    it('a use and another content', async (records) => {
      await upsertAll(records, ...old);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => records.consume('app', recordIdOf(n), at(9)),
          () => records.upsert(renewed(n)),
        ),
      );
      await assertThere(records, ...MANY.map((n) => ({ ...renewed(n), consumedAt: at(9) })));
    });

    it('a use and an end', async (records) => {
      await upsertAll(records, ...old);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => records.consume('app', recordIdOf(n), at(9)),
          () => records.destroy({ kind: 'app', id: recordIdOf(n), entries: [] }),
        ),
      );
      await assertGone(records, ...old);
    });

    it('10 times, the end of all that has expired, and contents that expire later: these stay', async (records) => {
      for (const round of numbers(10)) {
        await upsertAll(records, ...MANY.map((n) => record(n, { expiresAt: at(10) })));
        const upserts = MANY.map((n) => records.upsert(record(n, { expiresAt: at(99) })));
        await Promise.all([...upserts, afterTurns(round, () => records.removeExpired(at(10)))]);
        await assertThere(records, ...MANY.map((n) => record(n, { expiresAt: at(99) })));
      }
    });

    for (const [what, method, value] of [
      ['a consent', 'revokeByGrantId', 'grant'],
      ['a client', 'revokeByClientId', 'client'],
    ] as const)
      it(`the end of ${what}, and other contents: each is gone, or stored after it as a new one`, async (records) => {
        await upsertAll(records, ...old);
        for (const n of MANY) await records.consume('app', recordIdOf(n), at(5));
        const upserts = (isEven: boolean) =>
          MANY.filter((n) => (n % 2 === 0) === isEven).map((n) => records.upsert(renewed(n)));
        const [count] = await Promise.all([
          revoke(records, method, value),
          ...upserts(true),
          afterTurns(2, async () => Promise.all(upserts(false))),
        ]);
        assert.equal(count, MANY.length);
        for (const n of MANY) {
          const found = await records.find('app', recordIdOf(n));
          if (found !== undefined) assert.deepEqual(found, renewed(n));
        }
      });
  });
}

export function developerOverlaps({ describe, it }: Suite<DeveloperRepository>): void {
  const idOf = (n: number) => `developer-${n}` as DeveloperId;
  const invite = async (repository: DeveloperRepository): Promise<void> => {
    for (const n of MANY) await repository.invite(idOf(n), inviting(invitation(n), at(0)));
  };
  /** Asserts that each has the role, the profile, and the outcome of the call beside them. */
  const assertBesideRoleAndProfile = async (
    repository: DeveloperRepository,
    call: (n: number) => Promise<unknown>,
    outcome: Partial<Developer>,
  ): Promise<void> => {
    await withEach((n) => [
      ...inEitherOrder(
        n,
        () => repository.setRole(idOf(n), { role: 'buyer', ...ANY_OPERATOR }),
        () => call(n),
      ),
      repository.setProfile(idOf(n), { profile: { publicName: `Name ${n}` }, entries: [] }),
    ]);
    for (const n of MANY)
      assert.deepEqual(await repository.find(idOf(n)), {
        id: idOf(n),
        role: 'buyer',
        addedAt: at(0),
        invitation: invitation(n),
        publicName: `Name ${n}`,
        ...outcome,
      });
  };

  describe(SENTENCE, () => {
    it('a suspension and an invitation', async (repository) => {
      await invite(repository);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.invite(idOf(n), inviting(invitation(n + 100), at(5))),
          () => repository.suspend(idOf(n), { at: at(9), ...ANY_OPERATOR }),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await repository.find(idOf(n)), {
          id: idOf(n),
          role: 'developer',
          addedAt: at(0),
          invitation: invitation(n + 100),
          suspendedAt: at(9),
        });
    });

    it('a suspension, a role and a profile', async (repository) => {
      await invite(repository);
      const suspend = (n: number) => repository.suspend(idOf(n), { at: at(9), ...ANY_OPERATOR });
      await assertBesideRoleAndProfile(repository, suspend, { suspendedAt: at(9) });
    });

    it('the end of a suspension, a role and a profile', async (repository) => {
      await invite(repository);
      for (const n of MANY) await repository.suspend(idOf(n), { at: at(9), ...ANY_OPERATOR });
      await assertBesideRoleAndProfile(repository, (n) => repository.restore({ id: idOf(n), entries: [] }), {});
    });

    it('a suspension, another sign-in name and another password', async (repository) => {
      await invite(repository);
      for (const n of MANY) await repository.activate(hashOf(n), activation(`Name ${n}`));
      const before = await Promise.all(MANY.map((n) => repository.find(idOf(n))));
      const changed = new Set<number>();
      const change = async (n: number, current: string) =>
        (await repository.changeSignIn(idOf(n), {
          current,
          signInName: `New ${n}`,
          passwordHash: '$new$',
          entries: [],
        })) && changed.add(n);
      await withEach((n) => [
        ...inEitherOrder(
          n,
          () => repository.suspend(idOf(n), { at: at(9), ...ANY_OPERATOR }),
          () => repository.rename(idOf(n), { signInName: `New ${n}`, entries: [] }),
        ),
        change(n, before[n - 1]?.passwordHash ?? ''),
      ]);
      assert.equal(changed.size, MANY.length);
      for (const n of MANY)
        assert.deepEqual(await repository.find(idOf(n)), {
          ...before[n - 1],
          suspendedAt: at(9),
          signInName: `New ${n}`,
          passwordHash: '$new$',
        });
    });

    it('a suspension and an acceptance: both, or the suspension alone', async (repository) => {
      await invite(repository);
      const accepted = new Set<number>();
      const accept = async (n: number) =>
        (await repository.activate(hashOf(n), activation(`Name ${n}`))) && accepted.add(n);
      await withEach((n) =>
        inEitherOrder(
          n,
          () => accept(n),
          () => repository.suspend(idOf(n), { at: at(9), ...ANY_OPERATOR }),
        ),
      );
      for (const n of MANY) {
        const developer = await repository.find(idOf(n));
        assert.deepEqual(developer?.suspendedAt, at(9));
        assert.equal(developer.signInName, accepted.has(n) ? `Name ${n}` : undefined);
      }
    });
  });
}

export function automationOverlaps({ describe, it }: Suite<AutomationRepository>): void {
  describe(SENTENCE, () => {
    it('keys that are freed, and used again', async (repository) => {
      const keyed = (n: number, of: number) => offer(n, { key: `key-${of}`, createdAt: at(n), until: at(n + 50) });
      await store(repository, ...MANY.map((n) => keyed(n, n)));
      await withEach((n) =>
        inEitherOrder(
          n,
          () => repository.freeIdempotencyKeys(at(80)),
          () => store(repository, keyed(n + 100, n)),
        ),
      );
      for (const n of MANY)
        assert.deepEqual(await addOne(repository, keyed(n + 110, n)), {
          outcome: 'earlier',
          automation: automation(n + 100, { createdAt: at(n + 100) }),
        });
    });
  });
}
