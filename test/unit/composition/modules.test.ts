import { expect } from 'chai';
import { Container, type ContainerModule, type ServiceIdentifier } from 'inversify';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { newMongoClient } from '../../../adapters/mongodb/index.js';
import { Marketplace, parseDeveloperId, SCOPES, type Caller } from '../../../application/index.js';
import * as entry from '../../../composition/index.js';
import { httpModule } from '../../../composition/modules/http.js';
import { coreModule } from '../../../composition/modules/core.js';
import { inMemoryModule } from '../../../composition/modules/in-memory.js';
import { sqliteModule } from '../../../composition/modules/sqlite.js';
import { mongoModule } from '../../../composition/modules/mongodb.js';
import * as tokens from '../../../composition/tokens.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

const ADA: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'One', description: 'Two', price: 3, categoryId: 'communication' };

/** Every choice of modules that makes a whole marketplace. */
const CHOICES: Readonly<Record<string, () => readonly ContainerModule[]>> = {
  memory: () => [coreModule(), inMemoryModule(), httpModule()],
  SQLite: () => [coreModule(), sqliteModule(':memory:'), httpModule()],
};

/** For what needs no server: nothing is opened before the first use. */
const UNOPENED: Readonly<Record<string, () => readonly ContainerModule[]>> = {
  ...CHOICES,
  MongoDB: () => [coreModule(), mongoModule(newMongoClient('mongodb://127.0.0.1/market').db()), httpModule()],
};

function containerOf(modules: readonly ContainerModule[]): Container {
  const container = new Container();
  container.load(...modules);
  return container;
}

describe('The composition', () => {
  for (const [name, modules] of Object.entries(UNOPENED))
    for (const [token, identifier] of Object.entries<ServiceIdentifier>(tokens))
      it(`with ${name} resolves ${token}, and always the same`, () => {
        const container = containerOf(modules());
        const resolved = container.get(identifier);
        expect(resolved).to.be.an('object');
        expect(container.get(identifier)).to.equal(resolved);
      });

  for (const [name, modules] of Object.entries(CHOICES))
    describe(`with ${name}`, () => {
      it('is a marketplace that sells', async () => {
        const container = containerOf(modules());
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        const { id } = await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        const { items, total } = await container.get(tokens.MARKETPLACE).listAutomations(ADA);
        expect(items.map((item) => item.id)).to.deep.equal([id]);
        expect(total).to.equal(1);
      });

      it('shares nothing with another container', async () => {
        const [one, other] = [containerOf(modules()), containerOf(modules())];
        await one.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        await one.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        await one.get(tokens.DEVELOPER_KEYS).issue({ developer: 'ada' });
        expect((await other.get(tokens.MARKETPLACE).listAutomations(ADA)).total).to.equal(0);
        expect(await other.get(tokens.MARKETPLACE).listCategories(ADA)).to.deep.equal([]);
        expect(await other.get(tokens.DEVELOPER_KEYS).list()).to.deep.equal([]);
      });

      it('takes another repository for one port, and leaves the others', async () => {
        const container = containerOf(modules());
        const mine = new InMemoryAutomationRepository();
        container.rebind(tokens.AUTOMATION_REPOSITORY).toConstantValue(mine);
        await container.get(tokens.CATEGORY_REPOSITORY).save(TEST_CATEGORIES);
        await container.get(tokens.MARKETPLACE).createAutomation(ADA, DRAFT);
        expect(await mine.countByCategory()).to.deep.equal(new Map([['communication', 1]]));
      });
    });

  it('needs a storage', () => {
    const container = containerOf([coreModule(), httpModule()]);
    expect(() => container.get(tokens.MARKETPLACE)).to.throw(/AutomationRepository/);
  });

  it('has the currency that it was told', () => {
    const container = containerOf([coreModule({ currency: 'JPY' }), inMemoryModule()]);
    expect(container.get(tokens.MARKETPLACE)).to.be.instanceOf(Marketplace).with.property('currency', 'JPY');
  });

  it('hands out every token and every module', () => {
    expect(entry).to.include(tokens);
    expect(entry).to.include({ coreModule, httpModule, inMemoryModule, mongoModule, sqliteModule });
  });
});
