import { expect } from 'chai';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { InMemoryCategoryRepository } from '../../../adapters/in-memory/category-repository.js';
import { Marketplace } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import type { AutomationDraft } from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, NOON, reader, StoppedClock, writer } from './people.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT: AutomationDraft = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const FIRST = '01900000-0000-7000-8000-000000000001';

function open(currency?: string) {
  const categories = [newCategory({ id: 'tools', name: 'Tools' }), newCategory({ id: 'games', name: 'Games' })];
  const clock = new StoppedClock();
  const automations = new InMemoryAutomationRepository();
  const options = { now: clock.now, newId: countingIds(), ...(currency !== undefined && { currency }) };
  const marketplace = new Marketplace(automations, new InMemoryCategoryRepository(categories), options);
  return { marketplace, automations, clock };
}

const kindOf = async (attempt: () => unknown) => (await failureOf(attempt)).kind;

describe('creating an automation', () => {
  it('answers it, and puts it on sale at once', async () => {
    const { marketplace } = open();
    const created = await marketplace.createAutomation(ada, DRAFT);
    expect(created).to.deep.equal({
      id: FIRST,
      title: 'Sorts mail',
      description: 'Every morning.',
      price: { minorUnits: 999, currency: 'USD' },
      categoryId: 'tools',
      url: null,
      license: null,
      file: null,
      developerId: 'ada',
      createdAt: new Date(NOON),
      updatedAt: new Date(NOON),
    });
    expect(await marketplace.readAutomation(reader, FIRST)).to.deep.equal(created);
    expect((await marketplace.listAutomations(reader)).total).to.equal(1);
  });

  it('has ids of UUID version 7 and the time of day by default', async () => {
    const categories = new InMemoryCategoryRepository([newCategory({ id: 'tools', name: 'Tools' })]);
    const marketplace = new Marketplace(new InMemoryAutomationRepository(), categories);
    const before = Date.now();
    const { id, createdAt } = await marketplace.createAutomation(ada, DRAFT);
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).to.be.within(before, Date.now());
    expect(createdAt.getTime()).to.be.within(before, Date.now());
  });

  it('needs the scope to write, before anything is looked at', async () => {
    const { marketplace } = open();
    const failure = await failureOf(() => marketplace.createAutomationOnce(reader, {}));
    expect([failure.kind, failure.code]).to.deep.equal(['forbidden', 'automations:write']);
    expect(await marketplace.createAutomation(writer, DRAFT)).to.include({ id: FIRST });
  });

  it('fails with every broken rule, and stores nothing', async () => {
    const { marketplace } = open();
    const draft = { title: '', description: '', price: -1, categoryId: 'none' };
    const broken = ['title: too-short', 'description: too-short', 'price: out-of-range', 'categoryId: unknown-value'];
    expect(await brokenBy(() => marketplace.createAutomation(ada, draft))).to.deep.equal(broken);
    expect((await marketplace.listAutomations(ada)).total).to.equal(0);
  });

  it('is reviewed with the same rules, and stores nothing', async () => {
    const { marketplace } = open();
    const broken = (await failureOf(() => marketplace.createAutomationOnce(ada, { price: 1.001 }))).fields;
    expect(await marketplace.reviewAutomation(ada, { price: 1.001 })).to.deep.equal(broken);
    expect(await marketplace.reviewAutomation(ada, DRAFT)).to.deep.equal([]);
    expect((await marketplace.listAutomations(ada)).total).to.equal(0);
  });

  it('fails as conflict when an id comes twice', async () => {
    const { automations } = open();
    const categories = new InMemoryCategoryRepository([newCategory({ id: 'tools', name: 'Tools' })]);
    const marketplace = new Marketplace(automations, categories, { newId: () => FIRST });
    await marketplace.createAutomation(ada, DRAFT);
    expect(await kindOf(() => marketplace.createAutomation(ada, DRAFT))).to.equal('conflict');
  });

  it('has an id by which it can be found, or is not stored', async () => {
    const { automations } = open();
    const categories = new InMemoryCategoryRepository([newCategory({ id: 'tools', name: 'Tools' })]);
    for (const newId of [() => 'V1StGXR8_Z5jdHi6B-myT', () => FIRST.replace('9', 'A'), () => 7 as unknown as string]) {
      const marketplace = new Marketplace(automations, categories, { newId });
      const failure = await marketplace.createAutomation(ada, DRAFT).catch((error: unknown) => error);
      expect(failure).to.be.an.instanceOf(TypeError).with.property('message').that.includes('newId must make UUIDs');
    }
    expect((await new Marketplace(automations, categories).listAutomations(ada)).total).to.equal(0);
  });

  it('is in the currency of the marketplace, and that is one that exists', async () => {
    const { marketplace } = open('JPY');
    expect((await marketplace.createAutomation(ada, { ...DRAFT, price: 500 })).price).to.deep.equal({
      minorUnits: 500,
      currency: 'JPY',
    });
    expect(await brokenBy(() => marketplace.createAutomation(ada, { ...DRAFT, price: 0.5 }))).to.deep.equal([
      'price: invalid-format',
    ]);
    expect(await brokenBy(() => open('usd'))).to.deep.equal(['currency: unknown-value']);
    expect(open().marketplace.currency).to.equal('USD');
  });
});

