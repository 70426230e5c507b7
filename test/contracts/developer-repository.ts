import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperRepository } from '../../domain/ports.js';
import { developerEntryPromises } from './account-entries.js';
import { activatePromises } from './developer-activate.js';
import { identityPromises } from './developer-identities.js';
import { developerSessionPromises } from './developer-sessions.js';
import { lastOperatorPromises, registerPromises } from './developer-register.js';
import { developerListPromises } from './developer-lists.js';
import { shownAsPromises } from './developer-public-names.js';
import {
  invitedRolePromises,
  profilePromises,
  renamePromises,
  rolePromises,
  signInPromises,
  unchangedPromises,
} from './developer-settings.js';
import {
  activation,
  active,
  allDevelopers,
  ANY_OPERATOR,
  assertKnown,
  invitation,
  invited,
  inviting,
} from './developers.js';
import { tamper } from './handles.js';
import { hashOf } from './keys.js';
import { ADA, at, BOB, numbers } from './offers.js';
import { developerOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import type { SessionStore } from './sessions.js';

export type Developers = Suite<DeveloperRepository>;

/** What every `DeveloperRepository` owes. */
export function developerRepositoryContract(fresh: Fresh<SessionStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(async (onEnd) => (await fresh(onEnd)).developers, runner);
  const whole = suiteOver(fresh, runner);
  suite.describe('DeveloperRepository', () => {
    suite.describe('find, findBySignInName, findByInvitation', () => findPromises(suite));
    suite.describe('findShownAs', () => shownAsPromises(suite));
    developerListPromises(suite);
    suite.describe('register', () => registerPromises(suite));
    suite.describe('findByIdentity, listIdentities, identify', () => identityPromises(whole));
    suite.describe('invite', () => {
      invitePromises(suite);
      invitedRolePromises(suite);
    });
    suite.describe('setRole', () => rolePromises(suite));
    suite.describe('setRole, rename', () => unchangedPromises(suite));
    suite.describe('setProfile', () => profilePromises(suite));
    suite.describe('changeSignIn', () => signInPromises(suite));
    suite.describe('rename', () => renamePromises(suite));
    suite.describe('activate', () => activatePromises(suite));
    suite.describe('suspend, restore', () => suspensionPromises(suite));
    suite.describe('setRole, suspend', () => lastOperatorPromises(suite));
    developerOverlaps(suite);
    handlePromises(suite);
    developerSessionPromises(whole);
    developerEntryPromises(whole);
  });
}

function findPromises({ describe, it }: Developers): void {
  describe('Returns the developer with this id, field for field; undefined when there is none', () => {
    it('one with all there is to a developer', async (repository) => {
      const ada = await active(repository, ADA, 1, '👩‍👩‍👧 Zoë 𝕏 <b> \' " \\ % $name');
      await repository.invite(ADA, inviting(invitation(2), at(20)));
      await repository.suspend(ADA, { at: at(30), ...ANY_OPERATOR });
      await repository.setRole(ADA, { role: 'operator', ...ANY_OPERATOR });
      const profile = { publicName: 'Zoë 👩‍👩‍👧', website: 'https://zoë.example' };
      await repository.setProfile(ADA, { profile, entries: [] });
      const changed = { ...profile, role: 'operator', invitation: invitation(2), suspendedAt: at(30) } as const;
      await assertKnown(repository, { ...ada, ...changed });
    });

    it('one whose name and password hash a store could take for its own words', async (repository) => {
      const ada = await active(repository, ADA, 1, '$password_hash');
      await assertKnown(repository, ada, await active(repository, BOB, 2, '$$ROOT'));
    });

    it('one with the longest name and a long password hash', async (repository) => {
      await repository.invite(ADA, inviting(invitation(1), at(0)));
      const longest = { signInName: '🙂'.repeat(100), passwordHash: `$scrypt$${'h'.repeat(247)}` };
      await repository.activate(hashOf(1), activation('', longest));
      await assertKnown(repository, { id: ADA, role: 'developer', addedAt: at(0), activeSince: at(10), ...longest });
    });

    it('undefined for ids that are nearly there', async (repository) => {
      await invited(repository, ADA, 1);
      for (const id of ['bob', 'ad', 'ada-b', 'ADA', ''])
        assert.equal(await repository.find(id as DeveloperId), undefined);
    });
  });

  describe(
    'Returns the developer with this sign-in name, in any case and normal form; ' + 'undefined when there is none',
    () => {
      it('in any case, composed and decomposed, as it was chosen', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Zoë.Ångström');
        for (const name of ['Zoë.Ångström', 'zoë.ångström', 'ZOË.ÅNGSTRÖM', 'zoe\u0308.a\u030angstro\u0308m'])
          assert.deepEqual(await repository.findBySignInName(name), ada);
      });

      it('nobody else: names that other rules would take for one', async (repository) => {
        const names = ['straße', 'strasse', 'file', 'ﬁle', 'a b', 'a  b', 'ab', 'ı', 'i', 'σ', 'ς'];
        const known = [];
        for (const [index, name] of names.entries())
          known.push(await active(repository, `developer-${index}` as DeveloperId, index, name));
        await assertKnown(repository, ...known);
      });

      it('undefined for text that is no name: U+0000, a lone surrogate, and very long', async (repository) => {
        await active(repository, ADA, 1, 'Ada');
        for (const name of ['Ada\0', '\0', 'A\0da', 'Ada\uD800', '\uDC00', 'Ada'.repeat(100_000)])
          assert.equal(await repository.findBySignInName(name), undefined);
      });

      it('undefined for others, and for the name that was given up', async (repository) => {
        await active(repository, ADA, 1, 'Ada');
        await active(repository, ADA, 2, 'Countess');
        for (const name of ['Ada', 'ada', 'count', 'Countess ', '', '%', 'Cöuntess'])
          assert.equal(await repository.findBySignInName(name), undefined);
      });
    },
  );

  describe(
    'Returns the developer whose invitation has this hash, expired ones included; ' +
      'undefined when there is none, as after it was used or replaced',
    () => {
      it('an expired one', async (repository) => {
        await repository.invite(ADA, inviting(invitation(1, new Date(1)), new Date(0)));
        assert.equal((await repository.findByInvitation(hashOf(1)))?.id, ADA);
      });

      it('undefined for one that is unknown, used or replaced', async (repository) => {
        await invited(repository, ADA, 1);
        await invited(repository, ADA, 2);
        await active(repository, BOB, 3, 'Bob');
        for (const n of [1, 3, 4]) assert.equal(await repository.findByInvitation(hashOf(n)), undefined);
      });
    },
  );
}

