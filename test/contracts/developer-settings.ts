import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperRepository } from '../../domain/ports.js';
import { ROLES } from '../../domain/role.js';
import {
  activation,
  active,
  allDevelopers,
  ANY_OPERATOR,
  assertKnown,
  hashOfName,
  invitation,
  invited,
  inviting,
  registered,
} from './developers.js';
import { assertConflict, assertOneWins, hashOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import { publicNamePromises } from './developer-public-names.js';
import type { Suite } from './runner.js';

type Developers = Suite<DeveloperRepository>;

const EVE = 'eve' as DeveloperId;
const SITE = { publicName: 'Ada & Söhne', website: 'https://ada.example/$x?a=1' };

export function rolePromises({ describe, it }: Developers): void {
  describe(
    'Stores the role and returns the developer as they were before; undefined when there is no such ' + 'developer',
    () => {
      it('each role, and nothing else', async (repository) => {
        const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await invited(repository, BOB, 2)];
        let before = ada;
        for (const role of ROLES) {
          assert.deepEqual(await repository.setRole(ADA, { role, ...ANY_OPERATOR }), before);
          before = { ...ada, role };
          await assertKnown(repository, before, bob);
        }
      });

      it('one role 10 times at once: one call changes it', async (repository) => {
        await invited(repository, ADA, 1);
        const before = await Promise.all(
          numbers(10).map(() => repository.setRole(ADA, { role: 'buyer', ...ANY_OPERATOR })),
        );
        assert.equal(
          before.filter((developer) => developer !== 'last-operator' && developer?.role === 'developer').length,
          1,
        );
      });

      it('of an unknown one, who is not added', async (repository) => {
        assert.equal(await repository.setRole(ADA, { role: 'operator', ...ANY_OPERATOR }), undefined);
        await assertKnown(repository);
      });
    },
  );
}

export function unchangedPromises({ describe, it }: Developers): void {
  describe('The role that they have changes nothing', () => {
    it('and they are returned as they are', async (repository) => {
      const ada = await active(repository, ADA, 1, 'Ada');
      assert.deepEqual(await repository.setRole(ADA, { role: 'developer', ...ANY_OPERATOR }), ada);
      await assertKnown(repository, ada);
    });
  });

  describe('The name that they have changes nothing', () => {
    it('but another case of it does', async (repository) => {
      const ada = await active(repository, ADA, 1, 'Ada');
      for (const signInName of ['Ada', 'ADA'])
        assert.deepEqual(await repository.rename(ADA, { signInName, entries: [] }), ada);
      await assertKnown(repository, { ...ada, signInName: 'ADA' });
    });
  });
}

export function invitedRolePromises({ describe, it }: Developers): void {
  const sentence =
    'The developer gets this role; without one a new developer gets `developer`, and another keeps theirs';
  describe(sentence, () => {
    it('with each role, and then without one', async (repository) => {
      for (const [n, role] of ROLES.entries())
        for (const given of [role, undefined])
          await repository.invite(`${role}-1` as DeveloperId, inviting(invitation(n), at(0), given));
      await assertKnown(
        repository,
        ...ROLES.map((role, n) => ({
          id: `${role}-1` as DeveloperId,
          role,
          addedAt: at(0),
          invitation: invitation(n),
        })),
      );
    });

    it('another one later', async (repository) => {
      const ada = await active(repository, ADA, 1, 'Ada');
      await repository.invite(ADA, inviting(invitation(2), at(20), 'operator'));
      await assertKnown(repository, { ...ada, role: 'operator', invitation: invitation(2) });
    });
  });
}

export function profilePromises(suite: Developers): void {
  profileStored(suite);
  publicNamePromises(suite);
}

