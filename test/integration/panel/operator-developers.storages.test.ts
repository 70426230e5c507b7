import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { signedIn } from '../../support/signed-in.js';

const AT = '/panel/operator/developers';

panelOnEveryStorage('The page of developers for operators', (stage) => {
  let olga: Visitor;
  const accounts = () => stage.service.container.get(CORE).accounts;
  const identities = () => stage.service.container.get(CORE).identities;
  const member = async (id: string, role: string) => {
    const visitor = await stage.developer(id);
    await accounts().setRole(OPERATOR, id, role);
    return visitor;
  };
  const latest = async () => (await stage.service.container.get(CORE).audit.list(OPERATOR)).items[0];
  const onSale = async () => (await stage.service.marketplace.listAutomations(READER)).total;
  const READER = { developerId: 'olga' as never, scopes: ['automations:read', 'automations:write'] } as const;
  const bobSells = async () => {
    const draft = { title: 'One', description: 'Two', price: 3, categoryId: 'uncategorized' };
    const bob = { ...READER, developerId: 'bob' as never };
    return (await stage.service.container.get(MARKETPLACE).createAutomation(bob, draft)).id;
  };

  beforeEach(async () => {
    olga = await member('olga', 'operator');
    await olga.open(AT);
  });

  it('lists everyone with role and status, and is in the navigation', async () => {
    await stage.service.invite('bob');
    await accounts().suspend(OPERATOR, 'bob');
    const { status, body } = await olga.open(AT);
    expect(status).to.equal(200);
    expect(body).to.include('<h1 id="title">People</h1>').and.include(`<a href="${AT}" aria-current="page">`);
    expect(body).to.match(/>bob<\/a>[^]*?>Developer<\/td>[^]*?>Suspended<[^]*?>olga<\/a>[^]*?>Operator<\/td>/);
    expect((await olga.open('/panel/keys')).body).to.include(`href="${AT}"`);
  });

  it('is found by a part of any of its names, page by page', async () => {
    for (let n = 0; n < 60; n += 1) await accounts().invite(OPERATOR, `dev-${n}`);
    await stage.stranger().accept(await stage.service.invite('ada'), 'Lovelace@example.com');
    const open = async (query: string) => (await olga.open(`${AT}?${query}`)).body;
    const linkIn = (body: string, rel: 'next' | 'prev') =>
      (new RegExp(`rel="${rel}" href="([^"]*)"`).exec(body)?.[1] ?? '').replaceAll('&amp;', '&');
    const namesIn = (body: string) => Array.from(body.matchAll(/class="name"[^>]*>([^<]*)<\/a>/g), ([, name]) => name);
    const first = await open('');
    expect(Buffer.byteLength(first)).to.be.below(60_000);
    expect(namesIn(first)).to.have.length(50);
    expect(first).to.include('62 people');
    const second = (await olga.open(linkIn(first, 'next'))).body;
    expect(namesIn(second)).to.have.length(12).and.to.include('olga');
    expect([linkIn(first, 'prev'), linkIn(second, 'next'), linkIn(second, 'prev')]).to.deep.equal(['', '', AT]);
    const found = await open('q=DEV-5');
    expect(namesIn(found)).to.have.length(11);
    expect(found).to.include('value="DEV-5"').and.include('11 people').and.not.include('rel="next"');
    const last = (await olga.open(linkIn(await open('q=dev'), 'next'))).body;
    expect(namesIn(last)).to.have.length(10);
    expect(linkIn(last, 'prev')).to.equal(`${AT}?q=dev`);
    expect(namesIn(await open('q=lovelace'))).to.deep.equal(['ada']);
    expect(await open('q=nobody'))
      .to.include('No account found')
      .and.include('Show everyone');
    expect(await open('before=nobody')).to.include('No more people');
  });

  it('leads from page to page also past a developer with the longest name', async () => {
    const names = ['a', 'b'].map((letter) => letter.repeat(64));
    for (const name of names) await accounts().invite(OPERATOR, name);
    for (let n = 0; n < 49; n += 1) await accounts().invite(OPERATOR, `dev-${n}`);
    const [next] = /[^"]*before=[^"]*/.exec((await olga.open(AT)).body) ?? [''];
    const { status, body } = await olga.open(next);
    expect(status).to.equal(200);
    expect(body)
      .to.include(`>${String(names[0])}</a>`)
      .and.not.include(`>${String(names[1])}</a>`);
  });

  it('invites a developer whose name another one has in public, and says so', async () => {
    await stage.service.invite('bob');
    const bob = { developerId: 'bob' as never, scopes: [] };
    await stage.service.container.get(CORE).profiles.change(signedIn(bob), { publicName: 'Eve' });
    const shown = await olga.submit(AT, { developer: 'eve', role: '' });
    expect(shown.body).to.include('id="new-link"').and.include('<strong>bob</strong> is already shown as');
    expect(shown.body).to.include('<strong dir="auto">Eve</strong>, which looks like this name.');
    expect((await olga.submit(AT, { developer: 'zoe', role: '' })).body).to.not.include('is already shown as');
  });

  it('invites with a role, and shows the link once', async () => {
    const form = { developer: 'bob', role: 'buyer', formId: '01234567-89ab-cdef-0123-456789abcdef' };
    const shown = await olga.submit(AT, form);
    const link = /id="new-link"[^>]*>([^<]*)</.exec(shown.body)?.[1] ?? '';
    expect(shown.headers.get('cache-control')).to.include('no-store');
    expect(await latest()).to.include({ action: 'developer-invited', operatorId: 'olga', developerId: 'bob' });
    const again = await olga.submit(AT, form);
    expect([again.status, again.body.includes('id="new-link"')]).to.deep.equal([409, false]);
    await stage.stranger().accept(link, 'bob@example.com');
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ role: 'buyer', status: 'active' });
    expect(await accounts().find(OPERATOR, 'olga')).to.include({ role: 'operator' });
  });

  it('keeps the role of an account that is invited again, unless another is chosen', async () => {
    await member('bob', 'buyer');
    await olga.submit(AT, { developer: 'bob', role: '' });
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ role: 'buyer' });
  });

  it('says next to each field what is wrong', async () => {
    const name = await olga.submit(AT, { developer: 'Bob <b>', role: '' });
    expect(name.status).to.equal(422);
    expect(name.body).to.include('id="developer-message">Name ').and.include('value="Bob &lt;b>"'.replace('>', '&gt;'));
    const role = await olga.submit(AT, { developer: 'bob', role: 'king' });
    expect(role.body).to.include('id="role-message">Role must be one of').and.include('value="bob"');
    expect(await accounts().find(OPERATOR, 'bob')).to.equal(undefined);
  });

  it('changes a role', async () => {
    await member('bob', 'developer');
    const wrong = await olga.submit(`${AT}/bob/role`, { role: 'king' });
    expect([wrong.status, wrong.body.includes('id="role-message">Role must')]).to.deep.equal([422, true]);
    const saved = await olga.submit(`${AT}/bob/role`, { role: 'buyer' });
    expect([saved.status, saved.headers.get('location')]).to.deep.equal([303, `${AT}/bob?notice=role`]);
    expect((await olga.open(`${AT}/bob`)).body).to.include('value="buyer" selected');
    expect(await latest()).to.include({ action: 'developer-role-changed', operatorId: 'olga', role: 'buyer' });
  });

  it('shows an account a new sign-in link from its page, and changes its sign-in name', async () => {
    await member('bob', 'developer');
    const page = (await olga.open(`${AT}/bob`)).body;
    expect(page).to.include('New sign-in link').and.include('<input type="hidden" name="developer" value="bob">');
    const shown = await olga.submit(AT, { developer: 'bob' });
    expect(shown.body).to.include('id="new-link"');
    const wrong = await olga.submit(`${AT}/bob/name`, { name: 'olga@example.com' });
    expect([wrong.status, wrong.body.includes('id="name-message">Another account has this name')]).to.deep.equal([
      422,
      true,
    ]);
    const saved = await olga.submit(`${AT}/bob/name`, { name: 'robert@example.com' });
    expect([saved.status, saved.headers.get('location')]).to.deep.equal([303, `${AT}/bob?notice=name`]);
    expect((await olga.open(`${AT}/bob?notice=name`)).body).to.include('The sign-in name is changed.');
    expect(await latest()).to.include({ action: 'sign-in-name-changed', operatorId: 'olga' });
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ signInName: 'robert@example.com' });
  });

  it('shows the issuer and the subject of one who came with a token, and finds them by the subject', async () => {
    const id = await identities().accountOf({ issuer: 'https://id.example', subject: '<ann>@id.example' });
    await member('bob', 'developer');
    const found = (await olga.open(`${AT}?q=${encodeURIComponent('<ann>@id.example')}`)).body;
    expect(found).to.include(`href="${AT}/${id}"`).and.include('1 person').and.not.include(`href="${AT}/bob"`);
    const { body } = await olga.open(`${AT}/${id}`);
    expect(body)
      .to.include('<dt>Issuer</dt><dd dir="auto">https://id.example</dd>')
      .and.include('<dt>Subject</dt><dd dir="auto">&lt;ann&gt;@id.example</dd>')
      .and.include('New sign-in link')
      .and.not.include('Change sign-in name');
    expect((await olga.open(`${AT}/bob`)).body).to.not.include('<dt>Subject</dt>');
  });

  it('suspends and restores, and leaves on sale what is on sale', async () => {
    const bob = await member('bob', 'developer');
    await bobSells();
    expect((await olga.open(`${AT}/bob/suspend`)).body).to.include('Suspend bob?');
    const refused = await olga.submit(`${AT}/bob/suspend`, { reason: 'Spam' });
    expect([refused.status, refused.body.includes('id="reason-message">Reason is kept')]).to.deep.equal([422, true]);
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ status: 'active' });
    const suspended = await olga.submit(`${AT}/bob/suspend`, { withdraw: 'no', reason: '' });
    expect(suspended.headers.get('location')).to.equal(`${AT}/bob?notice=suspended`);
    expect(await latest()).to.include({ action: 'developer-suspended', operatorId: 'olga' });
    expect([(await bob.open('/panel/keys')).status, await onSale()]).to.deep.equal([303, 1]);
    expect((await olga.open(`${AT}/bob`)).body).to.include(`action="${AT}/bob/restore"`);
    await olga.submit(`${AT}/bob/restore`, {});
    expect(await latest()).to.include({ action: 'developer-restored', operatorId: 'olga' });
    expect(await accounts().find(OPERATOR, 'bob')).to.include({ status: 'active' });
  });

  it('suspends and withdraws with a reason, or does neither', async () => {
    await member('bob', 'developer');
    const id = await bobSells();
    const long = await olga.submit(`${AT}/bob/suspend`, { withdraw: 'yes', reason: 'x'.repeat(10_000) });
    expect([long.status, long.body.includes('id="reason-message">Reason ')]).to.deep.equal([422, true]);
    expect([(await accounts().find(OPERATOR, 'bob'))?.status, await onSale()]).to.deep.equal(['active', 1]);
    const done = await olga.submit(`${AT}/bob/suspend`, { withdraw: 'yes', reason: 'Spam' });
    const told = (await olga.open(done.headers.get('location') ?? '')).body;
    expect(told).to.include('The account is suspended, and 1 automation was withdrawn.');
    expect([(await accounts().find(OPERATOR, 'bob'))?.status, await onSale()]).to.deep.equal(['suspended', 0]);
    const withdrawal = { action: 'automation-withdrawn', operatorId: 'olga', subject: id };
    expect(await latest()).to.include(withdrawal);
  });

  it('has no page for names that nobody has', async () => {
    for (const name of ['nobody', 'No Body', '%E0', 'oauth:ada'])
      expect((await olga.open(`${AT}/${encodeURIComponent(name)}`)).status, name).to.equal(404);
  });
});
