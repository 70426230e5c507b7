import { expect } from 'chai';
import { Container } from 'inversify';
import { SqliteDatabase } from '../../adapters/sqlite/index.js';
import { fillEmptyStore } from '../../composition/first-start.js';
import { coreModule, inMemoryModule, sqliteModule } from '../../composition/modules.js';
import { API_KEY_VERIFIER, CATEGORY_REPOSITORY, DEVELOPER_KEYS } from '../../composition/tokens.js';
import { TEST_CATEGORIES } from '../support/service.js';
import { Workplace } from '../support/process.js';

function inMemory(): Container {
  const container = new Container();
  container.load(coreModule(), inMemoryModule());
  return container;
}

describe('The first start', () => {
  it('adds 16 categories and a key that opens, once', async () => {
    const container = inMemory();
    const key = await fillEmptyStore(container);
    expect(await container.get(CATEGORY_REPOSITORY).list()).to.have.length(16);
    expect(await container.get(API_KEY_VERIFIER).verify(key ?? '')).to.include({ developerId: 'developer' });
    expect(await fillEmptyStore(container)).to.equal(undefined);
  });

  it('leaves a store alone that has a key or a category', async () => {
    const [withKey, withCategory] = [inMemory(), inMemory()];
    await withKey.get(DEVELOPER_KEYS).issue({ developer: 'ada' });
    await withCategory.get(CATEGORY_REPOSITORY).save(TEST_CATEGORIES.slice(0, 1));
    for (const container of [withKey, withCategory]) expect(await fillEmptyStore(container)).to.equal(undefined);
    expect(await withKey.get(CATEGORY_REPOSITORY).list()).to.deep.equal([]);
    expect(await withCategory.get(DEVELOPER_KEYS).list()).to.deep.equal([]);
  });

  it('makes one key when two processes find the store empty at once', async () => {
    const place = await Workplace.open();
    const databases = [0, 1].map(() => new SqliteDatabase(place.database));
    const containers = databases.map((database) => {
      const container = new Container();
      container.load(coreModule(), sqliteModule(database));
      return container;
    });
    const keys = await Promise.all(containers.map(fillEmptyStore));
    const stored = await containers[0]?.get(DEVELOPER_KEYS).list();
    for (const database of databases) database.close();
    await place.clear();
    expect(keys.filter((key) => key !== undefined)).to.have.length(1);
    expect(stored).to.have.length(1);
  });
});
