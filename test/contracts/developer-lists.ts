import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Developer } from '../../domain/developer.js';
import type { DeveloperQuery, DeveloperRepository } from '../../domain/ports.js';
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
import { hashOf } from './keys.js';
import { ADA, at, BOB, numbers } from './offers.js';
import type { Suite } from './runner.js';

type Developers = Suite<DeveloperRepository>;

const idOf = (n: number): DeveloperId => `developer-${n}` as DeveloperId;

/** Parts of the developers, and how many of them are operators. */
export function developerListPromises(suite: Developers): void {
  suite.describe('list', () => {
    orderPromises(suite);
    partPromises(suite);
    namePromises(suite);
  });
  suite.describe('count', () => countPromises(suite));
  suite.describe('countOperators', () => operatorPromises(suite));
}

async function listedIds(repository: DeveloperRepository, query: DeveloperQuery): Promise<readonly DeveloperId[]> {
  return (await repository.list(query)).map(({ id }) => id);
}

function orderPromises({ describe, it }: Developers): void {
  describe(
    'Returns developers, the one who was added last first; at most `limit` of them, ' + 'and fewer only at the end',
    () => {
      it('none', (repository) => assertKnown(repository));

      it('1,000 of 1,001', async (repository) => {
        for (const n of numbers(1_001)) await repository.invite(idOf(n), inviting(invitation(n), at(0)));
        const expected = numbers(1_001).map(idOf).reverse().slice(0, 1_000);
        assert.deepEqual(await listedIds(repository, { limit: 1_000 }), expected);
      });

      it('whatever their names, and whatever became of them', async (repository) => {
        const ids = numbers(10).map((n) => idOf((n * 7) % 11));
        for (const [index, id] of ids.entries()) await invited(repository, id, index);
        await active(repository, ids[3] ?? assert.fail(), 100, 'Ada');
        await repository.suspend(ids[5] ?? assert.fail(), { at: at(20), ...ANY_OPERATOR });
        await repository.invite(ids[0] ?? assert.fail(), inviting(invitation(101), at(30)));
        assert.deepEqual(
          (await allDevelopers(repository)).map(({ id }) => id),
          ids,
        );
      });
    },
  );
}

function partPromises({ describe, it }: Developers): void {
  describe('With `before`, those who were added before this developer; none when that one is unknown', () => {
    it('part by part, to the end', async (repository) => {
      for (const n of numbers(5)) await invited(repository, idOf(n), n);
      const [first, second] = [
        await listedIds(repository, { limit: 3 }),
        await listedIds(repository, { limit: 3, before: idOf(3) }),
      ];
      assert.deepEqual([first, second], [[5, 4, 3].map(idOf), [2, 1].map(idOf)]);
      assert.deepEqual(await listedIds(repository, { limit: 3, before: idOf(1) }), []);
    });

    it('none', async (repository) => {
      await invited(repository, ADA, 1);
      assert.deepEqual(await listedIds(repository, { limit: 3, before: BOB }), []);
    });
  });
}

