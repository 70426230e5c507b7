import assert from 'node:assert/strict';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKey } from '../../domain/api-key.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { endPromises } from './api-key-ends.js';
import { tamper } from './handles.js';
import { addKeys, apiKey, assertConflict, assertKept, assertOneWins, hashOf, keyIdOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import { keyOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type ApiKeys = Suite<ApiKeyRepository>;

/** What every `ApiKeyRepository` owes. */
export function apiKeyRepositoryContract(fresh: Fresh<ApiKeyRepository>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('ApiKeyRepository', () => {
    suite.describe('add', () => addPromises(suite));
    suite.describe('find', () => findPromises(suite));
    suite.describe('findByHash', () => findByHashPromises(suite));
    suite.describe('list', () => listPromises(suite));
    endPromises(suite);
    keyOverlaps(suite);
    handlePromises(suite);
  });
}

function addPromises({ describe, it }: ApiKeys): void {
  describe('Stores a key', () => {
    it('seen at once', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2), apiKey(3));
    });
  });

  describe('Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced', () => {
    it('its id; nothing of the second is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      await assertConflict(repository.add(apiKey(2, { id: keyIdOf(1) })));
      await assertKept(repository, apiKey(1));
      assert.equal(await repository.findByHash(hashOf(2)), undefined);
    });

    it('its hash; nothing of the second is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      await assertConflict(repository.add(apiKey(2, { hash: hashOf(1) })));
      await assertKept(repository, apiKey(1));
      assert.equal(await repository.find(keyIdOf(2)), undefined);
    });

    it('those of a revoked key', async (repository) => {
      await addKeys(repository, apiKey(1));
      await repository.revoke(keyIdOf(1), at(1));
      await assertConflict(repository.add(apiKey(1)));
      await assertKept(repository, apiKey(1, { revokedAt: at(1) }));
    });

    it('one id 100 times at once: one is stored', async (repository) => {
      await assertOneWins(numbers(100).map((n) => repository.add(apiKey(n, { id: keyIdOf(0) }))));
      assert.equal((await repository.list()).length, 1);
    });

    it('one hash 100 times at once: one is stored', async (repository) => {
      await assertOneWins(numbers(100).map((n) => repository.add(apiKey(n, { hash: hashOf(0) }))));
      const [stored] = await repository.list();
      assert.deepEqual(await repository.findByHash(hashOf(0)), stored);
    });
  });
}

const KEYS: Readonly<Record<string, Partial<ApiKey>>> = {
  'that never ends': {},
  'with every time set': { createdAt: at(1), expiresAt: at(2), lastUsedAt: at(3), revokedAt: at(4) },
  'that expires': { expiresAt: new Date('2126-01-01T00:00:00.001Z') },
  'for reading only': { scopes: ['automations:read'] },
  'for writing only': { scopes: ['automations:write'] },
  'with a name of many scripts': { name: '👩‍👩‍👧 e\u0301 אב 𝕏 $name <b> \' " \\ %' },
  'of the developer of an issuer with the longest id': { developerId: LONGEST_DEVELOPER },
  'with the longest name': { name: '🙂'.repeat(100) },
  'with the shortest lifetime': { lifetime: 1_001 },
  'with the longest lifetime, which no 32 bits hold': { lifetime: 100 * 365 * 24 * 60 * 60 * 1000 },
};

function findPromises({ describe, it }: ApiKeys): void {
  describe('Returns the key, field for field as it was added; undefined when there is none', () => {
    for (const [what, fields] of Object.entries(KEYS))
      it(`one ${what}`, (repository) => addKeys(repository, apiKey(1, fields)));

    it('undefined for an unknown id', async (repository) => {
      assert.equal(await repository.find(keyIdOf(2)), undefined);
      await repository.add(apiKey(1));
      assert.equal(await repository.find(keyIdOf(2)), undefined);
    });
  });
}