function invitePromises({ describe, it }: Developers): void {
  describe('Adds a developer with this invitation; for an existing developer it replaces an earlier one', () => {
    it('a new one', async (repository) => {
      await assertKnown(repository, await invited(repository, ADA, 1), await invited(repository, BOB, 2));
    });

    it('again', async (repository) => {
      const ada = await invited(repository, ADA, 1);
      await repository.invite(ADA, inviting(invitation(2, at(2000)), at(5)));
      await assertKnown(repository, { ...ada, invitation: invitation(2, at(2000)) });
    });

    it('20 times at once: one developer, one invitation that is good', async (repository) => {
      await Promise.all(numbers(20).map((n) => repository.invite(ADA, inviting(invitation(n), at(0)))));
      const good = await Promise.all(numbers(20).map((n) => repository.findByInvitation(hashOf(n))));
      assert.equal(good.filter((developer) => developer !== undefined).length, 1);
      assert.equal((await allDevelopers(repository)).length, 1);
    });
  });

  describe('Returns the developer as they were before; undefined for a new one', () => {
    it('new, invited, and suspended', async (repository) => {
      assert.equal(await repository.invite(ADA, inviting(invitation(1), at(0))), undefined);
      const ada = { id: ADA, role: 'developer', addedAt: at(0), invitation: invitation(1) } as const;
      assert.deepEqual(await repository.invite(ADA, inviting(invitation(2), at(1), 'buyer')), ada);
      await repository.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
      const suspended = { ...ada, role: 'buyer', invitation: invitation(2), suspendedAt: at(5) };
      assert.deepEqual(await repository.invite(ADA, inviting(invitation(3), at(9))), suspended);
    });
  });

  describe('With `isForEmergencies`, `at` is their `emergencySince`', () => {
    it('of a new one and of an active one, and a later invitation leaves it', async (repository) => {
      const marking = (n: number, time: number) => ({ ...inviting(invitation(n), at(time)), isForEmergencies: true });
      const ada = await active(repository, ADA, 1, 'Ada');
      await repository.invite(BOB, marking(2, 7));
      await repository.invite(ADA, marking(3, 8));
      await repository.invite(ADA, inviting(invitation(4), at(9)));
      assert.deepEqual((await repository.find(BOB))?.emergencySince, at(7));
      const marked = { ...ada, invitation: invitation(4), emergencySince: at(8) };
      assert.deepEqual(await repository.find(ADA), marked);
    });
  });

  describe(
    'Nothing else of a developer changes: when they were added, how they sign in, ' +
      'whether they are suspended, what they say of themselves',
    () => {
      it('of an active one', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await repository.invite(ADA, inviting(invitation(2), at(20)));
        await assertKnown(repository, { ...ada, invitation: invitation(2) });
      });

      it('of a suspended one', async (repository) => {
        const ada = await invited(repository, ADA, 1);
        await repository.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
        await repository.invite(ADA, inviting(invitation(2), at(20)));
        await assertKnown(repository, { ...ada, invitation: invitation(2), suspendedAt: at(5) });
      });
    },
  );
}

