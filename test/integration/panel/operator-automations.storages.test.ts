import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { PanelStage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const BOB = { developerId: parseDeveloperId('bob'), scopes: SCOPES };
const MAIL = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'project-management' };
const LEDGER = { title: 'Book invoices', description: 'Three', price: 0, categoryId: 'uncategorized' };
const LIST = '/panel/operator/automations';

panelOnEveryStorage('The list of all automations for operators', (stage) => {
  let olga: Visitor;
  beforeEach(async () => {
    olga = await operator(stage);
  });

  const marketplace = () => stage.service.container.get(MARKETPLACE);
  const open = async (path: string) => (await olga.open(path)).body;
  const latest = async () => (await stage.service.container.get(CORE).audit.list(OPERATOR)).items[0];

  it('has those of everyone, in pages with exact totals, and is in the navigation', async () => {
    const empty = await open(LIST);
    expect(empty).to.include('Nothing on sale').and.include(`<a href="${LIST}" aria-current="page">`);
    for (let n = 0; n < 20; n += 1) await marketplace().createAutomation(ADA, MAIL);
    await marketplace().createAutomation(BOB, LEDGER);
    const first = await open(LIST);
    expect(first).to.include('<h1 id="title">All automations</h1>').and.include('1–20 of 21');
    expect(first).to.match(/>Book invoices<\/a><span class="subject">bob<[^]*?>Sort my inbox<[^]*?>ada</);
    expect(await open(`${LIST}?page=2`))
      .to.include('21–21 of 21')
      .and.include('Sort my inbox');
    expect(await open(`${LIST}?page=9`)).to.include('No older automations');
  });

  it('finds by words, category and developer, and says next to the field what cannot be found', async () => {
    await marketplace().createAutomation(ADA, MAIL);
    await marketplace().createAutomation(ADA, LEDGER);
    await marketplace().createAutomation(BOB, LEDGER);
    expect(titlesIn(await open(`${LIST}?q=inbox`))).to.deep.equal(['Sort my inbox']);
    expect(titlesIn(await open(`${LIST}?category=uncategorized`))).to.have.length(2);
    expect(titlesIn(await open(`${LIST}?q=book&category=uncategorized&developer=bob`))).to.have.length(1);
    expect(await open(`${LIST}?q=inbox&developer=bob`))
      .to.include('Nothing found')
      .and.include('value="bob"');
    for (const [query, message] of [
      [`q=${'x'.repeat(1000)}`, 'id="q-message">Search '],
      ['developer=No%20Slug', 'id="developer-message">Developer must be'],
    ])
      expect(await open(`${LIST}?${query}`)).to.include(message);
  });

  it('shows what was withdrawn, why and by whom', async () => {
    const ids: string[] = [];
    for (const caller of [ADA, BOB, BOB]) ids.push((await marketplace().createAutomation(caller, MAIL)).id);
    const [own = '', byCommand = '', byOlga = ''] = ids;
    await marketplace().withdrawAutomation(signedIn(ADA), own, 'A <mistake>.');
    await marketplace().withdrawAutomation(OPERATOR, byCommand);
    await olga.submit(`${LIST}/${byOlga}/withdraw`, { reason: 'Spam' });
    const list = await open(`${LIST}?status=withdrawn`);
    expect(list)
      .to.include('Withdrawn by its developer: A &lt;mistake&gt;.')
      .and.include('Withdrawn by an operator: No reason given.')
      .and.include('Withdrawn by an operator: Spam')
      .and.include('Withdrawn <span class="soft">3<')
      .and.not.include('>Withdraw</button>')
      .and.not.include('Publish again');
    const one = await open(`${LIST}/${byOlga}`);
    expect(one).to.include('Withdrawn by an operator').and.include('>Spam<').and.not.include('Publish again');
    for (const path of ['revise', 'withdraw'])
      expect((await olga.open(`${LIST}/${byOlga}/${path}`)).status, path).to.equal(404);
  });

  it('withdraws with a reason that the developer can read, after a page that asks', async () => {
    const ada = await stage.developer('ada');
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    const asked = await open(`${LIST}/${id}/withdraw`);
    expect(asked).to.include('Withdraw this automation?').and.include('class="danger"').and.include(`href="${LIST}"`);
    const long = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'x'.repeat(1001) });
    expect([long.status, long.body.includes('id="reason-message">The reason must')]).to.deep.equal([422, true]);
    const done = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'Spam' });
    expect([done.status, done.headers.get('location')]).to.deep.equal([303, `${LIST}?notice=withdrawn`]);
    expect(await latest()).to.include({ action: 'automation-withdrawn', operatorId: 'olga', subject: id });
    expect((await ada.open('/panel/automations?status=withdrawn')).body).to.include('by the operator: Spam');
    const again = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'Twice' });
    expect([again.status, (await latest())?.subject]).to.deep.equal([303, id]);
    const { withdrawn } = await stage.service.container.get(CORE).records.read(OPERATOR, id);
    expect(withdrawn?.reason).to.equal('Spam');
  });

  it('revises with the same form, also when the developer was faster', async () => {
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    const form = await open(`${LIST}/${id}/revise`);
    expect(form).to.include('Revise automation').and.include('value="Sort my inbox"');
    expect(form).to.include(`href="${LIST}/${id}"`);
    const basedOn = /name="basedOn" value="([^"]+)"/.exec(form)?.[1] ?? '';
    const typed = { ...MAIL, price: '4', basedOn };
    const preview = await olga.submit(`${LIST}/${id}/revise`, { ...typed, step: 'preview' });
    expect(preview.body).to.include('$4.00').and.include('not saved yet');
    const wrong = await olga.submit(`${LIST}/${id}/revise`, { ...typed, title: '' });
    expect([wrong.status, wrong.body.includes('id="title-message">Title is required.')]).to.deep.equal([422, true]);
    await marketplace().reviseAutomation(signedIn(ADA), id, { price: 5 });
    const conflict = await olga.submit(`${LIST}/${id}/revise`, typed);
    expect([conflict.status, conflict.body.includes('Both versions')]).to.deep.equal([409, true]);
    const now = /name="basedOn" value="([^"]+)"/.exec(conflict.body)?.[1] ?? '';
    const saved = await olga.submit(`${LIST}/${id}/revise`, { ...typed, basedOn: now });
    expect(saved.headers.get('location')).to.equal(`${LIST}/${id}?notice=revised`);
    expect(await latest()).to.include({ action: 'automation-revised', operatorId: 'olga', developerId: 'ada' });
    expect((await marketplace().readAutomation(BOB, id)).price.minorUnits).to.equal(400);
  });

  it('leads from an automation to its developer, if there is an account', async () => {
    await stage.service.invite('ada');
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    expect(await open(`${LIST}/${id}`)).to.include('href="/panel/operator/developers/ada"');
    const foreign = { developerId: parseDeveloperId('gone'), scopes: SCOPES };
    const other = await marketplace().createAutomation(foreign, MAIL);
    expect(await open(`${LIST}/${other.id}`))
      .to.include('gone')
      .and.not.include('developers/gone"');
    for (const path of ['x', '%E0', '00000000-0000-0000-0000-000000000000'])
      expect((await olga.open(`${LIST}/${path}`)).status, path).to.equal(404);
  });
});

panelOnEveryStorage(
  'The list of all automations without a search',
  (stage) => {
    it('has the filters, and no field for words', async () => {
      const olga = await operator(stage);
      await stage.service.container.get(MARKETPLACE).createAutomation(ADA, MAIL);
      await stage.service.container.get(MARKETPLACE).createAutomation(BOB, LEDGER);
      const { body } = await olga.open(`${LIST}?q=nothing&category=project-management`);
      expect(titlesIn(body)).to.deep.equal(['Sort my inbox']);
      expect(body).to.include('>Filter</button>').and.not.include('name="q"');
    });
  },
  { SEARCH: 'off' },
);

async function operator(stage: PanelStage): Promise<Visitor> {
  const olga = await stage.developer('olga');
  await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'olga', 'operator');
  await olga.open(LIST);
  return olga;
}

function titlesIn(page: string): readonly (string | undefined)[] {
  return Array.from(page.matchAll(/<a class="name"[^>]*>([^<]*)</g), ([, title]) => title);
}