function findByHashPromises({ describe, it }: ApiKeys): void {
  describe('Returns the key with this hash, expired and revoked ones included; undefined when there is none', () => {
    it('each by its own', async (repository) => {
      await addKeys(repository, ...numbers(10).map((n) => apiKey(n)));
    });

    it('an expired one', async (repository) => {
      await addKeys(repository, apiKey(1, { createdAt: new Date(0), expiresAt: new Date(1) }));
    });

    it('a revoked one', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2));
      await repository.revoke(keyIdOf(1), at(1));
      assert.deepEqual(await repository.findByHash(hashOf(1)), apiKey(1, { revokedAt: at(1) }));
    });

    it('undefined for an unknown hash, then the key once it is added', async (repository) => {
      assert.equal(await repository.findByHash(hashOf(1)), undefined);
      await repository.add(apiKey(1));
      assert.deepEqual(await repository.findByHash(hashOf(1)), apiKey(1));
    });

    it('undefined for hashes that are nearly there', async (repository) => {
      await repository.add(apiKey(0xabcdef));
      const hash = hashOf(0xabcdef);
      for (const near of [hash.toUpperCase(), hash.slice(1), `${hash}0`, '', '%'])
        assert.equal(await repository.findByHash(near), undefined);
    });
  });
}

function listPromises({ describe, it }: ApiKeys): void {
  describe('Returns the keys of one developer, or of all, in the order in which they were added', () => {
    it('none', async (repository) => {
      assert.deepEqual(await repository.list(), []);
      assert.deepEqual(await repository.list(ADA), []);
    });

    it('of two developers in turn, whatever their `createdAt`', async (repository) => {
      const keys = numbers(30).map((n) => apiKey(n, { developerId: n % 3 === 0 ? ADA : BOB, createdAt: at(-n) }));
      await addKeys(repository, ...keys);
    });

    it('1,001 of one developer', async (repository) => {
      const keys = numbers(1_001).map((n) => apiKey(n));
      for (const key of keys) await repository.add(key);
      assert.deepEqual(await repository.list(ADA), keys);
      assert.deepEqual(await repository.list(), keys);
    });

    it('none of a developer without keys', async (repository) => {
      await addKeys(repository, apiKey(1));
      for (const id of ['bob', 'ad', 'ada-b', 'ADA']) assert.deepEqual(await repository.list(id as DeveloperId), []);
    });

    it('a key that was used, replaced or revoked keeps its place', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2), apiKey(3), apiKey(4));
      await repository.noteUse(keyIdOf(1), at(5));
      await repository.replace(keyIdOf(2), apiKey(5), at(6));
      await repository.revoke(keyIdOf(3), at(7));
      assert.deepEqual(
        (await repository.list()).map(({ id }) => id),
        [1, 2, 3, 4, 5].map(keyIdOf),
      );
    });
  });
}

function handlePromises({ describe, it }: ApiKeys): void {
  const every = () => ({ createdAt: at(1), expiresAt: at(2), lastUsedAt: at(3), revokedAt: at(4) });

  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was added', async (repository) => {
      const added = apiKey(1, every());
      await addKeys(repository, added);
      tamper(added);
      await assertKept(repository, apiKey(1, every()));
    });

    for (const way of ['find', 'findByHash', 'list'] as const)
      it(`what came out of \`${way}\``, async (repository) => {
        const ask = {
          find: () => repository.find(keyIdOf(1)),
          findByHash: () => repository.findByHash(hashOf(1)),
          list: () => repository.list(),
        }[way];
        await repository.add(apiKey(1, every()));
        for (const answer of [await ask(), await ask()]) {
          tamper(answer);
          await assertKept(repository, apiKey(1, every()));
        }
      });

    it('the time of a use', async (repository) => {
      const used = at(1);
      await addKeys(repository, apiKey(1));
      await repository.noteUse(keyIdOf(1), used);
      tamper(used);
      await assertKept(repository, apiKey(1, { lastUsedAt: at(1) }));
    });

    it('the time of a revocation', async (repository) => {
      const revoked = at(1);
      await addKeys(repository, apiKey(1));
      await repository.revoke(keyIdOf(1), revoked);
      tamper(revoked);
      await assertKept(repository, apiKey(1, { revokedAt: at(1) }));
    });

    it('a successor, and until when the key lives', async (repository) => {
      const [successor, until] = [apiKey(2), at(9)];
      await addKeys(repository, apiKey(1));
      await repository.replace(keyIdOf(1), successor, until);
      tamper([successor, until]);
      await assertKept(repository, apiKey(1, { expiresAt: at(9) }), apiKey(2));
    });
  });
}
