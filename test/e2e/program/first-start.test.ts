import { expect } from 'chai';
import { Container, type ContainerModule } from 'inversify';
import { coreModule } from '../../../composition/modules/core.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { inMemoryModule, storageModule } from '../../../composition/modules/storage.js';
import { starterCategories } from '../../../composition/service/starter-categories.js';
import { API_KEY_VERIFIER, CATEGORY_REPOSITORY, CORE, STORAGE } from '../../../composition/tokens.js';
import { OPERATOR } from '../../../domain/access.js';
import { parseCurrency } from '../../../domain/currency.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { Workplace } from '../../support/process.js';
import { allAccounts, issuedKeys } from '../../support/lists.js';

const WITH_LINK = { key: true, link: true };
const KEY_ALONE = { key: true, link: false };

function newStore(storage: ContainerModule = inMemoryModule()) {
  const container = new Container();
  container.load(coreModule(), storage);
  return {
    container,
    keys: container.get(CORE).keys,
    accounts: container.get(CORE).accounts,
    categories: container.get(CATEGORY_REPOSITORY),
    maintenance: container.get(CORE).maintenance,
  };
}

describe('The first start of the service', () => {
  it('adds 16 categories, once', async () => {
    const { categories, maintenance } = newStore();
    expect(await maintenance.addFirstCategories(OPERATOR, starterCategories())).to.equal(16);
    expect(await categories.list()).to.have.length(16);
    expect(await maintenance.addFirstCategories(OPERATOR, starterCategories())).to.equal(0);
  });

  it('makes a key that opens, once', async () => {
    const { container, maintenance } = newStore();
    const access = await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK);
    expect(await container.get(API_KEY_VERIFIER).verify(access?.key?.text ?? '')).to.include({
      developerId: 'operator',
    });
    expect(await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
  });

  it('invites the developer of that key, and says so in the audit', async () => {
    const { container, maintenance } = newStore();
    const access = await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK);
    const invited = await container.get(CORE).sessions.readInvitation(access?.token ?? '');
    expect(invited).to.include({ id: 'operator', status: 'invited' });
    const { items } = await container.get(CORE).audit.list(OPERATOR);
    const told = items.map(({ actor, action }) => `${actor} ${action}`);
    expect(told).to.deep.equal(['operator developer-invited', 'operator key-issued', 'operator developer-added']);
  });

  it('invites no developer without a panel', async () => {
    const { accounts, maintenance } = newStore();
    expect(await maintenance.firstAccess(OPERATOR, 'operator', KEY_ALONE)).to.have.all.keys('name', 'key');
    const found = await allAccounts(accounts);
    expect(found.map(({ id, status }) => [id, status])).to.deep.equal([['operator', 'no-sign-in']]);
  });

  it('adds the categories to a store that has a key, but no key', async () => {
    const { keys, categories, maintenance } = newStore();
    await keys.issue(OPERATOR, { developer: 'ada' });
    expect(await maintenance.addFirstCategories(OPERATOR, starterCategories())).to.equal(16);
    expect(await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
    expect(await categories.list()).to.have.length(16);
    expect(await issuedKeys(keys)).to.have.length(1);
  });

  it('makes no key for a store that has an account', async () => {
    const { accounts, keys, maintenance } = newStore();
    await accounts.invite(OPERATOR, 'ada');
    expect(await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
    expect(await issuedKeys(keys)).to.deep.equal([]);
  });

  it('adds no category to a store that has one, and makes a key for it', async () => {
    const { categories, maintenance } = newStore();
    await categories.save(TEST_CATEGORIES.slice(0, 1));
    expect(await maintenance.addFirstCategories(OPERATOR, starterCategories())).to.equal(0);
    expect(await categories.list()).to.have.length(1);
    expect(await maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK)).to.include.keys('key', 'token');
  });

  it('leaves one key that is active and one link when two processes find the store empty at once', async () => {
    const place = await Workplace.open();
    const stores = [0, 1].map(() => newStore(storageModule(sqliteStorage(place.database))));
    for (const { container } of stores) await container.get(STORAGE).prepare({ currency: parseCurrency('USD') });
    const accesses = await Promise.all(
      stores.map(({ maintenance }) => maintenance.firstAccess(OPERATOR, 'operator', WITH_LINK)),
    );
    const stored = stores[0] ? await issuedKeys(stores[0].keys) : [];
    const accounts = stores[0] && (await allAccounts(stores[0].accounts));
    for (const { container } of stores) await container.get(STORAGE).close();
    await place.clear();
    const shown = accesses.filter((access) => access !== undefined);
    expect(shown).to.have.length(1);
    expect(stored.filter(({ revokedAt }) => revokedAt === undefined).map(({ id }) => id)).to.deep.equal([
      shown[0]?.key?.id,
    ]);
    expect(accounts).to.have.length(1);
  });

  it('after keys issue has categories, and makes no second key', async () => {
    const place = await Workplace.open();
    const { code, stdout } = await place.run(['keys', 'issue', '--developer', 'ada']);
    expect(code).to.equal(0);
    const key = /amk_\w{36}/.exec(stdout)?.[0] ?? '';
    const service = await place.serve();
    const headers = { authorization: `Bearer ${key}` };
    const { total } = (await (await fetch(`${service.url}/api/categories`, { headers })).json()) as {
      readonly total: number;
    };
    expect({ total, firstKey: service.firstKey }).to.deep.equal({ total: 16, firstKey: '' });
    await place.clear();
  });
});
