import assert from './assert.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { addKeys, apiKey, assertConflict, assertKept, assertOneWins, hashOf, keyIdOf } from './keys.js';
import { at, numbers } from './offers.js';
import type { Suite } from './runner.js';

type ApiKeys = Suite<ApiKeyRepository>;

/** What becomes of a key after it was added. */
export function endPromises(suite: ApiKeys): void {
  suite.describe('replace', () => replacePromises(suite));
  suite.describe('revoke', () => revokePromises(suite));
  suite.describe('rename', () => renamePromises(suite));
  suite.describe('noteUse', () => noteUsePromises(suite));
}

function replacePromises({ describe, it }: ApiKeys): void {
  describe(
    'Stores the successor and lets the key with this id expire at `until`, unless it expires sooner: ' +
      'both or neither',
    () => {
      it('a key that never expires', async (repository) => {
        await addKeys(repository, apiKey(1), apiKey(3));
        assert.equal(await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), entries: [] }), true);
        await assertKept(repository, apiKey(1, { expiresAt: at(10) }), apiKey(3), apiKey(2));
      });

      for (const [expiry, until, expected] of [
        [20, 10, 10],
        [10, 10, 10],
        [9, 10, 9],
        [-5, 10, -5],
      ] as const)
        it(`one that expires at ${expiry}, until ${until}: at ${expected}`, async (repository) => {
          await addKeys(repository, apiKey(1, { expiresAt: at(expiry) }));
          assert.equal(
            await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(until), entries: [] }),
            true,
          );
          await assertKept(repository, apiKey(1, { expiresAt: at(expected) }), apiKey(2));
        });

      it('again, and it does not live longer', async (repository) => {
        await addKeys(repository, apiKey(1));
        await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), entries: [] });
        assert.equal(await repository.replace(keyIdOf(1), { successor: apiKey(3), until: at(20), entries: [] }), true);
        await assertKept(repository, apiKey(1, { expiresAt: at(10) }), apiKey(2), apiKey(3));
      });

      it('a successor that is used and expires, field for field', async (repository) => {
        const successor = apiKey(2, {
          name: 'Zoë 🙂',
          scopes: ['automations:read'],
          createdAt: at(3),
          expiresAt: at(99),
        });
        await addKeys(repository, apiKey(1));
        await repository.replace(keyIdOf(1), { successor, until: at(10), entries: [] });
        await assertKept(repository, apiKey(1, { expiresAt: at(10) }), successor);
      });
    },
  );

  describe('Returns false, and stores nothing, when there is no such key or it is revoked', () => {
    it('no such key', async (repository) => {
      await addKeys(repository, apiKey(1));
      assert.equal(await repository.replace(keyIdOf(9), { successor: apiKey(2), until: at(10), entries: [] }), false);
      await assertKept(repository, apiKey(1));
      assert.equal(await repository.findByHash(hashOf(2)), undefined);
    });

    it('revoked', async (repository) => {
      await addKeys(repository, apiKey(1));
      await repository.revoke(keyIdOf(1), { at: at(5), entries: [] });
      assert.equal(await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), entries: [] }), false);
      await assertKept(repository, apiKey(1, { revokedAt: at(5) }));
    });
  });

  describe('Rejects as `add` does; the key with this id counts unless it has ended by then', () => {
    it('both count while both work', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(3));
      await assertConflict(
        repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), max: 2, entries: [] }),
        'too-many-keys',
      );
      await assertKept(repository, apiKey(1), apiKey(3));
      assert.equal(
        await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), max: 3, entries: [] }),
        true,
      );
    });

    it('one that ends at once makes room', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(3));
      assert.equal(
        await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(0), max: 2, entries: [] }),
        true,
      );
      await assertKept(repository, apiKey(1, { expiresAt: at(0) }), apiKey(3), apiKey(2));
    });

    it('one that has ended does not count', async (repository) => {
      await addKeys(repository, apiKey(1, { expiresAt: at(-5) }), apiKey(3));
      assert.equal(
        await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), max: 2, entries: [] }),
        true,
      );
    });

    for (const [what, taken] of Object.entries({
      id: { id: keyIdOf(3) },
      hash: { hash: hashOf(3) },
      'own id': { id: keyIdOf(1) },
    }))
      it(`${what} taken; the key lives on as it was`, async (repository) => {
        await addKeys(repository, apiKey(1), apiKey(3));
        await assertConflict(
          repository.replace(keyIdOf(1), { successor: apiKey(2, taken), until: at(10), entries: [] }),
          'duplicate-key',
        );
        await assertKept(repository, apiKey(1), apiKey(3));
      });

    it('one successor 30 times at once: it is stored once', async (repository) => {
      await addKeys(repository, apiKey(1));
      await assertOneWins(
        numbers(30).map(() => repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(10), entries: [] })),
      );
      await assertKept(repository, apiKey(1, { expiresAt: at(10) }), apiKey(2));
    });
  });
}

