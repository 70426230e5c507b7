import { expect } from 'chai';
import { Container, type ContainerModule, type ServiceIdentifier } from 'inversify';
import pg from 'pg';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { postgresStorage } from '../../../adapters/sql/postgresql/index.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { type Caller, Marketplace, newCore, OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import * as entry from '../../../composition/index.js';
import { coreModule } from '../../../composition/modules/core.js';
import { httpModule } from '../../../composition/modules/http.js';
import { inMemoryModule, storageModule } from '../../../composition/modules/storage.js';
import * as tokens from '../../../composition/tokens.js';
import { packagesLoadedBy } from '../../support/packages-loaded.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { issuedKeys } from '../../support/lists.js';
import { USD } from '../../contracts/offers.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { signedIn } from '../../support/signed-in.js';

const ADA: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'One', description: 'Two', price: 3, categoryId: 'communication' };

/** The module of each storage that a test can open. */
const STORAGES: Readonly<Record<string, () => ContainerModule | Promise<ContainerModule>>> = {
  memory: inMemoryModule,
  SQLite: () => storageModule(sqliteStorage(newSqliteFile())),
  'a storage of its own': () => storageModule(inMemoryStorage()),
};

/** Nothing is opened before the first use, so this needs no server. */
const UNOPENED: typeof STORAGES = {
  ...STORAGES,
  PostgreSQL: () => storageModule(postgresStorage(new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/market' }))),
  MongoDB: () => storageModule(mongoStorage(newMongoClient('mongodb://127.0.0.1/market').db())),
};

const containers: Container[] = [];

/** Returns a container with a whole marketplace over a storage. */
async function marketOver(storage: ContainerModule | Promise<ContainerModule>): Promise<Container> {
  const container = new Container();
  container.load(coreModule(), await storage, await httpModule());
  containers.push(container);
  return container;
}

async function preparedMarket(storage: Parameters<typeof marketOver>[0]): Promise<Container> {
  const container = await marketOver(storage);
  await container.get(tokens.STORAGE).prepare({ currency: USD });
  return container;
}

describe('The composition', () => {
  afterEach(async () => {
    for (const container of containers.splice(0)) await container.get(tokens.STORAGE).close();
  });

  for (const [name, storage] of Object.entries(UNOPENED))
    for (const [token, identifier] of Object.entries<ServiceIdentifier>(tokens))
      it(`with ${name} resolves ${token}, and always the same`, async () => {
        const container = await marketOver(storage());
        const resolved = container.get(identifier);
        expect(resolved).to.be.an('object');
        expect(container.get(identifier)).to.equal(resolved);
      });

  for (const [name, storage] of Object.entries(STORAGES))
    describe(`with ${name}`, () => {
      it('is a marketplace that sells', async () => {
        const container = await preparedMarket(storage());
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        const { id } = await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        const { items, total } = await container.get(tokens.MARKETPLACE).listAutomations(ADA);
        expect(items.map((item) => item.id)).to.deep.equal([id]);
        expect(total).to.equal(1);
      });

      it('shows a developer what was withdrawn and why', async () => {
        const container = await preparedMarket(storage());
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        const { id } = await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        await container.get(tokens.MARKETPLACE).withdrawAutomation(signedIn(ADA), id, 'It is broken.');
        const { automation, withdrawn } = await container.get(tokens.CORE).records.read(signedIn(ADA), id);
        expect([automation.title, withdrawn?.reason]).to.deep.equal(['One', 'It is broken.']);
      });

      it('has each change of an automation in the audit', async () => {
        const container = await preparedMarket(storage());
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        const { id } = await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        await container.get(tokens.MARKETPLACE).reviseAutomation(signedIn(ADA), id, { price: 4 });
        await container.get(tokens.CORE).maintenance.sweep(OPERATOR);
        const { items } = await container.get(tokens.CORE).audit.list(signedIn(ADA));
        expect(items.map(({ action }) => action)).to.deep.equal(['automation-revised', 'automation-published']);
      });

      it('shares nothing with another container', async () => {
        const [one, other] = [await preparedMarket(storage()), await preparedMarket(storage())];
        await one.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        await one.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        await one.get(tokens.CORE).keys.issue(OPERATOR, { developer: 'ada' });
        expect((await other.get(tokens.MARKETPLACE).listAutomations(ADA)).total).to.equal(0);
        expect(await other.get(tokens.MARKETPLACE).listCategories(ADA)).to.deep.equal([]);
        expect(await issuedKeys(other.get(tokens.CORE).keys)).to.deep.equal([]);
      });

      it('takes the automations of another database, and leaves the other ports', async () => {
        const container = await preparedMarket(storage());
        const { automations: mine, archive, auditLog } = inMemoryStorage();
        container.rebind(tokens.AUTOMATION_STORE).toConstantValue({ automations: mine, archive, auditLog });
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        expect(await mine.countByCategory()).to.deep.equal(new Map([['communication', 1]]));
      });
    });

  it('needs a storage', async () => {
    const container = new Container();
    container.load(coreModule(), await httpModule());
    expect(() => container.get(tokens.MARKETPLACE)).to.throw(/AutomationStore/);
  });

  it('has the currency that it was told', () => {
    const container = new Container();
    container.load(coreModule({ currency: 'JPY' }), inMemoryModule());
    expect(container.get(tokens.MARKETPLACE)).to.be.instanceOf(Marketplace).with.property('currency', 'JPY');
  });

  it('has the use cases of one core', () => {
    const container = new Container();
    container.load(coreModule(), inMemoryModule());
    const core = container.get(tokens.CORE);
    expect(Object.keys(core)).to.deep.equal(Object.keys(newCore(inMemoryStorage())));
    expect(container.get(tokens.MARKETPLACE)).to.equal(core.marketplace);
    expect(container.get(tokens.API_KEY_VERIFIER)).to.equal(core.verifier);
  });

  it('hands out every token and every module', () => {
    expect(entry).to.include(tokens);
    expect(entry).to.include({ coreModule, httpModule, inMemoryModule, storageModule });
  });

  it('loads Koa and every other package only when they are used', () => {
    const loaded = packagesLoadedBy(new URL('../../../composition/index.js', import.meta.url).href, process.cwd());
    expect(loaded).to.deep.equal(['inversify', 'reflect-metadata']);
  });
});