function namePromises({ describe, it }: Developers): void {
  describe(
    'With `text`, only those whose id contains it, in any case of ASCII letters, whose sign-in name does, ' +
      'compared by `signInKey`, whose public name does, compared by `publicNamePart`, or who have an identity with ' +
      'this subject, at any issuer',
    () => {
      const found = async (repository: DeveloperRepository, text: string) => listedIds(repository, { limit: 10, text });
      const jane = 'jane-doe' as DeveloperId;
      const people = async (repository: DeveloperRepository): Promise<void> => {
        await active(repository, ADA, 1, 'Zoë');
        await invited(repository, jane, 2);
        await active(repository, BOB, 3, '50% $name');
        await repository.setProfile(BOB, { profile: { publicName: 'Søren & Sons' }, entries: [] });
      };

      it('a part of the id', async (repository) => {
        await people(repository);
        for (const text of ['ada', 'AD', 'd']) assert.ok((await found(repository, text)).includes(ADA), text);
        for (const text of ['jane', 'JANE-', '-d']) assert.deepEqual(await found(repository, text), [jane], text);
      });

      it('a part of the id, with other letters as they are, whatever the language of the store', async (repository) => {
        const id = 'eva-isik' as DeveloperId;
        await invited(repository, id, 1);
        for (const text of ['E', 'isik', 'ISIK', 'Eva']) assert.deepEqual(await found(repository, text), [id], text);
        for (const text of ['éva', 'ısık', 'İSİK']) assert.deepEqual(await found(repository, text), [], text);
      });

      it('a part of the sign-in name', async (repository) => {
        await people(repository);
        for (const text of ['ZOË', 'oe\u0308']) assert.deepEqual(await found(repository, text), [ADA], text);
        for (const text of ['0% $', '$NAME']) assert.deepEqual(await found(repository, text), [BOB], text);
      });

      it('a part of the public name', async (repository) => {
        await people(repository);
        for (const text of ['SØREN', 'son', 'ren &  SO', '\uFF33\u200Bons'])
          assert.deepEqual(await found(repository, text), [BOB], text);
      });

      it('a subject as it is, at any issuer', async (repository) => {
        await people(repository);
        for (const [issuer, id] of [
          ['host', ADA],
          ['https://id.example', BOB],
        ] as const)
          await repository.identify({ issuer, subject: 'Auth0|7' }, { id, at: at(4), entries: [] });
        assert.deepEqual(await found(repository, 'Auth0|7'), [BOB, ADA]);
        assert.equal(await repository.count('Auth0|7'), 2);
        for (const text of ['auth0|7', 'Auth0', 'Auth0|7 ']) assert.deepEqual(await found(repository, text), [], text);
      });

      it('the latest first, part by part', async (repository) => {
        for (const n of numbers(30)) await invited(repository, idOf(n), n);
        const query = { text: 'r-2', limit: 3 };
        assert.deepEqual(await listedIds(repository, query), [29, 28, 27].map(idOf));
        assert.deepEqual(await listedIds(repository, { ...query, before: idOf(22) }), [21, 20, 2].map(idOf));
      });

      it('none', async (repository) => {
        await people(repository);
        for (const text of ['eve', '%', '_', '.*', '\u200B', 'S0ren', 'son'.repeat(21), 'ada\0', '\0', '\uD800'])
          assert.deepEqual(await found(repository, text), text === '%' ? [BOB] : [], text);
      });
    },
  );
}

function countPromises({ describe, it }: Developers): void {
  describe('Returns how many developers there are; with `text`, how many whose names contain it, as in `list`', () => {
    it('none, and 30', async (repository) => {
      assert.deepEqual([await repository.count(), await repository.count('r-2')], [0, 0]);
      for (const n of numbers(30)) await invited(repository, idOf(n), n);
      assert.deepEqual([await repository.count(), await repository.count('R-2')], [30, 11]);
      assert.equal(await repository.count('x'), 0);
    });

    it('once each, whichever of the names contains it', async (repository) => {
      await active(repository, ADA, 1, 'ADA');
      await repository.setProfile(ADA, { profile: { publicName: 'Ada!' }, entries: [] });
      await invited(repository, BOB, 2);
      assert.equal(await repository.count('ada'), 1);
    });
  });
}

function operatorPromises({ describe, it }: Developers): void {
  describe('Returns how many developers are operators who have signed in once and are not suspended', () => {
    it('of six', async (repository) => {
      const become = async (n: number, change: Partial<Pick<Developer, 'role'>> = { role: 'operator' }) => {
        await repository.invite(idOf(n), inviting(invitation(n), at(0), change.role));
        await repository.activate(hashOf(n), activation(`Name ${n}`));
      };
      assert.equal(await repository.countOperators(), 0);
      await repository.invite(idOf(1), inviting(invitation(1), at(0), 'operator'));
      await become(2, { role: 'developer' });
      assert.equal(await repository.countOperators(), 0);
      for (const n of [3, 4, 5, 6]) await become(n);
      await repository.suspend(idOf(4), { at: at(9), ...ANY_OPERATOR });
      await repository.setRole(idOf(5), { role: 'buyer', ...ANY_OPERATOR });
      assert.equal(await repository.countOperators(), 2);
      await repository.restore({ id: idOf(4), entries: [] });
      assert.equal(await repository.countOperators(), 3);
    });
  });
}
