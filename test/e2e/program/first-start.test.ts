import { expect } from 'chai';
import { Container } from 'inversify';
import { SqliteDatabase } from '../../../adapters/sqlite/index.js';
import { fillEmptyStore } from '../../../composition/first-start.js';
import { coreModule } from '../../../composition/core-module.js';
import { inMemoryModule } from '../../../composition/in-memory-module.js';
import { sqliteModule } from '../../../composition/sqlite-module.js';
import {
  API_KEY_VERIFIER,
  AUDIT_TRAIL,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_SESSIONS,
} from '../../../composition/tokens.js';
import { OPERATOR } from '../../../domain/access.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { Workplace } from '../../support/process.js';

function inMemory(): Container {
  const container = new Container();
  container.load(coreModule(), inMemoryModule());
  return container;
}

describe('The first start', () => {
  it('adds 16 categories and a key that opens, once', async () => {
    const container = inMemory();
    const access = await fillEmptyStore(container, true);
    expect(await container.get(CATEGORY_REPOSITORY).list()).to.have.length(16);
    expect(await container.get(API_KEY_VERIFIER).verify(access?.key ?? '')).to.include({ developerId: 'developer' });
    expect(await fillEmptyStore(container, true)).to.equal(undefined);
  });

  it('invites the developer of that key, and says so in the audit', async () => {
    const container = inMemory();
    const access = await fillEmptyStore(container, true);
    const invited = await container.get(DEVELOPER_SESSIONS).readInvitation(access?.token ?? '');
    expect(invited).to.include({ id: 'developer', status: 'invited' });
    const { items } = await container.get(AUDIT_TRAIL).list(OPERATOR);
    expect(items.map(({ actor, action }) => `${actor} ${action}`)).to.deep.equal(['operator developer-invited', 'operator key-issued']);
  });

  it('invites nobody without a panel', async () => {
    const container = inMemory();
    expect(await fillEmptyStore(container, false)).to.have.all.keys('key', 'keyId');
    expect(await container.get(DEVELOPER_ACCOUNTS).list()).to.deep.equal([]);
  });

  it('adds categories to a store that has a key or an account already, and issues nothing there', async () => {
    const [withKey, withAccount] = [inMemory(), inMemory()];
    await withKey.get(DEVELOPER_KEYS).issue({ developer: 'ada' });
    await withAccount.get(DEVELOPER_ACCOUNTS).invite('ada');
    for (const container of [withKey, withAccount]) {
      expect(await fillEmptyStore(container, true)).to.equal(undefined);
      expect(await container.get(CATEGORY_REPOSITORY).list()).to.have.length(16);
    }
    expect(await withKey.get(DEVELOPER_KEYS).list()).to.have.length(1);
    expect(await withAccount.get(DEVELOPER_KEYS).list()).to.deep.equal([]);
  });

  it('issues a key and leaves the categories alone in a store that has a category', async () => {
    const container = inMemory();
    await container.get(CATEGORY_REPOSITORY).save(TEST_CATEGORIES.slice(0, 1));
    expect(await fillEmptyStore(container, true)).to.have.all.keys('key', 'keyId', 'token');
    expect(await container.get(CATEGORY_REPOSITORY).list()).to.deep.equal(TEST_CATEGORIES.slice(0, 1));
  });

  it('adds the categories also where a command made the store', async () => {
    const place = await Workplace.open();
    const { stdout } = await place.run(['keys', 'issue', '--developer', 'ada']);
    const service = await place.serve();
    const response = await fetch(`${service.url}/api/categories`, { headers: { Authorization: `Bearer ${stdout.trim()}` } });
    expect(((await response.json()) as { total: number }).total).to.equal(16);
    expect(service.firstKey).to.equal('');
    await place.clear();
  });

  it('makes one key and one link when two processes find the store empty at once', async () => {
    const place = await Workplace.open();
    const databases = [0, 1].map(() => new SqliteDatabase(place.database));
    const containers = databases.map((database) => {
      const container = new Container();
      container.load(coreModule(), sqliteModule(database));
      return container;
    });
    const accesses = await Promise.all(containers.map((container) => fillEmptyStore(container, true)));
    const stored = await containers[0]?.get(DEVELOPER_KEYS).list();
    const accounts = await containers[0]?.get(DEVELOPER_ACCOUNTS).list();
    for (const database of databases) database.close();
    await place.clear();
    expect(accesses.filter((access) => access !== undefined)).to.have.length(1);
    expect(stored?.filter(({ revokedAt }) => revokedAt === undefined)).to.have.length(1);
    expect(accounts).to.have.length(1);
  });
});
