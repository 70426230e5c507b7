import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { DeveloperRepository } from '../../domain/ports.js';
import { allDevelopers, assertKnown, invitation, invited, inviting } from './developers.js';
import { assertConflict, assertOneWins } from './keys.js';
import { HONEST_NAMES, LOOK_ALIKES } from './look-alikes.js';
import { ADA, at, BOB, numbers } from './offers.js';
import type { Suite } from './runner.js';

type Developers = Suite<DeveloperRepository>;

/** Names, and others that have only the folded form or only the skeleton in common with them. */
const ALIKE = [
  ['ТОКЕН', ['токен', 'TOKEH']],
  ['Slack', ['SIack', 'S1ack']],
] as const;

export function publicNamePromises(suite: Developers): void {
  namesAlike(suite);
  idsAlike(suite);
}

export function shownAsPromises({ describe, it }: Developers): void {
  describe(
    'Returns the developer whose public name has the skeleton of this id (`developerIdKey`), which may be their own; ' +
      'undefined when there is none',
    () => {
      it('of an id that has no developer yet, or has one', async (repository) => {
        const bob = { ...(await invited(repository, BOB, 1)), publicName: 'W1ll' };
        await repository.setProfile(BOB, { profile: { publicName: 'W1ll' }, entries: [] });
        assert.deepEqual(await repository.findShownAs('will' as DeveloperId), bob);
        const will = await invited(repository, 'will' as DeveloperId, 2);
        assert.deepEqual(await repository.findShownAs(will.id), bob);
      });

      it('their own', async (repository) => {
        await invited(repository, BOB, 1);
        await repository.setProfile(BOB, { profile: { publicName: 'Bob' }, entries: [] });
        assert.equal((await repository.findShownAs(BOB))?.id, BOB);
      });

      it('undefined for an id that no public name looks like, or looks like no more', async (repository) => {
        await invited(repository, ADA, 1);
        assert.equal(await repository.findShownAs(ADA), undefined);
        for (const publicName of ['Will', 'Ida'])
          await repository.setProfile(ADA, { profile: { publicName }, entries: [] });
        assert.equal(await repository.findShownAs('will' as DeveloperId), undefined);
      });
    },
  );
}

function namesAlike({ describe, it }: Developers): void {
  describe(
    'Rejects with a `DomainError` of kind `conflict`, and changes nothing, when the public name of another developer ' +
      'has the same folded form or the same skeleton (`publicNameKeys`), also when raced',
    () => {
      it('by either of the two', async (repository) => {
        const [ada, bob] = [await invited(repository, ADA, 1), await invited(repository, BOB, 2)];
        await repository.setProfile(BOB, { profile: { publicName: 'Bob' }, entries: [] });
        for (const [name, others] of ALIKE) {
          await repository.setProfile(ADA, { profile: { publicName: name }, entries: [] });
          for (const publicName of others)
            await assertConflict(
              repository.setProfile(BOB, { profile: { publicName }, entries: [] }),
              'public-name-taken',
            );
          await assertKnown(repository, { ...ada, publicName: name }, { ...bob, publicName: 'Bob' });
        }
      });

      it(`${HONEST_NAMES.length} names of many scripts are as many developers`, async (repository) => {
        for (const [n, publicName] of HONEST_NAMES.entries()) {
          await repository.invite(`developer-${n}` as DeveloperId, inviting(invitation(n), at(0)));
          assert.equal(
            await repository.setProfile(`developer-${n}` as DeveloperId, { profile: { publicName }, entries: [] }),
            true,
          );
        }
      });

      it('not for one that was given up, and not for their own', async (repository) => {
        const [ada, bob] = [await invited(repository, ADA, 1), await invited(repository, BOB, 2)];
        for (const publicName of ['Zoe', 'ZOE', 'Z0e', 'Eve'])
          await repository.setProfile(ADA, { profile: { publicName }, entries: [] });
        await repository.setProfile(BOB, { profile: { publicName: 'Zoe' }, entries: [] });
        await repository.setProfile(BOB, { profile: {}, entries: [] });
        await repository.setProfile(ADA, { profile: { publicName: 'Zoe' }, entries: [] });
        await assertKnown(repository, { ...ada, publicName: 'Zoe' }, bob);
      });

      it('one name by 20 at once: one has it', async (repository) => {
        const ids = numbers(20).map((n) => `developer-${n}` as DeveloperId);
        await Promise.all(ids.map((id, n) => repository.invite(id, inviting(invitation(n), at(0)))));
        const looks = ['Zoe', 'ZOE', 'Z0e', 'Zоe'];
        await assertOneWins(
          ids.map((id, n) => repository.setProfile(id, { profile: { publicName: looks[n % 4] ?? '' }, entries: [] })),
        );
        assert.equal((await allDevelopers(repository)).filter(({ publicName }) => publicName !== undefined).length, 1);
      });

      it(`${LOOK_ALIKES.length} pairs that look alike, each raced: one of each pair`, async (repository) => {
        await Promise.all([ADA, BOB].map((id, n) => repository.invite(id, inviting(invitation(n), at(0)))));
        for (const [one, other] of LOOK_ALIKES) {
          await assertOneWins([
            repository.setProfile(ADA, { profile: { publicName: one }, entries: [] }),
            repository.setProfile(BOB, { profile: { publicName: other }, entries: [] }),
          ]);
          await Promise.all([ADA, BOB].map((id) => repository.setProfile(id, { profile: {}, entries: [] })));
        }
      });
    },
  );
}

function idsAlike({ describe, it }: Developers): void {
  const SENTENCE =
    'Rejects in the same way when the id of another developer has the skeleton of the public name (`developerIdKey`)';
  describe(SENTENCE, () => {
    it('and not for their own id', async (repository) => {
      const ids = ['ada', 'will-1', 'modern-co', 'zoe'] as DeveloperId[];
      for (const [n, id] of ids.entries()) await invited(repository, id, n);
      const bob = await invited(repository, BOB, 9);
      for (const publicName of ['ada', 'АDA', 'a\u200Bda', 'Will-1', 'vviIl\u2010l', 'rnodem-co', 'Z0e'])
        await assertConflict(repository.setProfile(BOB, { profile: { publicName }, entries: [] }), 'public-name-taken');
      assert.deepEqual(await repository.find(BOB), bob);
      for (const publicName of ['Bob', 'B0B'])
        assert.equal(await repository.setProfile(BOB, { profile: { publicName }, entries: [] }), true);
    });
  });

  describe('A public name that stays the same is not compared with ids', () => {
    it('its developer has it from before the other one was invited', async (repository) => {
      const bob = await invited(repository, BOB, 1);
      await repository.setProfile(BOB, { profile: { publicName: 'Eve' }, entries: [] });
      const eve = await invited(repository, 'eve' as DeveloperId, 2);
      const profile = { publicName: 'Eve', website: 'https://bob.example' };
      assert.equal(await repository.setProfile(BOB, { profile, entries: [] }), true);
      await assertConflict(
        repository.setProfile(BOB, { profile: { publicName: 'EVE' }, entries: [] }),
        'public-name-taken',
      );
      await assertKnown(repository, { ...bob, ...profile }, eve);
    });
  });
}
