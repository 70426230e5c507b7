import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperRepository } from '../../domain/ports.js';
import {
  active,
  allDevelopers,
  ANY_OPERATOR,
  assertKnown,
  invitation,
  invited,
  inviting,
  ONE_OPERATOR,
  operator,
  registered,
} from './developers.js';
import { assertConflict } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import type { Suite } from './runner.js';

type Developers = Suite<DeveloperRepository>;

const EVE = 'eve' as DeveloperId;

export function registerPromises({ describe, it }: Developers): void {
  describe(
    'Adds a developer without a sign-in and with the role `developer`, unless there is one with this id, and returns ' +
      'whether it did',
    () => {
      it('new ones, in their order among the others', async (repository) => {
        const ada = await registered(repository, ADA);
        const bob = await invited(repository, BOB, 1);
        await assertKnown(repository, ada, bob, await registered(repository, LONGEST_DEVELOPER));
      });

      it('again, and one who is there already, who stays as they are', async (repository) => {
        const [ada, bob] = [await registered(repository, ADA), await operator(repository, BOB, 1)];
        for (const id of [ADA, BOB]) assert.equal(await repository.register(id, { at: at(9), entries: [] }), false);
        await assertKnown(repository, ada, bob);
      });

      it('one who is invited later keeps their place and when they were added', async (repository) => {
        const ada = await registered(repository, ADA);
        const bob = await registered(repository, BOB);
        await repository.invite(ADA, inviting(invitation(1), at(20), 'buyer'));
        await assertKnown(repository, { ...ada, role: 'buyer', invitation: invitation(1) }, bob);
      });

      it('one who is suspended, restored, and gets a role and a profile', async (repository) => {
        const ada = await registered(repository, ADA);
        await repository.suspend(ADA, { at: at(1), ...ANY_OPERATOR });
        await assertKnown(repository, { ...ada, suspendedAt: at(1) });
        await repository.restore({ id: ADA, entries: [] });
        await repository.setRole(ADA, { role: 'buyer', ...ONE_OPERATOR });
        await repository.setProfile(ADA, { profile: { publicName: 'Countess' }, entries: [] });
        await assertKnown(repository, { ...ada, role: 'buyer', publicName: 'Countess' });
      });

      it('their id counts as a name: no other developer is shown by it', async (repository) => {
        await registered(repository, 'will' as DeveloperId);
        await invited(repository, BOB, 1);
        for (const publicName of ['Will', 'W1ll'])
          await assertConflict(
            repository.setProfile(BOB, { profile: { publicName }, entries: [] }),
            'public-name-taken',
          );
      });
    },
  );

  describe('When raced, one call returns true', () => {
    it('20 at once, of one; an invitation at the same time', async (repository) => {
      const calls = numbers(20).map(() => repository.register(ADA, { at: at(0), entries: [] }));
      assert.equal((await Promise.all(calls)).filter((isAdded) => isAdded).length, 1);
      await Promise.all([
        repository.register(BOB, { at: at(0), entries: [] }),
        repository.invite(BOB, inviting(invitation(1), at(0), 'buyer')),
      ]);
      const ids = (await allDevelopers(repository)).map(({ id, role }) => [id, role]);
      assert.deepEqual(ids, [
        [ADA, 'developer'],
        [BOB, 'buyer'],
      ]);
    });
  });
}

/** The ways in which an operator goes, with the sentence that each port method has for the last one. */
const WAYS = [
  {
    way: 'becomes a buyer',
    sentence:
      'With `keepOneOperator`, returns `last-operator`, and changes nothing, when the only operator whom ' +
      '`countOperators` counts would become none, also when raced with another such call or a suspension',
    go: (repository: DeveloperRepository, id: DeveloperId) =>
      repository.setRole(id, { role: 'buyer', ...ONE_OPERATOR }),
  },
  {
    way: 'is suspended',
    sentence:
      'With `keepOneOperator`, returns `last-operator`, and changes nothing, for the only operator whom ' +
      '`countOperators` counts, also when raced',
    go: (repository: DeveloperRepository, id: DeveloperId) => repository.suspend(id, { at: at(30), ...ONE_OPERATOR }),
  },
  {
    way: 'is invited as a buyer',
    sentence: 'With `keepOneOperator`, returns `last-operator`, and changes nothing, as `setRole` does',
    go: (repository: DeveloperRepository, id: DeveloperId) => {
      const invitationOf = { hash: `invitation of ${id}`, until: at(1000) };
      return repository.invite(id, { ...inviting(invitationOf, at(30), 'buyer'), ...ONE_OPERATOR });
    },
  },
];

export function lastOperatorPromises({ describe, it }: Developers): void {
  for (const { way, sentence, go } of WAYS)
    describe(sentence, () => {
      it(`the only one ${way}, while others are operators who are invited or suspended`, async (repository) => {
        const ada = await operator(repository, ADA, 1);
        await repository.invite(BOB, inviting(invitation(2), at(0), 'operator'));
        await repository.suspend((await operator(repository, EVE, 3)).id, { at: at(9), ...ONE_OPERATOR });
        assert.equal(await go(repository, ADA), 'last-operator');
        assert.deepEqual(await repository.find(ADA), ada);
        assert.equal(await repository.countOperators(), 1);
      });

      it(`one of two ${way}, and then not the other one`, async (repository) => {
        const [ada, bob] = [await operator(repository, ADA, 1), await operator(repository, BOB, 2)];
        assert.deepEqual(await go(repository, ADA), ada);
        assert.equal(await go(repository, BOB), 'last-operator');
        assert.deepEqual(await repository.find(BOB), bob);
      });

      it(`each of five ${way}, or goes in another way, at once: one is left`, async (repository) => {
        const ids = numbers(5).map((n) => `operator-${n}` as DeveloperId);
        for (const [n, id] of ids.entries()) await operator(repository, id, n);
        const going = ids.map((id, n) => (n < 3 ? go : (WAYS[n - 3]?.go ?? go))(repository, id));
        const outcomes = await Promise.all(going);
        assert.equal(outcomes.filter((outcome) => outcome === 'last-operator').length, 1);
        assert.equal(await repository.countOperators(), 1);
      });
    });

  describe('Whether the last active operator is kept', () => {
    it('not for a developer who is no operator, or stays one, or is suspended already', async (repository) => {
      await operator(repository, ADA, 1);
      const bob = await active(repository, BOB, 2, 'Bob');
      assert.deepEqual(await repository.setRole(BOB, { role: 'buyer', ...ONE_OPERATOR }), bob);
      assert.deepEqual(await repository.suspend(BOB, { at: at(9), ...ONE_OPERATOR }), { ...bob, role: 'buyer' });
      assert.notEqual(await repository.setRole(ADA, { role: 'operator', ...ONE_OPERATOR }), 'last-operator');
      assert.equal(await repository.countOperators(), 1);
      await repository.suspend(ADA, { at: at(9), ...ANY_OPERATOR });
      assert.notEqual(await repository.suspend(ADA, { at: at(10), ...ONE_OPERATOR }), 'last-operator');
    });

    it('without the rule the last one may go', async (repository) => {
      const ada = await operator(repository, ADA, 1);
      assert.deepEqual(await repository.setRole(ADA, { role: 'buyer', ...ANY_OPERATOR }), ada);
      assert.equal(await repository.countOperators(), 0);
    });
  });
}