function suspensionPromises({ describe, it }: Developers): void {
  describe(
    'Stores the time of the suspension, ends every session of the developer, and returns the developer as they ' +
      'were before; undefined when there is no such developer',
    () => {
      it('of an invited and of an active one', async (repository) => {
        const [ada, bob] = [await invited(repository, ADA, 1), await active(repository, BOB, 2, 'Bob')];
        assert.deepEqual(await repository.suspend(ADA, { at: at(20), ...ANY_OPERATOR }), ada);
        assert.deepEqual(await repository.suspend(BOB, { at: at(21), ...ANY_OPERATOR }), bob);
        await assertKnown(repository, { ...ada, suspendedAt: at(20) }, { ...bob, suspendedAt: at(21) });
      });

      it('20 times at once: one call suspends', async (repository) => {
        await invited(repository, ADA, 1);
        const before = await Promise.all(
          numbers(20).map((n) => repository.suspend(ADA, { at: at(n), ...ANY_OPERATOR })),
        );
        assert.equal(before.filter((developer) => developer !== 'last-operator' && !developer?.suspendedAt).length, 1);
      });

      it('of an unknown one, who is not added', async (repository) => {
        assert.equal(await repository.suspend(ADA, { at: at(20), ...ANY_OPERATOR }), undefined);
        await assertKnown(repository);
      });
    },
  );

  describe('The first suspension counts until it is lifted: a later one changes nothing', () => {
    it('and then the next one', async (repository) => {
      const ada = await invited(repository, ADA, 1);
      for (const time of [20, 21])
        assert.notEqual(await repository.suspend(ADA, { at: at(time), ...ANY_OPERATOR }), undefined);
      await assertKnown(repository, { ...ada, suspendedAt: at(20) });
      await repository.restore({ id: ADA, entries: [] });
      await repository.suspend(ADA, { at: at(22), ...ANY_OPERATOR });
      await assertKnown(repository, { ...ada, suspendedAt: at(22) });
    });
  });

  describe(
    'Lifts a suspension and returns the developer as they were before; undefined when there is no such ' + 'developer',
    () => {
      it('all is as before', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await repository.suspend(ADA, { at: at(20), ...ANY_OPERATOR });
        assert.deepEqual(await repository.restore({ id: ADA, entries: [] }), { ...ada, suspendedAt: at(20) });
        await assertKnown(repository, ada);
        assert.deepEqual(await repository.restore({ id: ADA, entries: [] }), ada);
        assert.equal(await repository.restore({ id: BOB, entries: [] }), undefined);
      });
    },
  );
}

function handlePromises({ describe, it }: Developers): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what went in', async (repository) => {
      const [offered, accepted, times] = [invitation(1), activation('Ada'), [at(0), at(20)] as const];
      await repository.invite(ADA, inviting(offered, times[0]));
      await repository.activate(hashOf(1), accepted);
      await repository.suspend(ADA, { at: times[1], ...ANY_OPERATOR });
      const again = invitation(2);
      await repository.invite(ADA, inviting(again, at(30)));
      tamper([offered, accepted, times, again]);
      await assertKnown(repository, {
        id: ADA,
        role: 'developer',
        addedAt: at(0),
        invitation: invitation(2),
        signInName: 'Ada',
        passwordHash: '$hash of Ada$',
        activeSince: at(10),
        suspendedAt: at(20),
      });
    });

    it('what came out', async (repository) => {
      const ada = { ...(await active(repository, ADA, 1, 'Ada')), invitation: invitation(2) };
      await repository.invite(ADA, inviting(invitation(2), at(20)));
      tamper(await repository.find(ADA));
      tamper(await repository.findBySignInName('Ada'));
      tamper(await repository.findByInvitation(hashOf(2)));
      tamper(await allDevelopers(repository));
      tamper(await repository.setRole(ADA, { role: 'developer', ...ANY_OPERATOR }));
      await assertKnown(repository, ada);
    });
  });
}