describe('listing automations', () => {
  async function opened() {
    const { marketplace } = open();
    for (const categoryId of ['tools', 'games', 'tools'])
      await marketplace.createAutomation(ada, { ...DRAFT, title: categoryId, categoryId });
    return marketplace;
  }

  it('is newest first, 25 to a page', async () => {
    const { items, total, page } = await (await opened()).listAutomations(reader);
    expect(items.map(({ id }) => id.slice(-1))).to.deep.equal(['3', '2', '1']);
    expect([total, page]).to.deep.equal([3, { number: 1, limit: 25 }]);
  });

  it('is by category and page', async () => {
    const { items, total, page } = await (
      await opened()
    ).listAutomations(reader, { category: 'tools', page: 2, limit: 1 });
    expect(items).to.deep.equal([{ id: FIRST, title: 'tools', price: { minorUnits: 999, currency: 'USD' } }]);
    expect([total, page]).to.deep.equal([2, { number: 2, limit: 1 }]);
  });

  it('passes on the revision of the repository', async () => {
    const marketplace = await opened();
    const { revision } = await marketplace.listAutomations(reader);
    expect(revision).to.be.a('string');
    await marketplace.withdrawAutomation(OPERATOR, FIRST);
    expect((await marketplace.listAutomations(reader)).revision).not.to.equal(revision);
  });

  for (const category of ['none', 'Tools', '', 'no slug!'])
    it(`is empty for a category that does not exist: ${JSON.stringify(category)}`, async () => {
      const list = await (await opened()).listAutomations(reader, { category, limit: 7 });
      expect(list).to.deep.include({ items: [], total: 0, page: { number: 1, limit: 7 } });
    });

  it('fails as invalid for a page out of range, whatever the category', async () => {
    const marketplace = await opened();
    for (const category of [undefined, 'tools', 'no slug!'])
      expect(
        await brokenBy(() => marketplace.listAutomations(reader, { page: 0, limit: 101, category })),
      ).to.have.length(2);
  });

  it('needs the scope to read', async () => {
    const marketplace = await opened();
    const failure = await failureOf(() => marketplace.listAutomations(writer));
    expect([failure.kind, failure.code]).to.deep.equal(['forbidden', 'automations:read']);
  });
});

describe('reading an automation', () => {
  for (const id of [
    '01900000-0000-7000-8000-000000000009',
    '',
    '1',
    'constructor',
    FIRST.toUpperCase().replace('19', '1F'),
  ])
    it(`fails as not-found: ${JSON.stringify(id)}`, async () => {
      expect(await kindOf(() => open().marketplace.readAutomation(ada, id))).to.equal('not-found');
    });

  it('needs the scope to read', async () => {
    const { marketplace } = open();
    await marketplace.createAutomation(ada, DRAFT);
    expect(await kindOf(() => marketplace.readAutomation(writer, FIRST))).to.equal('forbidden');
    expect(await kindOf(() => marketplace.readAutomation(writer, 'malformed'))).to.equal('forbidden');
  });
});

describe('withdrawing an automation', () => {
  it('is for the developer who offered it', async () => {
    const { marketplace, automations } = open();
    const { id } = await marketplace.createAutomation(ada, DRAFT);
    expect(await kindOf(() => marketplace.withdrawAutomation(signedIn(bob), FIRST))).to.equal('not-found');
    await marketplace.withdrawAutomation(signedIn(ada), FIRST, 'too dear');
    const withdrawn = { at: new Date(NOON), by: 'developer', reason: 'too dear' };
    expect((await automations.findAny(id))?.withdrawn).to.deep.equal(withdrawn);
    expect(await kindOf(() => marketplace.readAutomation(ada, FIRST))).to.equal('not-found');
    expect(await kindOf(() => marketplace.withdrawAutomation(signedIn(ada), FIRST))).to.equal('not-found');
  });

  it('twice changes nothing, and is an error for a developer alone', async () => {
    const { marketplace, automations } = open();
    const { id } = await marketplace.createAutomation(ada, DRAFT);
    await marketplace.withdrawAutomation(OPERATOR, FIRST, 'a fraud');
    await marketplace.withdrawAutomation(OPERATOR, FIRST, 'another reason');
    expect((await automations.findAny(id))?.withdrawn?.reason).to.equal('a fraud');
    expect(await kindOf(() => marketplace.withdrawAutomation(signedIn(ada), FIRST))).to.equal('not-found');
  });

  it('is for the operator', async () => {
    const { marketplace } = open();
    await marketplace.createAutomation(ada, DRAFT);
    await marketplace.withdrawAutomation(OPERATOR, FIRST);
    expect((await marketplace.listAutomations(ada)).total).to.equal(0);
  });

  it('is not for a buyer, who may have sold it before', async () => {
    const { marketplace } = open();
    await marketplace.createAutomation(ada, DRAFT);
    expect(await kindOf(() => marketplace.withdrawAutomation(signedIn(ada, 'buyer'), FIRST))).to.equal('forbidden');
    expect((await marketplace.listAutomations(ada)).total).to.equal(1);
  });

  it('fails as not-found for what is malformed or unknown', async () => {
    for (const by of [signedIn(ada), OPERATOR])
      for (const id of ['', 'malformed', FIRST])
        expect(await kindOf(() => open().marketplace.withdrawAutomation(by, id))).to.equal('not-found');
  });
});

describe('listing categories', () => {
  it('is by name, each with what is on sale in it', async () => {
    const { marketplace } = open();
    await marketplace.createAutomation(ada, DRAFT);
    await marketplace.createAutomation(ada, DRAFT);
    await marketplace.withdrawAutomation(signedIn(ada), FIRST);
    expect(await marketplace.listCategories(reader)).to.deep.equal([
      { id: 'games', name: 'Games', automationCount: 0 },
      { id: 'tools', name: 'Tools', automationCount: 1 },
    ]);
  });

  it('needs the scope to read', async () => {
    expect(await kindOf(() => open().marketplace.listCategories(writer))).to.equal('forbidden');
  });
});
