import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperRepository } from '../../domain/ports.js';
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
import { assertConflict, assertOneWins, hashOf } from './keys.js';
import { ADA, at, BOB, numbers } from './offers.js';
import type { Suite } from './runner.js';

type Developers = Suite<DeveloperRepository>;

export function activatePromises(suite: Developers): void {
  takeEffect(suite);
  answerFalse(suite);
  collide(suite);
}

function takeEffect({ describe, it }: Developers): void {
  describe(
    'Uses up the invitation with this hash and gives its developer the sign-in name and the password hash, ' +
      'ends all their sessions and starts this one, all or nothing; `activeSince` is the first time',
    () => {
      it('one developer, and no other', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await assertKnown(repository, ada, await invited(repository, BOB, 2));
      });

      it('again: another name and password, and the same `activeSince`', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await repository.invite(ADA, inviting(invitation(2), at(20)));
        assert.equal(await repository.activate(hashOf(2), activation('Countess', { at: at(30) })), true);
        await assertKnown(repository, { ...ada, signInName: 'Countess', passwordHash: '$hash of Countess$' });
      });

      it('again with the same name, in another case', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await repository.invite(ADA, inviting(invitation(2), at(20)));
        assert.equal(await repository.activate(hashOf(2), activation('ADA')), true);
        await assertKnown(repository, { ...ada, signInName: 'ADA', passwordHash: '$hash of ADA$' });
      });

      it('a name that was given up is free', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await active(repository, ADA, 2, 'Countess');
        const bob = await active(repository, BOB, 3, 'ada');
        await assertKnown(repository, { ...ada, signInName: 'Countess', passwordHash: '$hash of Countess$' }, bob);
      });
    },
  );
}

function answerFalse({ describe, it }: Developers): void {
  describe(
    'Returns false, and changes nothing, when there is no such invitation, ' +
      'when its `until` is not after `at`, or when the developer is suspended',
    () => {
      it('unknown, replaced, or used before', async (repository) => {
        const ada = await active(repository, ADA, 1, 'Ada');
        await invited(repository, BOB, 2);
        const bob = await invited(repository, BOB, 3);
        for (const n of [1, 2, 4]) assert.equal(await repository.activate(hashOf(n), activation('Eve')), false);
        await assertKnown(repository, ada, bob);
      });

      it('expired at the very time, and good a millisecond before', async (repository) => {
        const ada = await invited(repository, ADA, 1);
        for (const time of [1000, 1001])
          assert.equal(await repository.activate(hashOf(1), activation('Ada', { at: at(time) })), false);
        await assertKnown(repository, ada);
        assert.equal(await repository.activate(hashOf(1), activation('Ada', { at: at(999) })), true);
      });

      it('suspended; restored, it is good again', async (repository) => {
        const ada = await invited(repository, ADA, 1);
        await repository.suspend(ADA, { at: at(5), ...ANY_OPERATOR });
        assert.equal(await repository.activate(hashOf(1), activation('Ada')), false);
        await assertKnown(repository, { ...ada, suspendedAt: at(5) });
        await repository.restore({ id: ADA, entries: [] });
        assert.equal(await repository.activate(hashOf(1), activation('Ada')), true);
      });
    },
  );

  describe('When raced, one call returns true', () => {
    it('of 50, and its name and password are the ones', async (repository) => {
      await invited(repository, ADA, 1);
      const answers = await Promise.all(numbers(50).map((n) => repository.activate(hashOf(1), activation(`Ada ${n}`))));
      assert.equal(answers.filter((answer) => answer).length, 1);
      const { signInName, passwordHash } = (await repository.find(ADA)) ?? assert.fail();
      assert.equal(signInName, `Ada ${answers.indexOf(true) + 1}`);
      assert.equal(passwordHash, `$hash of ${signInName}$`);
    });
  });
}

function collide({ describe, it }: Developers): void {
  describe(
    'Rejects with a `DomainError` of kind `conflict`, and leaves the invitation good, ' +
      'when another developer has the sign-in name, also when raced',
    () => {
      for (const name of ['Zoë', 'ZOË', 'zoe\u0308'])
        it(`${JSON.stringify(name)} beside Zoë`, async (repository) => {
          const [ada, bob] = [await active(repository, ADA, 1, 'Zoë'), await invited(repository, BOB, 2)];
          await assertConflict(repository.activate(hashOf(2), activation(name)), 'sign-in-name-taken');
          await assertKnown(repository, ada, bob);
          assert.equal(await repository.activate(hashOf(2), activation('Bob')), true);
        });

      it('also when the other is suspended', async (repository) => {
        await active(repository, ADA, 1, 'Ada');
        await repository.suspend(ADA, { at: at(20), ...ANY_OPERATOR });
        await invited(repository, BOB, 2);
        await assertConflict(repository.activate(hashOf(2), activation('Ada')));
      });

      it('30 developers at once: one has it, the others can choose another', async (repository) => {
        const ids = numbers(30).map((n) => `developer-${n}` as DeveloperId);
        for (const [index, id] of ids.entries()) await invited(repository, id, index);
        await assertOneWins(ids.map((_, index) => repository.activate(hashOf(index), activation('Ada'))));
        const named = (await allDevelopers(repository)).filter(({ signInName }) => signInName !== undefined);
        assert.deepEqual(await repository.findBySignInName('ada'), named[0]);
        const open = (await allDevelopers(repository)).filter((developer) => developer.invitation !== undefined);
        assert.deepEqual([named.length, open.length], [1, 29]);
      });
    },
  );
}
