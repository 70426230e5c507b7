import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { InMemoryApiKeyVerifier } from '../../../adapters/in-memory/api-key-verifier.js';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { InMemoryCategoryRepository } from '../../../adapters/in-memory/category-repository.js';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { cachedKeys, cachedStorage, groupCommit } from '../../../adapters/storage/index.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import type { Caller } from '../../../domain/access.js';
import type { CategoryId } from '../../../domain/category.js';
import type { ApiKeyRepository } from '../../../domain/ports.js';
import {
  apiKeyRepositoryContract,
  apiKeyVerifierContract,
  automationRepositoryContract,
  developerRepositoryContract,
  oauthRecordsContract,
  type Credentialed,
} from '../../contracts/index.js';
import { everyContract } from '../../support/every-contract.js';
import { collectGarbage } from '../../support/garbage.js';
import { OPERATOR } from '../../../domain/access.js';

describe('The storage in memory', () => {
  everyContract({
    empty: () => inMemoryStorage(),
    unprepared: () => {
      const storage = inMemoryStorage();
      return [storage, storage];
    },
  });
  apiKeyVerifierContract((callers) => {
    const known = callers.map((caller, index) => [`secret-${index}`, caller] as const);
    return {
      verifier: new InMemoryApiKeyVerifier(known),
      credentials: known.map(([credential]) => credential),
      ended: [],
    };
  });

  it('categories can be there from the start', async () => {
    const category = { id: 'tools' as CategoryId, name: 'Tools' };
    const repository = new InMemoryCategoryRepository([category]);
    expect(await repository.list()).to.deep.equal([category]);
    expect(await repository.save([category])).to.equal(0);
  });

  it('a list of an unknown category leaves nothing in memory', async () => {
    const repository = new InMemoryAutomationRepository();
    const page = { number: 1, limit: 10 };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 10_000; n += 1) await repository.list({ page, category: `unknown-${n}` as CategoryId });
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).to.be.below(1024 * 1024);
    expect((await repository.list({ page })).total).to.equal(0);
  });
});

describe('a group commit around memory', () => {
  automationRepositoryContract(() => groupCommit(new InMemoryAutomationRepository()));
});

describe('a cache around memory', () => {
  apiKeyRepositoryContract(() => cachedStorage(inMemoryStorage()));
  developerRepositoryContract(() => cachedStorage(inMemoryStorage()));
  oauthRecordsContract(() => cachedStorage(inMemoryStorage()));
});

describe('a cache that asks every time, around memory', () => {
  apiKeyRepositoryContract(() => cachedStorage(inMemoryStorage(), { seconds: 0 }));
});

describe('keys stored in memory', () => {
  apiKeyVerifierContract((callers) => storedIn(new InMemoryApiKeyRepository(), callers));
});

describe('keys stored in memory, behind a cache', () => {
  apiKeyVerifierContract((callers) => storedIn(cachedKeys(new InMemoryApiKeyRepository()), callers));
});

async function storedIn(keys: ApiKeyRepository, callers: readonly Caller[]): Promise<Credentialed> {
  const developerKeys = new DeveloperKeys(keys);
  const longAgo = new DeveloperKeys(keys, { now: () => new Date(0) });
  const verifier = new StoredApiKeyVerifier(keys);
  const credentials: string[] = [];
  for (const { developerId, scopes } of callers)
    credentials.push((await developerKeys.issue(OPERATOR, { developer: developerId, scopes })).text);
  const expired = await longAgo.issue(OPERATOR, { developer: 'ada', lifetime: 1000 });
  const revoked = await developerKeys.issue(OPERATOR, { developer: 'ada' });
  await verifier.verify(revoked.text);
  await developerKeys.revoke(OPERATOR, revoked.key.id);
  return { verifier, credentials, ended: [expired.text, revoked.text] };
}
