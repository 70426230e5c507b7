import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import type { ApiKeyRepository, CursorQuery } from '../../domain/ports.js';
import { addKeys, allKeys, apiKey, hashOf, keyIdOf } from './keys.js';
import { ADA, at, BOB, numbers } from './offers.js';
import type { Suite } from './runner.js';

type ApiKeys = Suite<ApiKeyRepository>;

/** Parts of the keys, and what is counted and removed of them. */
export function keyListPromises(suite: ApiKeys): void {
  suite.describe('list', () => listPromises(suite));
  suite.describe('listActive, countActive', () => activePromises(suite));
  suite.describe('listEnded, countEnded', () => endedPromises(suite));
  suite.describe('removeEnded', () => removePromises(suite));
}

const idsOf = (keys: readonly ApiKey[]): readonly ApiKeyId[] => keys.map(({ id }) => id);

/** Asserts that a list comes in these parts, and that it is over then. */
async function assertParts(
  list: (query: CursorQuery<ApiKeyId>) => Promise<readonly ApiKey[]>,
  limit: number,
  ...expected: readonly (readonly number[])[]
): Promise<void> {
  let before: ApiKeyId | undefined;
  for (const part of [...expected, []]) {
    assert.deepEqual(idsOf(await list({ limit, before })), part.map(keyIdOf));
    before = keyIdOf(part.at(-1) ?? 0);
  }
}

function listPromises({ describe, it }: ApiKeys): void {
  describe(
    'Returns keys of one developer, or of all, the latest added first; at most `limit` of them, ' +
      'and fewer only at the end',
    () => {
      it('none', async (repository) => {
        assert.deepEqual(await repository.list({ limit: 1_000 }), []);
        assert.deepEqual(await repository.list({ limit: 1_000, developerId: ADA }), []);
      });

      it('of two developers in turn, whatever their `createdAt`', async (repository) => {
        const keys = numbers(30).map((n) => apiKey(n, { developerId: n % 3 === 0 ? ADA : BOB, createdAt: at(-n) }));
        await addKeys(repository, ...keys);
      });

      it('none of a developer without keys', async (repository) => {
        await addKeys(repository, apiKey(1));
        for (const id of ['bob', 'ad', 'ada-b', 'ADA'])
          assert.deepEqual(await allKeys(repository, id as DeveloperId), []);
      });

      it('as many as are asked for', async (repository) => {
        await addKeys(repository, apiKey(1), apiKey(2), apiKey(3));
        for (const developerId of [ADA, undefined])
          assert.deepEqual(idsOf(await repository.list({ limit: 2, developerId })), [3, 2].map(keyIdOf));
      });

      it('a key that was used, replaced or revoked keeps its place', async (repository) => {
        await addKeys(repository, apiKey(1), apiKey(2), apiKey(3), apiKey(4));
        await repository.noteUse(keyIdOf(1), at(5));
        await repository.replace(keyIdOf(2), { successor: apiKey(5), until: at(6), entries: [] });
        await repository.revoke(keyIdOf(3), { at: at(7), entries: [] });
        assert.deepEqual(idsOf(await repository.list({ limit: 10 })), [5, 4, 3, 2, 1].map(keyIdOf));
      });
    },
  );

  describe('With `before`, those that were added before this key; none when it is unknown', () => {
    it('of one developer, and of all', async (repository) => {
      await addKeys(repository, ...numbers(10).map((n) => apiKey(n, { developerId: n % 2 === 0 ? ADA : BOB })));
      const ofAda = (query: CursorQuery<ApiKeyId>) => repository.list({ ...query, developerId: ADA });
      await assertParts(ofAda, 2, [10, 8], [6, 4], [2]);
      await assertParts((query) => repository.list(query), 4, [10, 9, 8, 7], [6, 5, 4, 3], [2, 1]);
    });

    it('none', async (repository) => {
      await addKeys(repository, apiKey(1));
      assert.deepEqual(await repository.list({ limit: 10, before: keyIdOf(2) }), []);
      assert.deepEqual(await repository.list({ limit: 10, before: keyIdOf(2), developerId: ADA }), []);
    });
  });
}

