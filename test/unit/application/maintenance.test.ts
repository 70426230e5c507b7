import { expect } from 'chai';
import {
  InMemoryApiKeyRepository,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemorySessionRepository,
} from '../../../adapters/in-memory/index.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Maintenance } from '../../../application/maintenance.js';
import { isActive } from '../../../domain/api-key.js';
import { newCategory } from '../../../domain/category.js';

const STARTERS = [newCategory({ id: 'sales', name: 'Sales' }), newCategory({ id: 'support', name: 'Support' })];

/** Every port of one store, and what works on it. */
function store() {
  const repositories = {
    automations: new InMemoryAutomationRepository(),
    categories: new InMemoryCategoryRepository(),
    keys: new InMemoryApiKeyRepository(),
    sessions: new InMemorySessionRepository(),
  };
  const keys = new DeveloperKeys(repositories.keys);
  const accounts = new DeveloperAccounts(new InMemoryDeveloperRepository(), repositories.sessions);
  return {
    ...repositories,
    developerKeys: keys,
    accounts,
    maintenance: () => new Maintenance(repositories, keys, accounts),
  };
}

describe('Maintenance', () => {
  it('adds the first categories to a store that has none, and only there', async () => {
    const { categories, maintenance } = store();
    expect(await maintenance().addFirstCategories(STARTERS)).to.equal(2);
    expect(await categories.list()).to.deep.equal(STARTERS);
    expect(await maintenance().addFirstCategories([newCategory({ id: 'other', name: 'Other' })])).to.equal(0);
    expect(await categories.list()).to.deep.equal(STARTERS);
  });

  it('adds them also where there is a key or an account', async () => {
    const { categories, developerKeys, accounts, maintenance } = store();
    await developerKeys.issue({ developer: 'ada' });
    await accounts.invite('ada');
    expect(await maintenance().addFirstCategories(STARTERS)).to.equal(2);
    expect(await categories.list()).to.have.length(2);
  });

  it('issues one key and one sign-in link for the first developer, once', async () => {
    const { accounts, developerKeys, maintenance } = store();
    const access = await maintenance().firstAccess(true);
    expect(access).to.have.all.keys('key', 'keyId', 'token');
    expect((await developerKeys.list()).map(({ id, developerId }) => [id, developerId])).to.deep.equal([
      [access?.keyId, 'developer'],
    ]);
    expect((await accounts.list()).map(({ id, status }) => [id, status])).to.deep.equal([['developer', 'invited']]);
    expect(await maintenance().firstAccess(true)).to.equal(undefined);
  });

  it('issues no link without a panel', async () => {
    const { accounts, maintenance } = store();
    expect(await maintenance().firstAccess(false)).to.have.all.keys('key', 'keyId');
    expect(await accounts.list()).to.deep.equal([]);
  });

  it('issues nothing where there is a key, also a revoked one, or an account', async () => {
    const [withKey, withAccount] = [store(), store()];
    const { key } = await withKey.developerKeys.issue({ developer: 'ada' });
    await withKey.developerKeys.revoke(key.id);
    await withAccount.accounts.invite('ada');
    for (const { maintenance } of [withKey, withAccount])
      expect(await maintenance().firstAccess(true)).to.equal(undefined);
    expect(await withAccount.developerKeys.list()).to.deep.equal([]);
  });

  it('leaves one key that works, and one link, when several start at once', async () => {
    const { accounts, developerKeys, maintenance } = store();
    const all = await Promise.all(Array.from({ length: 5 }, () => maintenance().firstAccess(true)));
    const [winner, ...others] = all.filter((access) => access !== undefined);
    expect(others).to.deep.equal([]);
    const alive = (await developerKeys.list()).filter((key) => isActive(key, new Date()));
    expect(alive.map(({ id }) => id)).to.deep.equal([winner?.keyId]);
    expect(await accounts.list()).to.have.length(1);
  });

  it('revokes a first key that could not be shown', async () => {
    const { developerKeys, maintenance } = store();
    const access = await maintenance().firstAccess(false);
    if (access !== undefined) await maintenance().revoke(access);
    expect((await developerKeys.list())[0]?.revokedAt).to.be.instanceOf(Date);
  });

  it('ends expired sessions and frees expired idempotency keys', async () => {
    const { automations, sessions, maintenance } = store();
    const swept: Date[] = [];
    automations.freeIdempotencyKeys = async (at) => void swept.push(at) as never;
    sessions.endExpired = async (at) => void swept.push(at) as never;
    await maintenance().sweep();
    expect(swept).to.have.length(2);
  });
});
