import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES, type Automation } from '../../../application/index.js';
import { MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'One', description: 'Two', price: 3.5, categoryId: 'project-management' };
const TYPED = { ...DRAFT, price: '3.5' };

panelOnEveryStorage('The form that revises an automation', (stage) => {
  let ada: Visitor;
  let id: string;
  let path: string;

  beforeEach(async () => {
    ada = await stage.developer('ada');
    ({ id } = await stage.service.container.get(MARKETPLACE).createAutomation(ADA, DRAFT));
    path = `/panel/automations/${id}/revise`;
  });

  const stored = (): Promise<Automation> => stage.service.container.get(MARKETPLACE).readAutomation(ADA, id);
  const reviseElsewhere = (changes: object) =>
    stage.service.container.get(MARKETPLACE).reviseAutomation(OPERATOR, id, changes);

  it('shows what is stored, and is one click away from the automation and from the list', async () => {
    const { body } = await ada.open(path);
    expect(body)
      .to.include('<h1>Revise automation</h1>')
      .and.include('value="One"')
      .and.include('>Two</textarea>')
      .and.include('value="3.5"')
      .and.match(/<option value="project-management" selected>/)
      .and.include('>Save changes</button>')
      .and.include(`name="basedOn" value="${(await stored()).updatedAt.toISOString()}"`);
    for (const from of ['/panel/automations', `/panel/automations/${id}`])
      expect((await ada.open(from)).body, from).to.include(`<form action="${path}">`);
  });

  it('saves changes, says so, and the automation says when', async () => {
    const basedOn = basedOnIn((await ada.open(path)).body);
    const typed = { title: ' Other ', description: 'Three\r\nFour', price: '0' };
    const changed = { ...typed, categoryId: 'uncategorized', basedOn };
    const saved = await ada.submit(path, changed);
    expect([saved.status, saved.headers.get('location')]).to.deep.equal([
      303,
      `/panel/automations/${id}?notice=revised`,
    ]);
    expect(await stored()).to.deep.include({
      title: 'Other',
      description: 'Three\nFour',
      price: { minorUnits: 0, currency: 'USD' },
      categoryId: 'uncategorized',
    });
    const { body } = await ada.open(saved.headers.get('location') ?? '');
    expect(body)
      .to.include('Your changes are saved.')
      .and.match(/, revised <time datetime="20/);
  });

  it('changes and removes the link and the licence, and keeps what was typed when they are refused', async () => {
    const texts = { url: 'https://ada.example/?a=1&b="2"', license: 'GPL-3.0-or-later' };
    const basedOn = async () => basedOnIn((await ada.open(path)).body);
    await ada.submit(path, { ...TYPED, ...texts, url: ` ${texts.url} `, basedOn: await basedOn() });
    expect(await stored()).to.include({ ...texts, title: 'One' });
    const escaped = 'https://ada.example/?a=1&amp;b=&quot;2&quot;';
    expect((await ada.open(path)).body)
      .to.include(`name="url" value="${escaped}" type="url"`)
      .and.include('name="license" value="GPL-3.0-or-later"')
      .and.match(/<datalist id="license-suggestions">\s*<option value="MIT">/);
    expect((await ada.open(`/panel/automations/${id}`)).body)
      .to.include(`<a class="button primary" rel="nofollow ugc noopener" href="${escaped}">`)
      .and.include('<bdi>GPL-3.0-or-later</bdi>');
    const wrong = { ...TYPED, url: 'javascript:alert(1)', license: 'x'.repeat(101), basedOn: await basedOn() };
    const refused = await ada.submit(path, wrong);
    expect(refused.status).to.equal(422);
    expect(refused.body)
      .to.include('url-message">Link must be an address that begins with https://.')
      .and.include('license-message">Licence must have 1 to 100 characters.')
      .and.include('value="javascript:alert(1)"')
      .and.include(`value="${wrong.license}"`)
      .and.not.include('href="javascript:');
    await ada.submit(path, { ...TYPED, url: '', license: ' ', basedOn: await basedOn() });
    expect(await stored()).to.include({ url: null, license: null, title: 'One' });
  });

  it('says when nothing was changed, and stores nothing', async () => {
    const before = await stored();
    const { body } = await ada.open(`/panel/automations/${id}`);
    expect(body).to.not.include('revised');
    const same = await ada.submit(path, { ...TYPED, price: '3,50', basedOn: before.updatedAt.toISOString() });
    expect(same.headers.get('location')).to.equal(`/panel/automations/${id}?notice=unchanged`);
    expect((await ada.open(same.headers.get('location') ?? '')).body).to.include('Nothing was changed.');
    expect(await stored()).to.deep.equal(before);
  });

  it('says next to each field what is wrong, keeps what was typed, and stores nothing', async () => {
    const before = await stored();
    const basedOn = before.updatedAt.toISOString();
    const wrong = await ada.submit(path, { title: '', description: ' ', price: '1,000', categoryId: '', basedOn });
    expect(wrong.status).to.equal(422);
    for (const message of [
      'Title is required.',
      'Description is required.',
      'Price must be an amount such as 9.99 or 9,99, with at most 2 decimals and no thousands separators.',
      'Choose a category.',
    ])
      expect(wrong.body).to.include(`-message">${message}`);
    expect(wrong.body).to.include('value="1,000"').and.include('aria-invalid="true"');
    expect(basedOnIn(wrong.body)).to.equal(basedOn);
    const unpriced = await ada.submit(path, { ...TYPED, price: '', basedOn });
    expect([unpriced.status, unpriced.body.includes('Price must be an amount')]).to.deep.equal([422, true]);
    expect(await stored()).to.deep.equal(before);
  });

  it('after another revision shows both versions and saves nothing, until it is sent again', async () => {
    const basedOn = basedOnIn((await ada.open(path)).body);
    await reviseElsewhere({ title: 'Theirs <b>', price: 8, categoryId: 'uncategorized', license: 'MIT' });
    const theirs = await stored();
    const typed = { ...TYPED, title: 'Mine', description: 'Two', price: '9', basedOn };
    const conflict = await ada.submit(path, typed);
    expect(conflict.status).to.equal(409);
    expect(conflict.body).to.include('This automation was changed after you opened the form, so nothing was saved.');
    expect(versionsIn(conflict.body)).to.deep.equal([
      ['Title', 'Theirs &lt;b&gt;', 'Mine'],
      ['Price in USD', '8', '9'],
      ['Category', 'Uncategorized', 'Project Management'],
      ['Licence', 'MIT', ''],
    ]);
    expect(conflict.body).to.include('value="Mine"').and.include('value="9"');
    expect(await stored()).to.deep.equal(theirs);
    const again = await ada.submit(path, { ...typed, basedOn: basedOnIn(conflict.body) });
    expect(again.status).to.equal(303);
    expect(await stored()).to.deep.include({ title: 'Mine', price: { minorUnits: 900, currency: 'USD' } });
  });

  it('takes a form that is sent twice as one, and one without its time as outdated', async () => {
    const basedOn = basedOnIn((await ada.open(path)).body);
    const changed = { ...TYPED, title: 'Other', price: '3.50', basedOn };
    for (let time = 0; time < 2; time += 1)
      expect((await ada.submit(path, changed)).headers.get('location')).to.equal(
        `/panel/automations/${id}?notice=revised`,
      );
    for (const outdated of ['', 'x', '2026-01-01T00:00:00.000Z'])
      expect((await ada.submit(path, { ...TYPED, title: 'Third', basedOn: outdated })).status).to.equal(409);
    expect(await stored()).to.include({ title: 'Other' });
  });

  it('is gone with the automation', async () => {
    await stage.service.container.get(MARKETPLACE).withdrawAutomation(signedIn(ADA), id);
    expect((await ada.open(path)).status).to.equal(404);
    expect((await ada.submit(path, TYPED)).status).to.equal(404);
  });
});

function basedOnIn(page: string): string {
  return /name="basedOn" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

function versionsIn(page: string): readonly (readonly string[])[] {
  const rows = page.matchAll(/<div><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/gs);
  return Array.from(rows, ([, label = '', cell = '']) => [
    label,
    ...Array.from(cell.matchAll(/<p class="text"[^>]*>(.*?)<\/p>/gs), ([, text = '']) => text),
  ]);
}