function profileStored({ describe, it }: Developers): void {
  describe(
    'Stores public name and website and returns true; one that is missing is removed. ' +
      'Returns false when there is no such developer',
    () => {
      it('both, each alone, and none', async (repository) => {
        const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await invited(repository, BOB, 2)];
        const { publicName, website } = SITE;
        for (const profile of [SITE, { website }, SITE, { publicName }, {}, {}, { publicName: '$id' }]) {
          assert.equal(await repository.setProfile(ADA, { profile, entries: [] }), true);
          await assertKnown(repository, { ...ada, ...profile }, bob);
        }
      });

      it('the longest ones, of the developer with the longest id', async (repository) => {
        const known = await invited(repository, LONGEST_DEVELOPER, 1);
        const longest = { publicName: '\uFDFA'.repeat(60), website: `https://ada.example/${'ö'.repeat(480)}` };
        assert.equal(await repository.setProfile(LONGEST_DEVELOPER, { profile: longest, entries: [] }), true);
        await assertKnown(repository, { ...known, ...longest });
      });

      it('of an unknown one, who is not added', async (repository) => {
        const bob = await invited(repository, BOB, 1);
        await repository.setProfile(BOB, { profile: SITE, entries: [] });
        for (const profile of [SITE, { publicName: 'Ada' }, {}])
          assert.equal(await repository.setProfile(ADA, { profile, entries: [] }), false);
        await assertKnown(repository, { ...bob, ...SITE });
      });

      it('and they stay with a later invitation', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await repository.setProfile(ADA, { profile: SITE, entries: [] });
        await repository.invite(ADA, inviting(invitation(2), at(20)));
        await assertKnown(repository, { ...ada, ...SITE, invitation: invitation(2) });
      });
    },
  );
}

export function signInPromises({ describe, it }: Developers): void {
  const signIn = (name: string) => ({ signInName: name, passwordHash: hashOfName(name) });
  const ADAS = hashOfName('Ada');

  const sentence =
    'Replaces sign-in name and password hash, and with another password hash ends every session of the developer ' +
    'but `keptSession`, all or nothing, and returns true';
  describe(sentence, () => {
    it('one of them, and both', async (repository) => {
      const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await active(repository, BOB, 2, 'Bob')];
      await repository.invite(ADA, inviting(invitation(3), at(20)));
      const changes = [
        { signInName: 'ADA', passwordHash: ADAS },
        { signInName: 'ADA', passwordHash: '$ROOT' },
        { signInName: '$name', passwordHash: '$$NOW' },
      ];
      for (const [n, change] of changes.entries()) {
        assert.equal(
          await repository.changeSignIn(ADA, { current: changes[n - 1]?.passwordHash ?? ADAS, ...change, entries: [] }),
          true,
        );
        await assertKnown(repository, { ...ada, ...change, invitation: invitation(3) }, bob);
      }
      assert.equal(await repository.findBySignInName('ada'), undefined);
    });
  });

  describe(
    "Returns false, and changes nothing, when the developer's password hash is another than `current`; " +
      'when raced, one call that changes it returns true',
    () => {
      it('another one, none, and nobody', async (repository) => {
        const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await invited(repository, BOB, 2)];
        for (const [id, current] of [
          [ADA, ADAS.toUpperCase()],
          [ADA, ''],
          [BOB, ''],
          [BOB, ADAS],
          [EVE, ''],
        ] as const)
          assert.equal(await repository.changeSignIn(id, { current, ...signIn('Eve'), entries: [] }), false);
        await assertKnown(repository, ada, bob);
      });

      it('20 at once', async (repository) => {
        await active(repository, ADA, 1, 'Ada');
        const changes = numbers(20).map((n) =>
          repository.changeSignIn(ADA, { current: ADAS, ...signIn(`Ada ${n}`), entries: [] }),
        );
        const winner = (await Promise.all(changes)).map((isDone, n) => (isDone ? n + 1 : 0)).filter((n) => n > 0);
        assert.equal(winner.length, 1);
        const { signInName, passwordHash } = (await repository.find(ADA)) ?? assert.fail();
        assert.deepEqual({ signInName, passwordHash }, signIn(`Ada ${winner[0]}`));
      });
    },
  );

  describe(
    'Rejects with a `DomainError` of kind `conflict` when another developer has the sign-in name, ' + 'also when raced',
    () => {
      it('in any case, and nothing changes', async (repository) => {
        const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await active(repository, BOB, 2, 'Zoë')];
        for (const name of ['Zoë', 'ZOË', 'zoe\u0308'])
          await assertConflict(
            repository.changeSignIn(ADA, { current: ADAS, ...signIn(name), entries: [] }),
            'sign-in-name-taken',
          );
        await assertKnown(repository, ada, bob);
      });

      it('one name by a change and by 10 invitations at once: one has it', async (repository) => {
        await active(repository, ADA, 100, 'Ada');
        const ids = numbers(10).map((n) => `developer-${n}` as DeveloperId);
        for (const [n, id] of ids.entries()) await repository.invite(id, inviting(invitation(n), at(0)));
        const activations = ids.map((_, n) => repository.activate(hashOf(n), activation('Zoe')));
        await assertOneWins([
          ...activations,
          repository.changeSignIn(ADA, { current: ADAS, ...signIn('ZOE'), entries: [] }),
        ]);
        const named = (await allDevelopers(repository)).filter(({ signInName }) => signInName?.toLowerCase() === 'zoe');
        assert.equal(named.length, 1);
      });
    },
  );
}

