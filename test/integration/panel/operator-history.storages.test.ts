import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES, type AuditEntry } from '../../../application/index.js';
import { API_KEY_VERIFIER, CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { historyRowsIn, type Visitor } from '../../support/panel-visitor.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const MAIL = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'uncategorized' };
const AT = '/panel/operator/history';

panelOnEveryStorage('The history of the marketplace for operators', (stage) => {
  let olga: Visitor;
  beforeEach(async () => {
    olga = await stage.developer('olga');
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'olga', 'operator');
    await olga.open(AT);
  });

  const marketplace = () => stage.service.container.get(MARKETPLACE);
  const audit = () => stage.service.container.get(CORE).audit;
  const open = async (query = '') => (await olga.open(`${AT}${query}`)).body;

  it('says in words who did what to whom, and leads to the automations', async () => {
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    await stage.service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name: 'Laptop' });
    await olga.submit('/panel/operator/developers', { developer: 'ada', role: 'buyer' });
    await olga.submit('/panel/operator/categories/uncategorized/rename', { name: 'Anything' });
    await olga.submit(`/panel/operator/automations/${id}/withdraw`, { reason: 'Spam <b>' });
    await stage.stranger().signIn('olga@example.com', 'wrong');
    const counts = { stored: 3, present: 2, failed: 1 };
    await audit().record({ actor: 'operator', action: 'import-finished', developerId: ADA.developerId, counts });
    await audit().record({ actor: 'operator', action: 'import-finished', counts });
    const body = await open();
    expect(historyRowsIn(body).slice(0, 9)).to.deep.equal([
      'Finished an import A command · * · 3 stored, 2 already there, 1 failed',
      'Finished an import for ada A command · * · 3 stored, 2 already there, 1 failed',
      'Sign-in failed olga Unknown · *',
      'Withdrew Sort my inbox olga · * · Developer: ada · Reason: Spam &lt;b&gt;',
      'Renamed the category &quot;Anything&quot; olga · *',
      'Invited ada olga · * · Role: Buyer',
      'Created the key &quot;Laptop&quot; A command · * · Developer: ada',
      'Added the account ada A command · *',
      'Published Sort my inbox ada · *',
    ]);
    expect(body).to.include('<h1>Marketplace history</h1>').and.include(`<a href="${AT}" aria-current="page">`);
    expect(body).to.include(`href="/panel/operator/automations/${id}">Sort my inbox</a>`);
  });

  it('names the key with which a program published, to operators and to its owner', async () => {
    const ada = await stage.developer('ada');
    const { keys } = stage.service.container.get(CORE);
    const { key, text } = await keys.issue(OPERATOR, { developer: 'ada', name: 'Laptop' });
    const program = await stage.service.container.get(API_KEY_VERIFIER).verify(text);
    await marketplace().createAutomation(program ?? ADA, MAIL);
    await marketplace().createAutomation({ ...ADA, credentialId: 'https://agent.example/client' }, MAIL);
    expect(historyRowsIn(await open()).slice(0, 2)).to.deep.equal([
      'Published Sort my inbox ada · * · By https://agent.example/client',
      'Published Sort my inbox ada · * · With the key &quot;Laptop&quot;',
    ]);
    expect(historyRowsIn((await ada.open('/panel/history')).body)[1]).to.equal(
      'Published Sort my inbox You · * · With the key &quot;Laptop&quot;',
    );
    await keys.revoke(OPERATOR, key.id);
    const { items } = await audit().list(OPERATOR, { developer: 'ada' });
    expect(items.filter(({ credentialId }) => credentialId === key.id)).to.have.length(1);
  });

  it('tells a seller what an operator withdrew, and not from where', async () => {
    const ada = await stage.developer('ada');
    const { id } = await marketplace().createAutomation(ADA, MAIL);
    await olga.submit(`/panel/operator/automations/${id}/withdraw`, { reason: 'Spam' });
    const { items } = await audit().list(OPERATOR, { developer: 'ada' });
    const ofRequest = (action: string) => items.find((entry) => entry.action === action)?.requestId ?? 'none';
    const [own, operators] = [ofRequest('signed-in'), ofRequest('automation-withdrawn')];
    for (const path of ['/panel/history', '/panel', `/panel/automations/${id}`])
      expect((await ada.open(path)).body, path).not.to.include(operators);
    const { body } = await ada.open('/panel/history');
    expect(historyRowsIn(body)[0]).to.match(/^Withdrew Sort my inbox /);
    expect(body).to.include(own);
    expect(await open())
      .to.include(own)
      .and.include(operators);
  });

  it('is filtered by developer and by kind', async () => {
    await marketplace().createAutomation(ADA, MAIL);
    await marketplace().createAutomation({ ...ADA, developerId: parseDeveloperId('bob') }, MAIL);
    await stage.service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name: 'Laptop' });
    await olga.submit('/panel/operator/categories', { name: 'New', id: 'new' });
    const wordsOf = async (query: string) => historyRowsIn(await open(query)).map((row) => row.replace(/ · .*/, ''));
    const all = [
      'Created the key &quot;Laptop&quot; A command',
      'Added the account ada A command',
      'Published Sort my inbox ada',
    ];
    expect(await wordsOf('?developer=ada')).to.deep.equal(all);
    expect(await wordsOf('?developer=ada&kind=keys')).to.deep.equal(['Created the key &quot;Laptop&quot; A command']);
    expect(await wordsOf('?kind=categories')).to.deep.equal(['Added the category &quot;New&quot; olga']);
    expect(await wordsOf('?kind=automations')).to.have.length(2);
    expect(await wordsOf('?kind=account&developer=ada')).to.deep.equal(['Added the account ada A command']);
    expect(await wordsOf('?kind=account&developer=bob')).to.deep.equal([]);
    expect((await wordsOf('?kind=x')).length).to.be.above(6);
    expect(await open('?developer=ada&kind=keys')).to.include('value="ada"');
  });

  it('tells of people who came with a token, and says next to the field that a name can be none', async () => {
    const { accounts, identities } = stage.service.container.get(CORE);
    const id = await identities.accountOf({ issuer: 'https://id.example', subject: '~ann?' });
    await accounts.suspend(OPERATOR, id);
    const found = await open(`?developer=${id}`);
    expect(historyRowsIn(found)).to.deep.equal([
      `Suspended the account ${id} A command · *`,
      `Added the account ${id} · *`,
    ]);
    const wrong = await olga.open(`${AT}?developer=No%20Slug`);
    expect([wrong.status, wrong.body.includes('id="developer-message">Developer must be')]).to.deep.equal([200, true]);
    expect(await open('?developer=nobody'))
      .to.include('Nothing that matches has happened yet.')
      .and.include(`action="${AT}"><button`);
  });

  it('is read in pages, from which the way back leads', async () => {
    const event = { actor: 'anonymous', action: 'sign-in-failed', developerId: ADA.developerId } as const;
    for (let n = 0; n < 40; n += 1) await audit().record(event);
    const first = await open('?developer=ada');
    expect(historyRowsIn(first)).to.have.length(25);
    const older = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await olga.open(older)).body;
    expect(historyRowsIn(second)).to.have.length(15);
    expect(second).to.include(`rel="prev" href="${AT}?developer=ada"`).and.not.include('rel="next"');
  });

  it('does not call a page the end whose kind has only older entries', async () => {
    await stage.service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name: 'Laptop' });
    const event: Pick<AuditEntry, 'actor' | 'action'> = { actor: 'operator', action: 'categories-imported' };
    // On a busy machine, a store refuses what has waited too long.
    for (let n = 0; n < 11; n += 1) await Promise.all(Array.from({ length: 91 }, () => audit().record(event)));
    const first = await open('?kind=keys');
    expect(first).to.include('There are older entries.').and.include('rel="next"').and.not.include('No older entries');
    const older = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await olga.open(older)).body).to.include('Laptop');
    expect((await audit().list(OPERATOR)).items).to.have.length(25);
  });
});
