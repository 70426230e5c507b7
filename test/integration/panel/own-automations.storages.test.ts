import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const BOB = { developerId: parseDeveloperId('bob'), scopes: SCOPES };
const MAIL = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'project-management' };
const LEDGER = { title: 'Book invoices', description: 'Three', price: 0, categoryId: 'uncategorized' };
const LIST = '/panel/automations';

panelOnEveryStorage('The list of one’s own automations', (stage) => {
  let ada: Visitor;
  beforeEach(async () => {
    ada = await stage.developer('ada');
  });

  const marketplace = () => stage.service.container.get(MARKETPLACE);
  const open = async (path: string) => (await ada.open(path)).body;

  it('says how many there are, and finds by words and category', async () => {
    expect(await open(LIST))
      .to.include('Nothing on sale yet')
      .and.not.include('role="search"');
    for (let n = 0; n < 21; n += 1) await marketplace().createAutomation(ADA, MAIL);
    await marketplace().createAutomation(ADA, LEDGER);
    await marketplace().createAutomation(BOB, { ...LEDGER, title: 'Book of Bob' });
    const all = await open(LIST);
    expect(all).to.include('1–20 of 22').and.include('Project Management (21)').and.include('Uncategorized (1)');
    expect(await open(`${LIST}?page=2`)).to.include('21–22 of 22');
    expect(titlesIn(await open(`${LIST}?q=book`))).to.deep.equal(['Book invoices']);
    expect(titlesIn(await open(`${LIST}?q=&category=uncategorized`))).to.deep.equal(['Book invoices']);
    const none = await open(`${LIST}?q=book&category=project-management`);
    expect(none).to.include('Nothing found').and.include('Remove the filters').and.include('value="book"');
  });

  it('says next to the field what cannot be searched for, and ignores a wrong page', async () => {
    await marketplace().createAutomation(ADA, MAIL);
    const wrong = await ada.open(`${LIST}?q=${'x'.repeat(1000)}`);
    expect([wrong.status, wrong.body.match(/id="q-message">Search /)?.length]).to.deep.equal([200, 1]);
    for (const page of ['0', '-1', 'x', '1e9'])
      expect(titlesIn(await open(`${LIST}?page=${page}`)), page).to.deep.equal(['Sort my inbox']);
  });

  it('shows what was withdrawn, why and by whom, and publishes it again from a filled form', async () => {
    const own = await marketplace().createAutomation(ADA, MAIL);
    const other = await marketplace().createAutomation(ADA, LEDGER);
    await marketplace().withdrawAutomation(signedIn(ADA), own.id);
    await marketplace().withdrawAutomation(OPERATOR, other.id, 'It does not <work>.');
    expect(await open(LIST))
      .to.match(/On sale <span class="soft">0</)
      .and.match(/Withdrawn <span class="soft">2</);
    const list = await open(`${LIST}?status=withdrawn`);
    expect(titlesIn(list)).to.deep.equal(['Book invoices', 'Sort my inbox']);
    expect(list)
      .to.include('Withdrawn by the operator: It does not &lt;work&gt;.')
      .and.include('Withdrawn by you: No reason given.')
      .and.not.include('>Withdraw</button>');
    const form = await open(`${LIST}/new?from=${own.id}`);
    expect(form).to.include('value="Sort my inbox"').and.include('value="3.5"').and.include('>Two</textarea>');
    const foreign = await marketplace().createAutomation(BOB, MAIL);
    for (const from of [foreign.id, 'x']) expect((await ada.open(`${LIST}/new?from=${from}`)).status).to.equal(404);
    expect((await ada.open(`${LIST}/${foreign.id}`)).status).to.equal(404);
  });

  it('previews what is typed, without a page around it, for its own forms only', async () => {
    const link = { url: 'https://ada.example/x', license: '<MIT>' };
    const typed = { title: '<b>', description: '', price: '9', categoryId: 'uncategorized', ...link };
    const { status, body } = await ada.submit(`${LIST}/preview`, typed);
    expect(status).to.equal(200);
    expect(body)
      .to.include('&lt;b&gt;')
      .and.include('$9.00')
      .and.include('Uncategorized')
      .and.include('Your description')
      .and.include('href="https://ada.example/x"')
      .and.include('&lt;MIT&gt;')
      .and.not.include('<html');
    const wrong = { ...typed, url: 'javascript:alert(1)', license: '\u202e' };
    expect((await ada.submit(`${LIST}/preview`, wrong)).body).not.to.match(/<a |javascript|Licence/);
    expect((await ada.submit(`${LIST}/preview`, typed, { withToken: false })).status).to.equal(403);
    expect(await open(LIST)).to.include('Nothing on sale yet');
  });

  it('renders no text that breaks a rule, and keeps what was typed', async () => {
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    const table = `${'x|'.repeat(181)}\n${'-|'.repeat(181)}\n${'x\n'.repeat(361)}\n`.repeat(28).slice(0, 40_000);
    const typed = { ...MAIL, title: 'T'.repeat(201), description: table, price: '3.5' };
    for (const [path, step] of [
      [`${LIST}/preview`, ''],
      [`${LIST}/new`, 'preview'],
      [`${LIST}/new`, 'send'],
      [`${LIST}/${id}/revise`, 'preview'],
      [`${LIST}/${id}/revise`, 'send'],
    ] as const) {
      const { body } = await ada.submit(path, { ...typed, step });
      expect(body, `${path} ${step}`).to.include('Not shown here, because it breaks a rule.');
      expect(body.match(/<t[dh]/g), `${path} ${step}`).to.equal(null);
      expect(body.length, `${path} ${step}`).to.be.below(100_000);
      if (step === '') continue;
      expect(body.includes(table.slice(-5_000)), `${path} ${step}`).to.equal(true);
      expect(body.match(/message">(?:Title|Description) must have 1 to/g), `${path} ${step}`).to.have.length(2);
    }
  });

  it('shows a form again below 1 MB, whatever was typed', async () => {
    await open(`${LIST}/new`);
    const form = `token=${ada.token}&description=${'"'.repeat(150 * 1024 - 200)}`;
    const { status, body } = await ada.post(`${LIST}/new`, form);
    expect([status, Buffer.byteLength(body) < 1_000_000]).to.deep.equal([422, true]);
  });

  it('shows a description as buyers see it, and a price in the format of the visitor', async () => {
    const typed = { ...MAIL, description: '# Why\n\n- **fast**\n- https://x.example', price: '1234.5' };
    const german = { 'Accept-Language': 'de-DE' };
    const { headers } = await ada.submit(`${LIST}/new`, typed);
    const address = String(headers.get('location')).replace(/\?.*/, '');
    const shown = [
      await ada.submit(`${LIST}/preview`, typed, { headers: german }),
      await ada.submit(`${LIST}/new`, { ...typed, step: 'preview' }, { headers: german }),
      await ada.submit(`${address}/revise`, { ...typed, step: 'preview' }, { headers: german }),
      await ada.open(address, german),
      await ada.open(`${address}/revise`, german),
      await ada.open(`${address}/withdraw`, german),
    ];
    for (const [n, { body }] of shown.entries())
      expect(body, `page ${n}`)
        .to.include('<h2 dir="auto">Why</h2>')
        .and.include('<li><strong>fast</strong></li>')
        .and.include('<a rel="nofollow ugc noopener" href="https://x.example">')
        .and.include('1.234,50\u00a0$');
    expect((await ada.open(LIST, german)).body).to.include('1.234,50\u00a0$');
    for (const price of ['1.234', '100000000', 'x', ''])
      expect((await ada.submit(`${LIST}/preview`, { ...typed, price })).body, price).to.include('<bdi></bdi>');
  });
});

panelOnEveryStorage(
  'The list of one’s own automations without a search',
  (stage) => {
    it('has the filters, and no field for words', async () => {
      const ada = await stage.developer('ada');
      await stage.service.container.get(MARKETPLACE).createAutomation(ADA, MAIL);
      const { body } = await ada.open(`${LIST}?q=nothing&category=project-management`);
      expect(titlesIn(body)).to.deep.equal(['Sort my inbox']);
      expect(body).to.not.include('name="q"');
    });
  },
  { SEARCH: 'off' },
);

function titlesIn(page: string): readonly (string | undefined)[] {
  return Array.from(page.matchAll(/<a class="name"[^>]*>([^<]*)</g), ([, title]) => title);
}
