import { expect } from 'chai';
import { minorUnits, OPERATOR, parseDeveloperId, type CategoryId } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { offerWithFile, store, USD } from '../../contracts/offers.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';

const LIST = '/panel/operator/reports';
const DRAFT = { title: 'Sorts <mail>', description: 'Every morning.' };
const FREE = { minorUnits: minorUnits(0), currency: USD };
const FILE = Buffer.from('Do this.');
const VISITOR = { isVisitor: true, origin: { address: '192.0.2.1' } } as const;
const HOSTILE = `<script>alert(1)</script>${'x'.repeat(500)}`;
const UNKNOWN = '01900000-0000-7000-8000-000000000009';

panelOnEveryStorage('The pages of reports for operators', (stage) => {
  let ada: Visitor;
  let olga: Visitor;
  let id: string;
  let sha256: string;

  const core = () => stage.service.container.get(CORE);
  const reports = () => core().reports ?? expect.fail();
  let made = 0;
  const create = async () => {
    made += 1;
    const offer = offerWithFile(made, FILE, { ...DRAFT, categoryId: 'crm-and-sales' as CategoryId, price: FREE });
    await store(stage.service.repositories.automations, offer);
    return offer.automation;
  };
  const actions = async () => (await core().audit.list(OPERATOR)).items.slice(0, 2).map(({ action }) => action);

  beforeEach(async () => {
    [ada, olga] = [await stage.developer('ada'), await stage.developer('olga')];
    await core().accounts.setRole(OPERATOR, 'olga', 'operator');
    const { id: first, file } = await create();
    [id, sha256] = [first, file?.sha256 ?? ''];
    await olga.open(LIST);
  });

  it('list each automation with its count and kinds, and are in the navigation', async () => {
    expect((await olga.open(LIST)).body)
      .to.include('No open reports')
      .and.include(`href="${LIST}" aria-current="page"`);
    for (const kind of ['dangerous', 'other', 'other']) await reports().report(VISITOR, id, { kind });
    const { status, body } = await olga.open(LIST);
    expect(status).to.equal(200);
    expect(body)
      .to.match(/>Sorts &lt;mail><|>Sorts &lt;mail&gt;</)
      .and.include(`href="${LIST}/${id}"`);
    expect(body).to.match(/tag warn">Dangerous<[^]*>Other<[^]*>On sale<[^]*>3</);
  });

  it('come in parts, with all that are open of one automation', async () => {
    for (let n = 0; n < 30; n += 1) {
      const { id: other } = await create();
      await reports().report(VISITOR, other, { kind: 'other' });
      await reports().report(VISITOR, id, { kind: 'other', text: `Text ${n}.` });
    }
    const links = (body: string) => Array.from(body.matchAll(/operator\/reports\/([\w-]{36})"/g), ([, found]) => found);
    const first = await olga.open(LIST);
    const next = /href="([^"]*before=[^"]*)"/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await olga.open(next);
    const all = [...links(first.body), ...links(second.body)];
    expect([links(first.body).length, new Set(all).size]).to.deep.equal([25, 31]);
    const one = await olga.open(`${LIST}/${id}`);
    expect(one.body).to.include('Text 29.').and.include('Text 0.');
    expect(Buffer.byteLength(first.body)).to.be.below(60_000);
  });

  it('show what was said as text, who said it, and no button for a file where nothing is dangerous', async () => {
    await reports().report(VISITOR, id, { kind: 'misleading', text: HOSTILE });
    await reports().report({ isSignedIn: true, developerId: parseDeveloperId('ada'), role: 'developer' }, id, {
      kind: 'other',
    });
    const { body } = await olga.open(`${LIST}/${id}`);
    expect(body).to.include('&lt;script').and.include('x'.repeat(500)).and.not.include('<script>alert');
    expect(body)
      .to.include('Not signed in')
      .and.include('192.0.2.1')
      .and.match(/who-did"[^>]*>ada</);
    expect(body).to.include('>Withdraw<').and.include('>Dismiss<').and.not.include('name="refuse"');
  });

  it('dismiss them all, with an entry', async () => {
    await reports().report(VISITOR, id, { kind: 'other' });
    await olga.open(`${LIST}/${id}`);
    const { status, headers } = await olga.submit(`${LIST}/${id}/dismiss`, {});
    expect([status, headers.get('location')]).to.deep.equal([303, `${LIST}?notice=dismissed`]);
    expect((await olga.open(`${LIST}?notice=dismissed`)).body).to.include('The reports are dismissed.');
    expect((await olga.open(`${LIST}/${id}`)).body)
      .to.include('Dismissed')
      .and.include('Earlier reports');
    expect((await actions())[0]).to.equal('reports-dismissed');
    expect((await core().catalogue.read(id))?.withdrawn).to.equal(undefined);
    const again = await olga.submit(`${LIST}/${id}/dismiss`, {});
    expect([again.status, again.body.includes('Another operator has closed these reports')]).to.deep.equal([422, true]);
  });

  it('withdraw the automation with a reason, which its developer reads, and not who reported', async () => {
    await reports().report(VISITOR, id, { kind: 'not-theirs', text: 'Secret text.' });
    await olga.open(`${LIST}/${id}`);
    const blank = await olga.submit(`${LIST}/${id}/withdraw`, { reason: ' ' });
    expect(blank.status).to.equal(422);
    expect(blank.body).to.include('Reason is required.');
    const { status, headers } = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'It is of <b>another</b>.' });
    expect([status, headers.get('location')]).to.deep.equal([303, `${LIST}?notice=withdrawn`]);
    expect(await actions()).to.deep.equal(['reports-upheld', 'automation-withdrawn']);
    const seen = (await ada.open(`/panel/automations/${id}`)).body + (await ada.open('/panel/history')).body;
    expect(seen)
      .to.include('It is of &lt;b')
      .and.not.match(/olga|Secret text|192\.0\.2\.1|Closed the reports/);
    expect((await olga.open('/panel/operator/history')).body).to.include(`href="${LIST}/${id}"`);
  });

  it('refuse the file for everyone where a report says dangerous', async () => {
    const { id: other } = await create();
    await reports().report(VISITOR, id, { kind: 'dangerous' });
    expect((await olga.open(`${LIST}/${id}`)).body).to.include(`name="refuse" value="${sha256}"`);
    const wrong = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'A trap.', refuse: 'x' });
    expect([wrong.status, wrong.body.includes('This is no file that can be refused')]).to.deep.equal([422, true]);
    const { headers } = await olga.submit(`${LIST}/${id}/withdraw`, { reason: 'A trap.', refuse: sha256 });
    expect(headers.get('location')).to.equal(`${LIST}?notice=refused`);
    expect(await actions()).to.deep.equal(['file-refused', 'automation-withdrawn']);
    const found = await core().catalogue.read(other);
    expect(found && (await core().catalogue.isFileRefused(found.automation))).to.equal(true);
  });

  it('are for operators alone, with forms of their own pages, of automations that there are', async () => {
    await reports().report(VISITOR, id, { kind: 'other' });
    for (const path of [LIST, `${LIST}/${id}`]) expect((await ada.open(path)).status).to.equal(404);
    expect((await ada.open('/panel')).body).not.to.include(LIST);
    await ada.open('/panel/keys');
    for (const action of ['dismiss', 'withdraw']) {
      expect((await ada.submit(`${LIST}/${id}/${action}`, { reason: 'x' })).status).to.equal(404);
      const foreign = { headers: { Origin: 'https://elsewhere.example' } };
      expect((await olga.submit(`${LIST}/${id}/${action}`, { reason: 'x' }, foreign)).status).to.equal(403);
      expect((await olga.submit(`${LIST}/${id}/${action}`, { reason: 'x' }, { withToken: false })).status).to.equal(
        403,
      );
      expect((await olga.submit(`${LIST}/${UNKNOWN}/${action}`, { reason: 'x' })).status).to.equal(404);
    }
    expect((await olga.open(`${LIST}/${UNKNOWN}`)).status).to.equal(404);
    expect((await reports().list(OPERATOR)).items).to.have.length(1);
  });
});
