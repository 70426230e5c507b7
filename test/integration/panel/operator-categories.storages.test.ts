import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const LIST = '/panel/operator/categories';

panelOnEveryStorage('The page of categories for operators', (stage) => {
  let olga: Visitor;
  beforeEach(async () => {
    olga = await stage.developer('olga');
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'olga', 'operator');
    await olga.open(LIST);
  });

  const categories = () => stage.service.container.get(CORE).categories;
  const nameOf = async (wanted: string) => (await categories().list()).find(({ id }) => id === wanted)?.name;
  const latest = async () => (await stage.service.container.get(CORE).audit.list(OPERATOR)).items[0];

  it('lists all by name, with how many automations each has, and is in the navigation', async () => {
    const draft = { title: 'One', description: 'Two', price: 3, categoryId: 'crm-and-sales' };
    for (let n = 0; n < 2; n += 1) await stage.service.marketplace.createAutomation(ADA, draft);
    const { status, body } = await olga.open(LIST);
    expect([status, body.includes(`<a href="${LIST}" aria-current="page">`)]).to.deep.equal([200, true]);
    expect(body).to.match(/>CRM &amp; Sales<[^]*?>crm-and-sales<[^]*?category=crm-and-sales"[^>]*>2<[^]*?>Rename</);
    expect(body).to.include('<h1 id="title">Categories</h1>').and.include('1–16 of 16');
  });

  it('shows a page of a long list', async () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ id: `c-${n}`, name: `Category ${n}` }));
    await categories().import(OPERATOR, many as never);
    const second = (await olga.open(`${LIST}?page=2`)).body;
    expect(second).to.include('51–100 of 516').and.include('?page=1"').and.include('?page=3"');
    expect(Buffer.byteLength(second)).to.be.below(60_000);
    expect((await olga.open(`${LIST}?page=99`)).body).to.include('No more categories');
  });

  it('adds one, once', async () => {
    const form = { name: 'Home <automation>', id: 'home', formId: '01234567-89ab-cdef-0123-456789abcdef' };
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await olga.submit(LIST, form);
      expect([status, headers.get('location')]).to.deep.equal([303, `${LIST}?notice=added`]);
    }
    expect(await latest()).to.include({ action: 'category-added', operatorId: 'olga', subject: 'home' });
    expect((await olga.open(`${LIST}?notice=added`)).body)
      .to.include('Home &lt;automation&gt;')
      .and.include('The category is added.');
  });

  it('says next to each field what is wrong, and keeps what was typed', async () => {
    const rows: readonly (readonly [string, string, readonly string[]])[] = [
      ['', 'No Slug', ['id="name-message">Name is required.', 'id="id-message">Id must be 1 to 64', 'value="No Slug"']],
      ['x'.repeat(101), 'home', ['id="name-message">Name must have 1 to 100 characters.', 'value="home"']],
      ['Home', 'other', ['id="id-message">Another category has this id.', 'value="Home"']],
      ['OTHER', 'home', ['id="name-message">Another category has this name.']],
    ];
    await categories().add(OPERATOR, { id: 'other', name: 'Other' });
    for (const [name, id, messages] of rows) {
      const { status, body } = await olga.submit(LIST, { name, id });
      expect(status, id).to.equal(422);
      for (const message of messages) expect(body).to.include(message);
    }
    expect(await nameOf('home')).to.equal(undefined);
  });

  it('removes one that is empty, after a page that asks', async () => {
    const draft = { title: 'One', description: 'Two', price: 3, categoryId: 'crm-and-sales' };
    await stage.service.marketplace.createAutomation(ADA, draft);
    const { body } = await olga.open(LIST);
    expect(body).to.include(`${LIST}/uncategorized/remove`).and.not.include(`${LIST}/crm-and-sales/remove`);
    expect((await olga.open(`${LIST}/uncategorized/remove`)).body).to.include('Remove this category?');
    const done = await olga.submit(`${LIST}/uncategorized/remove`, {});
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, `${LIST}?notice=removed`]);
    expect(await nameOf('uncategorized')).to.equal(undefined);
    expect(await latest()).to.include({ action: 'category-removed', operatorId: 'olga', subject: 'uncategorized' });
    const used = await olga.submit(`${LIST}/crm-and-sales/remove`, {});
    expect([used.status, used.body.includes('1 automation is on sale in this category')]).to.deep.equal([409, true]);
    expect((await olga.submit(`${LIST}/uncategorized/remove`, {})).status).to.equal(404);
  });

  it('renames one', async () => {
    const path = `${LIST}/uncategorized/rename`;
    expect((await olga.open(path)).body)
      .to.include('Rename category')
      .and.include('value="Uncategorized"');
    for (const [name, message] of [
      [' ', 'Name is required.'],
      ['crm & sales', 'Another category has this name.'],
    ]) {
      const { status, body } = await olga.submit(path, { name: String(name) });
      expect([status, body.includes(`id="name-message">${message}`)], name).to.deep.equal([422, true]);
    }
    const saved = await olga.submit(path, { name: 'Everything else' });
    expect([saved.status, saved.headers.get('location')]).to.deep.equal([303, `${LIST}?notice=renamed`]);
    expect(await nameOf('uncategorized')).to.equal('Everything else');
    expect(await latest()).to.include({ action: 'category-renamed', operatorId: 'olga', subject: 'uncategorized' });
    for (const id of ['none', 'No%20Slug', '__proto__', '%E0'])
      expect((await olga.submit(`${LIST}/${id}/rename`, { name: 'X' })).status, id).to.equal(404);
  });
});
