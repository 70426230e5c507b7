import assert from './assert.js';
import type { ApiKey } from '../../domain/api-key.js';
import type { ApiKeyRepository, Storage } from '../../domain/ports.js';
import { keyEntryPromises } from './account-entries.js';
import { endPromises } from './api-key-ends.js';
import { keyListPromises } from './api-key-lists.js';
import { tamper } from './handles.js';
import { addKeys, allKeys, apiKey, assertConflict, assertKept, assertOneWins, hashOf, keyIdOf } from './keys.js';
import { ADA, at, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import { keyOverlaps } from './overlaps.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type ApiKeys = Suite<ApiKeyRepository>;

/** The keys of a store, and the audit log that is stored together with them. */
export type KeyStore = Pick<Storage, 'keys' | 'auditLog'>;

/** What every `ApiKeyRepository` owes. */
export function apiKeyRepositoryContract(fresh: Fresh<KeyStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(async (onEnd) => (await fresh(onEnd)).keys, runner);
  suite.describe('ApiKeyRepository', () => {
    suite.describe('add', () => addPromises(suite));
    suite.describe('find', () => findPromises(suite));
    suite.describe('findByHash', () => findByHashPromises(suite));
    keyListPromises(suite);
    endPromises(suite);
    keyOverlaps(suite);
    handlePromises(suite);
    keyEntryPromises(suiteOver(fresh, runner));
  });
}

function addPromises(suite: ApiKeys): void {
  keyPromises(suite);
  limitPromises(suite);
}

function limitPromises({ describe, it }: ApiKeys): void {
  describe(
    'With `max`, rejects as `conflict`, code `too-many-keys`, and stores nothing, when the developer has that number ' +
      'of keys which have not ended at the `createdAt` of the new one, also when raced, by whatever processes',
    () => {
      it('up to it, and not beyond; other developers have room', async (repository) => {
        for (const n of numbers(3)) await repository.add({ key: apiKey(n), max: 3, entries: [] });
        await assertConflict(repository.add({ key: apiKey(4), max: 3, entries: [] }), 'too-many-keys');
        await repository.add({ key: apiKey(5, { developerId: BOB }), max: 1, entries: [] });
        await assertKept(repository, apiKey(1), apiKey(2), apiKey(3), apiKey(5, { developerId: BOB }));
        await repository.add({ key: apiKey(4), max: 4, entries: [] });
      });

      it('keys that have ended when the new one is made do not count', async (repository) => {
        await addKeys(repository, apiKey(1, { expiresAt: at(5) }), apiKey(2));
        await repository.revoke(keyIdOf(2), { at: at(5), entries: [] });
        await assertConflict(
          repository.add({ key: apiKey(3, { createdAt: at(4) }), max: 2, entries: [] }),
          'too-many-keys',
        );
        for (const n of [3, 4]) await repository.add({ key: apiKey(n, { createdAt: at(5) }), max: 2, entries: [] });
        await assertConflict(
          repository.add({ key: apiKey(5, { createdAt: at(5) }), max: 2, entries: [] }),
          'too-many-keys',
        );
      });

      it('40 at once, at most 10', async (repository) => {
        const added = await Promise.allSettled(
          numbers(40).map((n) => repository.add({ key: apiKey(n), max: 10, entries: [] })),
        );
        assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 10);
        assert.equal((await allKeys(repository)).length, 10);
      });
    },
  );
}

function keyPromises({ describe, it }: ApiKeys): void {
  describe('Stores a key', () => {
    it('seen at once', async (repository) => {
      await addKeys(repository, apiKey(1), apiKey(2), apiKey(3));
    });
  });

  describe('Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced', () => {
    it('its id; nothing of the second is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      await assertConflict(repository.add({ key: apiKey(2, { id: keyIdOf(1) }), entries: [] }), 'duplicate-key');
      await assertKept(repository, apiKey(1));
      assert.equal(await repository.findByHash(hashOf(2)), undefined);
    });

    it('its hash; nothing of the second is kept', async (repository) => {
      await addKeys(repository, apiKey(1));
      await assertConflict(repository.add({ key: apiKey(2, { hash: hashOf(1) }), entries: [] }), 'duplicate-key');
      await assertKept(repository, apiKey(1));
      assert.equal(await repository.find(keyIdOf(2)), undefined);
    });

    it('those of a revoked key', async (repository) => {
      await addKeys(repository, apiKey(1));
      await repository.revoke(keyIdOf(1), { at: at(1), entries: [] });
      await assertConflict(repository.add({ key: apiKey(1), entries: [] }), 'duplicate-key');
      await assertKept(repository, apiKey(1, { revokedAt: at(1) }));
    });

    it('one id 100 times at once: one is stored', async (repository) => {
      await assertOneWins(numbers(100).map((n) => repository.add({ key: apiKey(n, { id: keyIdOf(0) }), entries: [] })));
      assert.equal((await allKeys(repository)).length, 1);
    });

    it('one hash 100 times at once: one is stored', async (repository) => {
      await assertOneWins(
        numbers(100).map((n) => repository.add({ key: apiKey(n, { hash: hashOf(0) }), entries: [] })),
      );
      const [stored] = await allKeys(repository);
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
  'of the developer with the longest id': { developerId: LONGEST_DEVELOPER },
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
      await repository.add({ key: apiKey(1), entries: [] });
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
      await repository.revoke(keyIdOf(1), { at: at(1), entries: [] });
      assert.deepEqual(await repository.findByHash(hashOf(1)), apiKey(1, { revokedAt: at(1) }));
    });

    it('undefined for an unknown hash, then the key once it is added', async (repository) => {
      assert.equal(await repository.findByHash(hashOf(1)), undefined);
      await repository.add({ key: apiKey(1), entries: [] });
      assert.deepEqual(await repository.findByHash(hashOf(1)), apiKey(1));
    });

    it('undefined for hashes that are nearly there', async (repository) => {
      await repository.add({ key: apiKey(0xabcdef), entries: [] });
      const hash = hashOf(0xabcdef);
      for (const near of [hash.toUpperCase(), hash.slice(1), `${hash}0`, '', '%'])
        assert.equal(await repository.findByHash(near), undefined);
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

    for (const way of ['find', 'findByHash', 'list', 'listEnded'] as const)
      it(`what came out of \`${way}\``, async (repository) => {
        const ask = {
          find: () => repository.find(keyIdOf(1)),
          findByHash: () => repository.findByHash(hashOf(1)),
          list: () => repository.list({ limit: 10 }),
          listEnded: () => repository.listEnded({ developerId: ADA, asOf: at(9), limit: 10 }),
        }[way];
        await repository.add({ key: apiKey(1, every()), entries: [] });
        for (const answer of [await ask(), await ask()]) {
          tamper(answer);
          await assertKept(repository, apiKey(1, every()));
        }
      });

    it('what came out of `listActive`', async (repository) => {
      await repository.add({ key: apiKey(1), entries: [] });
      tamper(await repository.listActive(ADA, at(0)));
      await assertKept(repository, apiKey(1));
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
      await repository.revoke(keyIdOf(1), { at: revoked, entries: [] });
      tamper(revoked);
      await assertKept(repository, apiKey(1, { revokedAt: at(1) }));
    });

    it('a successor, and until when the key lives', async (repository) => {
      const [successor, until] = [apiKey(2), at(9)];
      await addKeys(repository, apiKey(1));
      await repository.replace(keyIdOf(1), { successor, until, entries: [] });
      tamper([successor, until]);
      await assertKept(repository, apiKey(1, { expiresAt: at(9) }), apiKey(2));
    });
  });
}
