import { expect } from 'chai';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { OPERATOR, parseDeveloperId, SCOPES, type AutomationId } from '../../../application/index.js';
import { PASSWORD } from '../../support/panel.js';
import { historyRowsIn, newKeyIn } from '../../support/panel-visitor.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const CATEGORY = 'project-management';
const OFFER = { title: 'One', description: 'Two', price: '3.50', categoryId: CATEGORY };
const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

panelOnEveryStorage('The panel', (stage) => {
  it('says on the page of a welcome link which account and which role it is for', async () => {
    const link = await stage.service.invite('ada');
    const { body } = await stage.stranger().open(new URL(link).pathname);
    expect(body.replace(/<[^>]*>/g, '')).to.include('You have been invited. Your account is ada (role: developer).');
  });

  it('leads everybody to the sign-in, and those who are signed in to the overview', async () => {
    const stranger = stage.stranger();
    const own = ['', '/keys', '/keys/x/revoke', '/automations', '/automations/new', '/automations/x', '/history'];
    for (const path of [...own, '/automations/x/revise', '/account']) {
      const next = path === '' ? '' : `?next=${encodeURIComponent(`/panel${path}`)}`;
      expect((await stranger.open(`/panel${path}`)).headers.get('location'), path).to.equal(`/panel/sign-in${next}`);
    }
    const page = await stranger.open('/panel/sign-in');
    expect(page.status).to.equal(200);
    expect(page.body).to.include('<h1>Sign in</h1>');
    const ada = await stage.developer('ada');
    expect((await ada.open('/panel/sign-in')).headers.get('location')).to.equal('/panel');
  });

  it('shows on the overview what to do first, then numbers, and what happened last', async () => {
    const ada = await stage.developer('ada');
    const open = async () => (await ada.open('/panel')).body;
    const first = await open();
    expect(first).to.include('<h1>Overview</h1>').and.include('Get started').and.not.include('class="done"');
    const key = await ada.createKey('Laptop');
    expect((await open()).match(/class="done"/g)).to.have.length(1);
    await statusWith(key);
    await ada.submit('/panel/automations/new', OFFER);
    await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));
    const later = await open();
    expect(later)
      .to.match(/Automations on sale<\/dt><dd>1</)
      .and.match(/Active keys<\/dt><dd>1</);
    expect(later).to.match(/Published<\/span> <strong dir="auto">One</);
  });

  it('takes a welcome link, a name and a password; from then on these sign in', async () => {
    const link = new URL(await stage.service.invite('ada')).pathname;
    const ada = stage.stranger();
    expect((await ada.open(link)).body).to.include('<strong>ada</strong>');
    const weak = await ada.submit(link, { name: 'Ada', password: 'password1234' }, { withToken: false });
    expect(weak.status).to.equal(422);
    expect(weak.body)
      .to.include('This password is too easy to guess')
      .and.include('value="Ada"')
      .and.not.include('password1234');
    const accepted = await ada.submit(link, { name: 'Ada', password: PASSWORD }, { withToken: false });
    expect(accepted.status).to.equal(303);
    expect((await ada.open('/panel/keys')).body).to.include('>API keys</h1>');
    const elsewhere = stage.stranger();
    expect((await elsewhere.signIn(' ADA ')).status).to.equal(303);
    expect((await elsewhere.open('/panel/keys')).status).to.equal(200);
  });

  it('creates a key that works, shows it in that answer alone, rotates and revokes it', async () => {
    const ada = await stage.developer('ada');
    const text = await ada.createKey('Laptop', ['automations:read']);
    expect(text).to.match(/^amk_[0-9A-Za-z]{36}$/);
    expect(await statusWith(text)).to.equal(200);
    const [key] = await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));
    expect(key)
      .to.include({ name: 'Laptop', lifetime: 90 * 24 * 60 * 60 * 1000 })
      .and.deep.include({ scopes: ['automations:read'] });
    const id = String(key?.id);
    const rotated = await ada.submit(`/panel/keys/${id}/rotate`, { overlap: '0' });
    expect([await statusWith(text), await statusWith(newKeyIn(rotated.body))]).to.deep.equal([401, 200]);
    const [, successor] = await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));
    expect((await ada.open(`/panel/keys/${String(successor?.id)}/revoke`)).body).to.include('Revoke this key?');
    expect((await ada.submit(`/panel/keys/${String(successor?.id)}/revoke`, {})).headers.get('location')).to.equal(
      '/panel/keys?notice=revoked',
    );
    expect(await statusWith(newKeyIn(rotated.body))).to.equal(401);
  });

  it('gives a key another name, and says beside the field what is wrong with one', async () => {
    const [ada, bob] = [await stage.developer('ada'), await stage.developer('bob')];
    const text = await ada.createKey('Laptop');
    const [key] = await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));
    const path = `/panel/keys/${String(key?.id)}/rename`;
    expect((await ada.open(path)).body).to.include('value="Laptop"');
    const wrong = await ada.submit(path, { name: ' ' });
    expect([wrong.status, wrong.body.includes('Name is required.')]).to.deep.equal([422, true]);
    expect((await ada.submit(path, { name: 'x'.repeat(101) })).body).to.include('x'.repeat(101));
    expect((await bob.submit(path, { name: 'Mine' })).status).to.equal(404);
    const renamed = await ada.submit(path, { name: ' At home ' });
    expect(renamed.headers.get('location')).to.equal('/panel/keys?notice=renamed');
    expect((await ada.open('/panel/keys?notice=renamed')).body)
      .to.include('>At home<')
      .and.include('The key has its new name.')
      .and.not.include('>Laptop<');
    expect(await statusWith(text)).to.equal(200);
    await ada.submit(`/panel/keys/${String(key?.id)}/revoke`, {});
    expect((await ada.open(path)).status).to.equal(409);
  });

  it('says beside each field of a key what is wrong, and keeps what was typed', async () => {
    const ada = await stage.developer('ada');
    const wrong = await ada.submit('/panel/keys', { name: '', expires: '8' });
    expect(wrong.status).to.equal(422);
    for (const message of ['Name is required', 'Choose at least one scope', 'Expires must be from'])
      expect(wrong.body).to.match(new RegExp(`class="message" id="\\w+-message">${message}`));
    const long = await ada.submit('/panel/keys', {
      name: `K${'e'.repeat(100)}y`,
      expires: '30',
      scopes: 'automations:read',
    });
    expect(long.body)
      .to.include(`value="K${'e'.repeat(100)}y"`)
      .and.match(/value="30" selected/);
    expect(await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA))).to.deep.equal([]);
  });

  it('makes one key for each form, however often it is sent; a refused one can be sent again', async () => {
    const ada = await stage.developer('ada');
    const formId = formIdIn((await ada.open('/panel/keys')).body);
    const form = { name: 'Laptop', expires: '7', scopes: 'automations:read', formId };
    const refused = await ada.submit('/panel/keys', { ...form, name: '' });
    expect([refused.status, formIdIn(refused.body) === formId]).to.deep.equal([422, false]);
    const answers = [await ada.submit('/panel/keys', form), await ada.submit('/panel/keys', form)];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 409]);
    expect(answers[1]?.body)
      .to.include('its key was shown then')
      .and.include('value="Laptop"')
      .and.not.include('id="new-key"');
    const [key, ...others] = await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));
    expect(others).to.deep.equal([]);
    const path = `/panel/keys/${String(key?.id)}/rotate`;
    const rotation = { overlap: '24', formId: formIdIn((await ada.open(path)).body) };
    const rotations = await Promise.all([ada.submit(path, rotation), ada.submit(path, rotation)]);
    expect(rotations.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(await issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA))).to.have.length(2);
  });

  it('shows the keys that ended by pages, latest first; they cannot be rotated or revoked', async () => {
    const ada = await stage.developer('ada');
    const keys = stage.service.container.get(CORE).keys;
    const issued: string[] = [];
    for (let n = 0; n < 22; n += 1)
      issued.push((await keys.issue(OPERATOR, { developer: 'ada', name: `key ${n}` })).key.id);
    for (const id of issued.slice(1, 21)) await keys.revoke(OPERATOR, id);
    expect((await ada.open('/panel/keys')).body)
      .to.include('keys (20)')
      .and.not.include('rel="next"');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await ada.submit(`/panel/keys/${String(issued[0])}/revoke`, {});
    const { body } = await ada.open('/panel/keys');
    expect(body).to.include('keys (21)').and.include('>key 0<').and.not.include('<details class="ended" open>');
    const [next] = /\/panel\/keys\?before=[^"]*/.exec(body) ?? [''];
    const rest = (await ada.open(next)).body;
    expect(rest).to.include('<details class="ended" open>').and.include('>key 21<').and.not.include('>key 0<');
    const endedIn = (page: string) => Array.from(page.matchAll(/<li><span class="name">(key \d+)</g), ([, key]) => key);
    expect([...endedIn(body), ...endedIn(rest)].toSorted()).to.deep.equal(
      Array.from({ length: 21 }, (_, n) => `key ${n}`).toSorted(),
    );
    for (const path of ['rotate', 'revoke'])
      expect((await ada.open(`/panel/keys/${String(issued[0])}/${path}`)).status, path).to.equal(409);
  });

  it('refuses a hundred and first key in the form, to create one and to rotate one', async () => {
    const ada = await stage.developer('ada');
    const keys = stage.service.container.get(CORE).keys;
    for (let n = 0; n < 100; n += 1) await keys.issue(OPERATOR, { developer: 'ada' });
    const full = await ada.submit('/panel/keys', { name: 'One more', expires: 'none', scopes: 'automations:read' });
    expect(full.status).to.equal(409);
    expect(full.body).to.include('A developer has at most 100 keys at once').and.include('value="One more"');
    const [key] = await issuedKeys(keys, signedIn(ADA));
    const rotation = await ada.submit(`/panel/keys/${String(key?.id)}/rotate`, { overlap: '168' });
    expect(rotation.status).to.equal(409);
    expect(rotation.body).to.include('A developer has at most 100 keys at once').and.include('value="168" selected');
    expect((await ada.submit(`/panel/keys/${String(key?.id)}/rotate`, { overlap: '0' })).status).to.equal(200);
  });

  it('publishes what the form says, with line feeds for line breaks, once for each form', async () => {
    const ada = await stage.developer('ada');
    const formId = formIdIn((await ada.open('/panel/automations/new')).body);
    const offer = { ...OFFER, description: 'One\r\nTwo\r\n\vThree', formId };
    const published = await ada.submit('/panel/automations/new', offer);
    expect(published.status).to.equal(303);
    const again = await ada.submit('/panel/automations/new', offer);
    expect(again.headers.get('location')).to.equal(published.headers.get('location'));
    const { items } = await stage.service.container.get(CORE).records.find(signedIn(ADA));
    expect(items).to.have.length(1);
    expect(items[0]?.automation).to.deep.include({
      title: 'One',
      description: 'One\nTwo\n\nThree',
      price: { minorUnits: 350, currency: 'USD' },
    });
    const other = await ada.submit('/panel/automations/new', { ...offer, title: 'Other' });
    expect(other.status).to.equal(409);
    expect(other.body).to.include('This form was already sent').and.include('value="Other"').and.not.include(formId);
  });

  it('shows a preview and publishes nothing', async () => {
    const ada = await stage.developer('ada');
    const shown = await ada.submit('/panel/automations/new', { ...OFFER, step: 'preview' });
    expect(shown.status).to.equal(200);
    expect(shown.body).to.include('not published yet').and.include('$3.50').and.include('Project Management');
    const comma = await ada.submit('/panel/automations/new', { ...OFFER, price: '3,50', step: 'preview' });
    expect(comma.body).to.include('not published yet').and.include('$3.50');
    expect((await stage.service.container.get(CORE).records.find(signedIn(ADA))).items).to.deep.equal([]);
  });

  it('says beside each field of an automation what is wrong, and keeps what was typed', async () => {
    const ada = await stage.developer('ada');
    const long = 'd'.repeat(10_001);
    for (const step of ['preview', 'publish']) {
      const wrong = await ada.submit('/panel/automations/new', {
        title: ' ',
        description: long,
        price: '1,000',
        categoryId: 'none',
        step,
      });
      expect(wrong.status).to.equal(422);
      for (const message of [
        'Title is required.',
        'Description must have 1 to 10,000 characters.',
        'Price must be an amount such as 9.99 or 9,99, with at most 2 decimals and no thousands separators.',
        'Choose a category.',
      ])
        expect(wrong.body).to.include(`-message">${message}`);
      expect(wrong.body).to.include(long).and.include('value="1,000"');
    }
    const price = async (text: string) => (await ada.submit('/panel/automations/new', { ...OFFER, price: text })).body;
    expect(await price('')).to.include('Price is required.');
    expect(await price('1.234')).to.include('Price must be an amount such as 9.99');
    expect(await price('100000000')).to.include('Price must be from 0 to 99999999.99');
    expect((await stage.service.container.get(CORE).records.find(signedIn(ADA))).items).to.deep.equal([]);
  });

  it('takes the longest description there can be', async () => {
    const ada = await stage.developer('ada');
    const description = '\u{1F984}'.repeat(10_000);
    expect((await ada.submit('/panel/automations/new', { ...OFFER, description })).status).to.equal(303);
    const { items } = await stage.service.container.get(CORE).records.find(signedIn(ADA));
    expect(items[0]?.automation.description).to.equal(description);
  });

  it('pages through one’s own automations, there and back', async () => {
    const ada = await stage.developer('ada');
    for (let n = 1; n <= 45; n += 1)
      await stage.service.container
        .get(MARKETPLACE)
        .createAutomation(ADA, { title: `Number ${n}`, description: 'D', price: 1, categoryId: CATEGORY });
    const pages: string[] = [];
    for (let path: string | undefined = '/panel/automations'; path; path = linkIn(pages.at(-1) ?? '', 'next'))
      pages.push((await ada.open(path)).body);
    expect(pages.map(titlesIn)).to.deep.equal([numbers(45, 26), numbers(25, 6), numbers(5, 1)]);
    const back = await ada.open(linkIn(pages[2] ?? '', 'prev') ?? '');
    expect(titlesIn(back.body)).to.deep.equal(numbers(25, 6));
    expect(linkIn(back.body, 'prev')).to.equal('/panel/automations');
    expect(linkIn(pages[0] ?? '', 'prev')).to.equal(undefined);
  });

  it('withdraws with a reason, after asking', async () => {
    const ada = await stage.developer('ada');
    const address =
      (await ada.submit('/panel/automations/new', OFFER)).headers.get('location')?.replace(/\?.*$/, '') ?? '';
    expect((await ada.open(`${address}?notice=published`)).body).to.include('Your automation is on sale.');
    expect((await ada.open(`${address}/withdraw`)).body).to.include('Withdraw this automation?');
    const wrong = await ada.submit(`${address}/withdraw`, { reason: 'r'.repeat(1001) });
    expect(wrong.status).to.equal(422);
    expect(wrong.body).to.include('The reason must have 1 to 1,000 characters.').and.include('r'.repeat(1001));
    expect((await ada.submit(`${address}/withdraw`, { reason: '' })).headers.get('location')).to.equal(
      '/panel/automations?notice=withdrawn',
    );
    const { status, body } = await ada.open(address);
    expect([status, body.includes('<h1>Withdrawn</h1>'), body.includes('Withdrawn by you')]).to.deep.equal([
      200,
      true,
      true,
    ]);
    expect((await ada.open(`${address}/withdraw`)).status).to.equal(404);
  });

  it('shows a developer what was done to their account, and nobody else’s', async () => {
    const [ada, bob] = [await stage.developer('ada'), await stage.developer('bob')];
    await bob.createKey('Bob’s own');
    await ada.createKey('Laptop');
    await stage.stranger().signIn('ada@example.com', 'not the password');
    await stage.service.container.get(CORE).audit.settled();
    const { body } = await ada.open('/panel/history');
    const deeds = Array.from(body.matchAll(/class="name[^"]*">([^<]*)</g), ([, what]) => what);
    expect(deeds).to.deep.equal([
      'Sign-in failed',
      'Created the key',
      'Signed in',
      'Chose name and password',
      'Invited',
    ]);
    expect(body).to.include('127.0.0.1').and.include('Laptop').and.not.include('Bob');
  });

  it('shows in words what a revision changed, why one was withdrawn, what an import stored', async () => {
    const ada = await stage.developer('ada');
    const marketplace = stage.service.container.get(MARKETPLACE);
    const audit = stage.service.container.get(CORE).audit;
    const { id } = await marketplace.createAutomation(ADA, { ...OFFER, price: 1 });
    await marketplace.reviseAutomation(OPERATOR, id, { title: 'Revised', price: 2, categoryId: 'uncategorized' });
    await marketplace.withdrawAutomation(OPERATOR, id, 'It does not work.');
    const counts = { stored: 3, present: 2, failed: 1 };
    await audit.record({ actor: 'operator', action: 'import-started', developerId: ADA.developerId });
    await audit.record({ actor: 'operator', action: 'import-finished', developerId: ADA.developerId, counts });
    const { body } = await ada.open('/panel/history');
    const rows = historyRowsIn(body);
    expect(rows.slice(-8, -3)).to.deep.equal([
      'Finished an import The operator · * · 3 stored, 2 already there, 1 failed',
      'Started an import The operator · *',
      'Withdrew Revised The operator · * · Reason: It does not work.',
      'Revised Revised The operator · * · Changed title, price, and category',
      'Published Revised You · *',
    ]);
    const ofKind = async (kind: string) => (await ada.open(`/panel/history?kind=${kind}`)).body;
    expect(await ofKind('automations'))
      .to.include('Withdrew')
      .and.not.include('Signed in');
    expect(await ofKind('account'))
      .to.include('Signed in')
      .and.not.include('Withdrew');
    expect(await ofKind('keys')).to.include('Nothing that matches has happened yet.');
    expect(await ofKind('x'))
      .to.include('Withdrew')
      .and.include('Signed in');
  });

  it('shows the id where an automation is no longer in the store', async () => {
    const ada = await stage.developer('ada');
    const subject = '01980c5e-7a3b-7c4d-9e21-5f60a1b2c3d4' as AutomationId;
    const event = { actor: 'developer', action: 'automation-published', developerId: ADA.developerId } as const;
    await stage.service.container.get(CORE).audit.record({ ...event, subject });
    const { status, body } = await ada.open('/panel/history');
    expect(status).to.equal(200);
    expect(body).to.include(subject);
  });

  async function statusWith(key: string): Promise<number> {
    return (await fetch(`${stage.service.url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } })).status;
  }
});

function formIdIn(page: string): string {
  return /name="formId" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

function linkIn(page: string, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`rel="${rel}" href="([^"]+)"`).exec(page)?.[1]?.replaceAll('&amp;', '&');
}

function titlesIn(page: string): readonly number[] {
  return Array.from(page.matchAll(/>Number (\d+)</g), ([, n]) => Number(n));
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: from - to + 1 }, (_, i) => from - i);
}
