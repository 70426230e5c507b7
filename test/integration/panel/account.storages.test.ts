import { expect } from 'chai';
import { CORE } from '../../../composition/tokens.js';
import type { DeveloperId } from '../../../domain/access.js';
import { PASSWORD } from '../../support/panel.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { OPERATOR } from '../../../domain/access.js';

const NEW = 'tulip-harbour-9-slate';
const AT = '/panel/account';

panelOnEveryStorage('The account page', (stage) => {
  let ada: Visitor;
  beforeEach(async () => {
    ada = await stage.developer('ada');
    await ada.open(AT);
  });

  const shown = (id: string) => stage.service.container.get(CORE).profiles.show(id as DeveloperId);
  const secondBrowser = async (password = PASSWORD) => {
    const other = stage.stranger();
    await other.signIn('ada@example.com', password);
    await other.open(AT);
    return other;
  };
  const isSignedIn = async (visitor: Visitor) => (await visitor.open(AT)).status === 200;

  it('takes a public name and a website, and says next to each field what is wrong', async () => {
    const saved = await ada.submit(`${AT}/profile`, { publicName: ' Ada <Ltd> ', website: 'https://ada.example' });
    expect([saved.status, saved.headers.get('location')]).to.deep.equal([303, `${AT}?notice=profile`]);
    expect(await shown('ada')).to.deep.equal({ id: 'ada', name: 'Ada <Ltd>', website: 'https://ada.example' });
    expect((await ada.open(AT)).body)
      .to.include('value="Ada &lt;Ltd&gt;"')
      .and.include('value="https://ada.example"');
    const wrong = await ada.submit(`${AT}/profile`, { publicName: '🙂', website: 'http://ada.example' });
    expect(wrong.status).to.equal(422);
    expect(wrong.body).to.include('-message">Public name must have a letter or a digit.').and.include('value="🙂"');
    expect(wrong.body).to.include('-message">Website must be an address that begins with https://.');
    await ada.submit(`${AT}/profile`, { publicName: '', website: '' });
    expect(await shown('ada')).to.deep.equal({ id: 'ada', name: '@ada' });
  });

  it('refuses a public name that shows another developer or the house, and says why', async () => {
    const bob = await stage.developer('bob');
    await ada.submit(`${AT}/profile`, { publicName: 'Zoë', website: '' });
    for (const [publicName, why] of [
      ['ZOË', 'is the name of another developer, or looks like it; choose another.'],
      ['Ada', 'is the name of another developer, or looks like it; choose another.'],
      ['Support', 'is kept for the marketplace itself; choose another.'],
      ['ВоЬ', undefined],
      ['Воb', 'must not mix letters of different scripts in one word.'],
    ] as const) {
      const answer = await bob.submit(`${AT}/profile`, { publicName, website: '' });
      expect(answer.status, publicName).to.equal(why === undefined ? 303 : 422);
      if (why !== undefined) expect(answer.body).to.include(`-message">Public name ${why}`).and.include(publicName);
    }
    expect(await shown('bob')).to.include({ name: 'ВоЬ' });
  });

  it('names in every form with a password whose it is, for password managers', async () => {
    const forms = Array.from((await ada.open(AT)).body.matchAll(/<form.*?<\/form>/gs), ([form]) => form);
    const withPassword = forms.filter((form) => form.includes('type="password"'));
    expect(withPassword).to.have.length(2);
    for (const form of withPassword)
      expect(/<input[^>]*autocomplete="username"[^>]*>/.exec(form)?.[0]).to.match(/value="ada[^"]*"/i);
  });

  it('changes the password, which ends all other sessions', async () => {
    const other = await secondBrowser();
    const wrong = await ada.submit(`${AT}/password`, { current: 'wrong', password: 'short' });
    expect(wrong.status).to.equal(422);
    expect(wrong.body).to.include('-message">Current password is wrong.');
    expect(wrong.body).to.include('-message">New password must have');
    expect(wrong.body).to.not.include('value="wrong"').and.not.include('value="short"');
    expect(await isSignedIn(other)).to.equal(true);
    const saved = await ada.submit(`${AT}/password`, { current: PASSWORD, password: NEW });
    expect(saved.headers.get('location')).to.equal(`${AT}?notice=password`);
    expect([await isSignedIn(ada), await isSignedIn(other)]).to.deep.equal([true, false]);
    expect((await stage.stranger().signIn('ada@example.com')).status).to.equal(403);
    expect(await isSignedIn(await secondBrowser(NEW))).to.equal(true);
  });

  it('waits after too many wrong passwords', async () => {
    for (let n = 0; n < 5; n += 1) await ada.submit(`${AT}/password`, { current: 'wrong', password: NEW });
    const slowed = await ada.submit(`${AT}/password`, { current: PASSWORD, password: NEW });
    expect(slowed.status).to.equal(429);
    expect(Number(slowed.headers.get('retry-after'))).to.be.greaterThan(0);
  });

  it('changes the sign-in name', async () => {
    await stage.developer('bob');
    const taken = await ada.submit(`${AT}/sign-in-name`, { name: 'BOB@example.com', nameCurrent: PASSWORD });
    expect(taken.body).to.include('-message">This name is taken. Choose another.');
    expect(taken.body).to.include('value="BOB@example.com"');
    const wrong = await ada.submit(`${AT}/sign-in-name`, { name: 'countess', nameCurrent: 'wrong' });
    expect(wrong.body).to.include('id="nameCurrent-message">Current password is wrong.');
    const saved = await ada.submit(`${AT}/sign-in-name`, { name: 'countess', nameCurrent: PASSWORD });
    expect(saved.headers.get('location')).to.equal(`${AT}?notice=name`);
    expect((await stage.stranger().signIn('Countess')).status).to.equal(303);
  });

  it('lists the sessions and ends one, but none of others', async () => {
    const other = await secondBrowser();
    const bob = await stage.developer('bob');
    const [id = ''] = /[0-9a-f]{16}(?=\/end")/.exec((await ada.open(AT)).body) ?? [];
    await bob.open(AT);
    expect((await bob.submit(`${AT}/sessions/${id}/end`, {})).status).to.equal(404);
    expect(await isSignedIn(other)).to.equal(true);
    await ada.open(AT);
    expect((await ada.submit(`${AT}/sessions/${id}/end`, {})).headers.get('location')).to.equal(`${AT}?notice=ended`);
    expect([await isSignedIn(ada), await isSignedIn(other)]).to.deep.equal([true, false]);
  });

  it('signs out everywhere', async () => {
    const other = await secondBrowser();
    const answer = await ada.submit(`${AT}/sign-out-everywhere`, {});
    expect(answer.headers.get('location')).to.equal('/panel/sign-in?notice=signed-out');
    expect([await isSignedIn(ada), await isSignedIn(other)]).to.deep.equal([false, false]);
  });

  it('takes no form without the token of the session, and none from another site', async () => {
    const signIn = { current: PASSWORD, password: NEW, name: 'eve', nameCurrent: PASSWORD };
    const fields = { publicName: 'Eve', website: '', ...signIn };
    for (const form of ['profile', 'sign-in-name', 'password', 'sign-out-everywhere']) {
      expect((await ada.submit(`${AT}/${form}`, fields, { withToken: false })).status, form).to.equal(403);
      const headers = { Origin: 'https://evil.example' };
      expect((await ada.submit(`${AT}/${form}`, fields, { headers })).status, form).to.equal(403);
    }
    expect(await isSignedIn(ada)).to.equal(true);
    expect(await shown('ada')).to.include({ name: '@ada' });
  });

  it('tells a suspended person so, after the right password only', async () => {
    await stage.service.container.get(CORE).accounts.suspend(OPERATOR, 'ada');
    expect((await stage.stranger().signIn('ada@example.com', 'wrong')).body).to.include('Name or password is wrong.');
    expect((await stage.stranger().signIn('ada@example.com')).body).to.include('This account is suspended.');
  });
});

panelOnEveryStorage('A buyer in the panel', (stage) => {
  it('gets keys that read, and no others; a change of the role counts at once', async () => {
    const accounts = stage.service.container.get(CORE).accounts;
    const ada = await stage.developer('ada');
    await accounts.setRole(OPERATOR, 'ada', 'buyer');
    const { body } = await ada.open('/panel/keys');
    expect(body).to.include('id="scope-automations:read"').and.not.include('id="scope-automations:write"');
    expect(await ada.createKey('Reader', ['automations:read'])).to.match(/^amk_/);
    const form = { name: 'Writer', expires: '90', scopes: 'automations:write' };
    const refused = await ada.submit('/panel/keys', form);
    expect(refused.status).to.equal(422);
    const draft = { title: 'One', description: 'Two', price: '3', categoryId: 'uncategorized' };
    expect((await ada.submit('/panel/automations/new', draft)).status).to.equal(404);
    await accounts.setRole(OPERATOR, 'ada', 'operator');
    expect((await ada.submit('/panel/automations/new', draft)).status).to.equal(303);
  });

  it('sees the catalogue, keys and the account: the pages of those who sell are not found', async () => {
    const ada = await stage.developer('ada');
    const draft = { title: 'One', description: 'Two', price: '3', categoryId: 'uncategorized' };
    const published = (await ada.submit('/panel/automations/new', draft)).headers.get('location') ?? '';
    const one = published.slice(0, published.indexOf('?'));
    await stage.service.container.get(CORE).accounts.setRole(OPERATOR, 'ada', 'buyer');
    expect((await ada.open('/panel')).headers.get('location')).to.equal('/catalogue');
    expect((await ada.open('/catalogue')).body)
      .to.include('/panel/keys"')
      .and.not.include('/panel/automations');
    const forSellers = ['/panel/automations', one, `${one}/revise`, `${one}/withdraw`];
    for (const path of [...forSellers, '/panel/automations/new', '/panel/history'])
      expect((await ada.open(path)).status, path).to.equal(404);
    for (const path of ['/panel/automations/preview', `${one}/revise`, `${one}/withdraw`])
      expect((await ada.submit(path, draft)).status, path).to.equal(404);
    const { body } = await ada.open('/panel/account');
    const links = new Set(Array.from(body.matchAll(/<a [^>]*href="(\/panel[^"]*)"/g), ([, to]) => to));
    const ofBuyers = ['/panel', '/panel/keys', '/panel/apps', '/panel/connected', '/panel/account'];
    expect(links).to.deep.equal(new Set(ofBuyers));
  });
});