/** Keys of which some have ended at 10: in the order of their ends 6, 4, 3, 2, 1. */
async function addEnding(repository: ApiKeyRepository): Promise<void> {
  await repository.add({ key: apiKey(1, { expiresAt: at(-5) }), entries: [] });
  await repository.add({ key: apiKey(2, { expiresAt: at(9) }), entries: [] });
  await repository.add({ key: apiKey(3, { expiresAt: at(3) }), entries: [] });
  await repository.add({ key: apiKey(4), entries: [] });
  await repository.add({ key: apiKey(5, { expiresAt: at(11) }), entries: [] });
  await repository.add({ key: apiKey(6), entries: [] });
  await repository.add({ key: apiKey(7), entries: [] });
  await repository.revoke(keyIdOf(1), { at: at(8), entries: [] });
  await repository.revoke(keyIdOf(4), { at: at(9), entries: [] });
  await repository.replace(keyIdOf(6), { successor: apiKey(8, { developerId: BOB }), until: at(10), entries: [] });
}

function activePromises({ describe, it }: ApiKeys): void {
  const assertActive = async (repository: ApiKeyRepository, time: Date, ...expected: readonly number[]) => {
    const found = await repository.listActive(ADA, time);
    assert.deepEqual(new Set(idsOf(found)), new Set(expected.map(keyIdOf)));
    for (const key of found) assert.deepEqual(key, await repository.find(key.id));
    assert.equal(await repository.countActive(ADA, time), expected.length);
  };

  describe('Returns the keys of a developer that have not ended at this time, in any order', () => {
    it('expired, revoked and replaced ones are not among them', async (repository) => {
      await addEnding(repository);
      await assertActive(repository, at(10), 5, 7);
      await assertActive(repository, at(11), 7);
      assert.deepEqual(idsOf(await repository.listActive(BOB, at(10))), [keyIdOf(8)]);
    });

    it('of many that have ended, two', async (repository) => {
      for (const n of numbers(300))
        await repository.add({ key: apiKey(n, n % 150 === 0 ? {} : { expiresAt: at(n % 7) }), entries: [] });
      await assertActive(repository, at(9), 150, 300);
    });
  });

  describe(
    'A key ends when it is revoked or when it expires, whichever is first; at that very time it has ' + 'ended',
    () => {
      it('first the one, first the other', async (repository) => {
        await repository.add({ key: apiKey(1, { expiresAt: at(10), revokedAt: at(5) }), entries: [] });
        await repository.add({ key: apiKey(2, { expiresAt: at(5), revokedAt: at(10) }), entries: [] });
        await assertActive(repository, at(4), 1, 2);
        await assertActive(repository, at(5));
      });
    },
  );

  describe('Returns how many keys `listActive` would return', () => {
    it('those that have ended do not count', async (repository) => {
      await addEnding(repository);
      const counts = [await repository.countActive(ADA, at(10)), await repository.countActive(ADA, at(11))];
      assert.deepEqual(counts, [2, 1]);
    });

    it('none of a developer without keys', async (repository) => {
      await repository.add({ key: apiKey(1), entries: [] });
      assert.equal(await repository.countActive(BOB, at(0)), 0);
    });
  });
}