function revokePromises({ describe, it }: ApiKeys): void {
  describe('Stores the time of the revocation and returns true; returns false when there is no such key', () => {
    it('one of three, and the others live on', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2), apiKey(3));
      assert.equal(await repository.revoke(keyIdOf(2), { at: at(5), entries: [] }), true);
      await assertKept(repository, apiKey(1), apiKey(2, { revokedAt: at(5) }), apiKey(3));
    });

    it('one that has expired and was used', async (repository) => {
      const key = apiKey(1, { expiresAt: at(-5), lastUsedAt: at(-9) });
      await addKeys(repository, key);
      assert.equal(await repository.revoke(keyIdOf(1), { at: at(5), entries: [] }), true);
      await assertKept(repository, { ...key, revokedAt: at(5) });
    });

    it('no such key', async (repository) => {
      await addKeys(repository, apiKey(1));
      assert.equal(await repository.revoke(keyIdOf(2), { at: at(5), entries: [] }), false);
      await assertKept(repository, apiKey(1));
    });
  });

  describe('The first revocation counts: a later one changes nothing', () => {
    for (const second of [6, 4])
      it(`at 5, then at ${second}`, async (repository) => {
        await addKeys(repository, apiKey(1));
        await repository.revoke(keyIdOf(1), { at: at(5), entries: [] });
        assert.equal(await repository.revoke(keyIdOf(1), { at: at(second), entries: [] }), true);
        await assertKept(repository, apiKey(1, { revokedAt: at(5) }));
      });

    it('20 at once: all answer true, and one time is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      const answers = await Promise.all(
        numbers(20).map((n) => repository.revoke(keyIdOf(1), { at: at(n), entries: [] })),
      );
      assert.deepEqual(
        answers,
        numbers(20).map(() => true),
      );
      const revokedAt = (await repository.find(keyIdOf(1)))?.revokedAt ?? assert.fail('not revoked');
      await assertKept(repository, apiKey(1, { revokedAt }));
    });
  });
}

function renamePromises({ describe, it }: ApiKeys): void {
  describe('Stores the name and returns true; returns false when there is no such key', () => {
    it('of one key, also of a revoked one, and in its place', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2), apiKey(3));
      await repository.revoke(keyIdOf(2), { at: at(9), entries: [] });
      assert.equal(await repository.rename(keyIdOf(1), { name: '$prefix 🙂', entries: [] }), true);
      assert.equal(await repository.rename(keyIdOf(2), { name: 'é'.repeat(100), entries: [] }), true);
      const [first, second] = [{ name: '$prefix 🙂' }, { name: 'é'.repeat(100), revokedAt: at(9) }];
      await assertKept(repository, apiKey(1, first), apiKey(2, second), apiKey(3));
    });

    it('of an unknown one, which is not added', async (repository) => {
      await addKeys(repository, apiKey(1));
      assert.equal(await repository.rename(keyIdOf(2), { name: 'Two', entries: [] }), false);
      await assertKept(repository, apiKey(1));
    });
  });
}

function noteUsePromises({ describe, it }: ApiKeys): void {
  describe('Stores the time of a use; an earlier time than the stored one and an unknown id change nothing', () => {
    it('once, and no other key', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2));
      await repository.noteUse(keyIdOf(1), at(5));
      await assertKept(repository, apiKey(1, { lastUsedAt: at(5) }), apiKey(2));
    });

    for (const [second, kept] of [
      [6, 6],
      [5, 5],
      [4, 5],
    ] as const)
      it(`at 5, then at ${second}: ${kept} is kept`, async (repository) => {
        await addKeys(repository, apiKey(1));
        await repository.noteUse(keyIdOf(1), at(5));
        await repository.noteUse(keyIdOf(1), at(second));
        await assertKept(repository, apiKey(1, { lastUsedAt: at(kept) }));
      });

    it('20 at once: the latest is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      await Promise.all(numbers(20).map((n) => repository.noteUse(keyIdOf(1), at((n * 7) % 20))));
      await assertKept(repository, apiKey(1, { lastUsedAt: at(19) }));
    });

    it('the other times stay as they were', async (repository) => {
      const key = apiKey(1, { expiresAt: at(50), revokedAt: at(3) });
      await addKeys(repository, key);
      await repository.noteUse(keyIdOf(1), at(5));
      await assertKept(repository, { ...key, lastUsedAt: at(5) });
    });

    it('an unknown id', async (repository) => {
      await addKeys(repository, apiKey(1));
      await repository.noteUse(keyIdOf(2), at(5));
      await assertKept(repository, apiKey(1));
    });
  });
}