export function renamePromises({ describe, it }: Developers): void {
  describe(
    'Replaces the sign-in name and returns the developer as they were before; undefined, and changes nothing, for ' +
      'one without a sign-in and when there is no such developer',
    () => {
      it('and nothing else of the developer changes', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        const bob = await active(repository, BOB, 2, 'Bob');
        await repository.invite(ADA, inviting(invitation(3), at(20)));
        await repository.suspend(ADA, { at: at(30), ...ANY_OPERATOR });
        let before = { ...ada, invitation: invitation(3), suspendedAt: at(30) };
        for (const signInName of ['Countess', 'COUNTESS', 'COUNTESS', '$password_hash', '$$ROOT']) {
          assert.deepEqual(await repository.rename(ADA, { signInName, entries: [] }), before);
          before = { ...before, signInName };
          await assertKnown(repository, before, bob);
        }
        for (const earlier of ['ada', 'countess']) assert.equal(await repository.findBySignInName(earlier), undefined);
      });

      it('one who is invited or registered, and nobody', async (repository) => {
        const [ada, bob] = [await invited(repository, ADA, 1), await registered(repository, BOB)];
        for (const id of [ADA, BOB, EVE])
          assert.equal(await repository.rename(id, { signInName: 'Countess', entries: [] }), undefined);
        await assertKnown(repository, ada, bob);
      });
    },
  );

  describe(
    'Rejects with a `DomainError` of kind `conflict`, and changes nothing, when another developer has the sign-in ' +
      'name, also when raced',
    () => {
      it('in any case and normal form', async (repository) => {
        const [ada, bob] = [await active(repository, ADA, 1, 'Ada'), await active(repository, BOB, 2, 'Zoë')];
        for (const name of ['Zoë', 'ZOË', 'zoe\u0308'])
          await assertConflict(repository.rename(ADA, { signInName: name, entries: [] }), 'sign-in-name-taken');
        await assertKnown(repository, ada, bob);
      });

      it('ten developers get one name at once, and an eleventh chooses it: one has it', async (repository) => {
        const ids = numbers(10).map((n) => `developer-${n}` as DeveloperId);
        for (const [n, id] of ids.entries()) await active(repository, id, n, id);
        await active(repository, ADA, 100, 'Ada');
        const choice = repository.changeSignIn(ADA, {
          current: hashOfName('Ada'),
          signInName: 'ZOE',
          passwordHash: '$new$',
          entries: [],
        });
        const renamed = ids.map(
          async (id) => (await repository.rename(id, { signInName: 'Zoe', entries: [] })) !== undefined,
        );
        await assertOneWins([...renamed, choice]);
        const named = (await allDevelopers(repository)).filter(({ signInName }) => signInName?.toLowerCase() === 'zoe');
        assert.equal(named.length, 1);
      });
    },
  );
}