function endedPromises({ describe, it }: ApiKeys): void {
  describe(
    'Returns keys of the developer that have ended at `asOf`, the latest end first, and of those that ended ' +
      'together the latest added first; at most `limit` of them, and fewer only at the end',
    () => {
      it('expired, revoked and replaced ones, field for field', async (repository) => {
        await addEnding(repository);
        const found = await repository.listEnded({ developerId: ADA, asOf: at(10), limit: 10 });
        assert.deepEqual(idsOf(found), [6, 4, 2, 3, 1].map(keyIdOf));
        for (const key of found) assert.deepEqual(key, await repository.find(key.id));
        assert.deepEqual(await repository.listEnded({ developerId: BOB, asOf: at(10), limit: 10 }), []);
      });

      it('that had ended then', async (repository) => {
        await addEnding(repository);
        const found = await repository.listEnded({ developerId: ADA, asOf: at(3), limit: 10 });
        assert.deepEqual(idsOf(found), [3, 1].map(keyIdOf));
      });
    },
  );

  describe('Returns how many keys of a developer have ended at this time', () => {
    it('each time more', async (repository) => {
      await addEnding(repository);
      for (const [time, count] of [
        [-6, 0],
        [3, 2],
        [9, 4],
        [10, 5],
      ] as const)
        assert.equal(await repository.countEnded(ADA, at(time)), count);
      assert.equal(await repository.countEnded(BOB, at(99)), 0);
    });
  });

  describe('With `before`, those that come after this key; none when it is unknown', () => {
    it('part by part, to the end', async (repository) => {
      await addEnding(repository);
      const list = (query: CursorQuery<ApiKeyId>) => repository.listEnded({ ...query, developerId: ADA, asOf: at(10) });
      await assertParts(list, 2, [6, 4], [2, 3], [1]);
      await assertParts(list, 3, [6, 4, 2], [3, 1]);
    });

    it('also when more end meanwhile', async (repository) => {
      await addEnding(repository);
      await repository.revoke(keyIdOf(7), { at: at(12), entries: [] });
      const query = { developerId: ADA, asOf: at(20), limit: 10, before: keyIdOf(4) };
      assert.deepEqual(idsOf(await repository.listEnded(query)), [2, 3, 1].map(keyIdOf));
    });

    it('none', async (repository) => {
      await addEnding(repository);
      const query = { developerId: ADA, asOf: at(10), limit: 10, before: keyIdOf(99) };
      assert.deepEqual(await repository.listEnded(query), []);
    });
  });
}

function removePromises({ describe, it }: ApiKeys): void {
  describe('Removes every key that has ended at this time, and returns how many', () => {
    it('and no other; what is removed can be added again', async (repository) => {
      await addEnding(repository);
      assert.equal(await repository.removeEnded(at(9)), 4);
      assert.deepEqual(idsOf(await repository.list({ limit: 10 })), [8, 7, 6, 5].map(keyIdOf));
      assert.equal(await repository.find(keyIdOf(1)), undefined);
      assert.equal(await repository.findByHash(hashOf(1)), undefined);
      assert.equal(await repository.removeEnded(at(9)), 0);
      await repository.add({ key: apiKey(1), entries: [] });
      assert.deepEqual(await repository.findByHash(hashOf(1)), apiKey(1));
    });

    it('not the successor of one that is removed', async (repository) => {
      await repository.add({ key: apiKey(1), entries: [] });
      await repository.replace(keyIdOf(1), { successor: apiKey(2), until: at(5), entries: [] });
      assert.equal(await repository.removeEnded(at(5)), 1);
      assert.deepEqual(await repository.findByHash(hashOf(2)), apiKey(2));
    });

    it('1,001, of which each list returns 1,000 before', async (repository) => {
      const keys = numbers(1_001).map((n) => apiKey(n, { expiresAt: at(-n) }));
      for (const key of keys) await repository.add({ key, entries: [] });
      for (const developerId of [ADA, undefined])
        assert.deepEqual(await repository.list({ limit: 1_000, developerId }), keys.toReversed().slice(0, 1_000));
      const ended = await repository.listEnded({ developerId: ADA, asOf: at(0), limit: 1_000 });
      assert.deepEqual(ended, keys.slice(0, 1_000));
      await repository.add({ key: apiKey(1_002), entries: [] });
      assert.equal(await repository.removeEnded(at(0)), 1_001);
      assert.deepEqual(await allKeys(repository), [apiKey(1_002)]);
    });
  });
}
