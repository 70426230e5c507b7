import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { newKeyIn } from '../../support/panel-visitor.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** In milliseconds, for a machine that is busy with other things. */
const TOLERANCE_MS = 30_000;
const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const OFFER = { title: 'One', description: 'Two', price: '3.50', categoryId: 'uncategorized' };

panelOnEveryStorage('The panel in detail', (stage) => {
  const keysOf = () => issuedKeys(stage.service.container.get(CORE).keys, signedIn(ADA));

  it('makes keys that last as long as was chosen, 90 days unless something else is', async () => {
    const ada = await stage.developer('ada');
    expect((await ada.open('/panel/keys')).body).to.match(/<option value="90" selected>/);
    for (const expires of ['7', '30', '90', '365', 'none'])
      await ada.submit('/panel/keys', { name: 'K', expires, scopes: 'automations:read' });
    expect((await keysOf()).map(({ lifetime }) => lifetime)).to.deep.equal([
      7 * DAY,
      30 * DAY,
      90 * DAY,
      365 * DAY,
      undefined,
    ]);
  });

  it('has a rotated key work on for as long as was chosen, 24 hours unless something else is', async () => {
    const ada = await stage.developer('ada');
    for (const [n, [overlap, lasts]] of (
      [
        ['0', 0],
        ['1', HOUR],
        ['24', DAY],
        ['168', 7 * DAY],
      ] as const
    ).entries()) {
      const { key } = await stage.service.container
        .get(CORE)
        .keys.issue(OPERATOR, { developer: 'ada', name: `key ${n}` });
      const path = `/panel/keys/${key.id}/rotate`;
      expect((await ada.open(path)).body).to.match(/<option value="24" selected>/);
      expect((await ada.submit(path, { overlap: '5' })).status).to.equal(422);
      const began = Date.now();
      expect((await ada.submit(path, { overlap })).status).to.equal(200);
      const old = (await keysOf()).find(({ id }) => id === key.id);
      expect((old?.expiresAt ?? expect.fail()).getTime() - began, overlap).to.be.within(lasts, lasts + TOLERANCE_MS);
    }
  });

  it('has a line for the shell only where it works, and never with what a shell would run', async () => {
    const ada = await stage.developer('ada');
    const key = { name: 'K', expires: '7' };
    const plain = { Origin: undefined, 'Sec-Fetch-Site': 'same-origin' };
    const strange = await ada.submit(
      '/panel/keys',
      { ...key, scopes: 'automations:read' },
      { headers: { ...plain, Host: 'x;id' } },
    );
    expect([strange.status, newKeyIn(strange.body).slice(0, 4)]).to.deep.equal([200, 'amk_']);
    const writing = await ada.submit('/panel/keys', { ...key, scopes: 'automations:write' });
    const reading = await ada.submit('/panel/keys', { ...key, scopes: 'automations:read' });
    expect([strange, writing, reading].map(({ body }) => body.includes('id="curl"'))).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it('says in the history by whom it was, and marks what was not one’s own doing', async () => {
    const ada = await stage.developer('ada');
    await stage.stranger().signIn('ada@example.com', 'wrong');
    await stage.service.container.get(CORE).audit.settled();
    const { body } = await ada.open('/panel/history');
    expect(Array.from(body.matchAll(/class="who-did">([^<]*)</g), ([, who]) => who)).to.deep.equal([
      'Unknown',
      'You',
      'You',
      'The operator',
    ]);
    expect(body).to.include('class="name soon">Sign-in failed').and.include('class="name">Signed in');
  });

  it('greets who comes back by their name, and ends the session that the browser had', async () => {
    const bob = await stage.developer('bob');
    const thief = stage.stranger();
    for (const [name, value] of bob.cookies) thief.cookies.set(name, value);
    await stage.developer('ada');
    const link = await stage.service.invite('ada');
    expect((await bob.open(new URL(link).pathname)).body)
      .to.include('Choose a new password</h1>')
      .and.include('value="ada@example.com"');
    await bob.accept(link, 'ada@example.com');
    expect((await bob.open('/panel/keys')).body).to.include('ada@example.com');
    expect((await thief.open('/panel')).headers.get('location')).to.equal('/panel/sign-in?notice=ended');
  });

  it('takes a form as people fill it in', async () => {
    const ada = await stage.developer('ada');
    const empty = (await ada.open('/panel/automations/new')).body;
    expect(empty)
      .to.include('name="price" value=""')
      .and.include('<option value="">Choose one')
      .and.not.match(/<option [^>]*selected/)
      .and.not.include('not published yet');
    const wrong = await ada.submit('/panel/automations/new', { ...OFFER, title: '', step: 'preview' });
    expect([wrong.status, wrong.body.includes('not published yet')]).to.deep.equal([422, false]);
    const published = await ada.submit('/panel/automations/new', {
      ...OFFER,
      description: 'D\rE\r\nF',
      price: ' 1.5 ',
    });
    expect(published.status).to.equal(303);
    const { items } = await stage.service.container.get(CORE).records.find(signedIn(ADA));
    expect(items.map(({ automation: { description, price } }) => [description, price.minorUnits])).to.deep.equal([
      ['D\nE\nF', 150],
    ]);
    const address = published.headers.get('location')?.replace(/\?.*/, '') ?? '';
    expect((await ada.submit(`${address}/withdraw`, { reason: ' \r\n ' })).status).to.equal(303);
    expect((await ada.open('/panel/Keys')).status).to.equal(404);
  });

  it('has forms that browsers and password managers know', async () => {
    const ada = await stage.developer('ada');
    const bodyOf = async (path: string) => (await stage.stranger().open(path)).body;
    expect(await bodyOf('/panel/sign-in'))
      .to.include('type="password" autocomplete="current-password"')
      .and.include('autocomplete="username"');
    const welcome = await bodyOf(new URL(await stage.service.invite('bob')).pathname);
    expect(welcome).to.include('type="password" autocomplete="new-password"').and.include('autocomplete="username"');
    expect((await ada.open('/panel/keys')).body).to.match(/name="formId" value="[^"]+" autocomplete="off"/);
  });

  it('says to those who cannot see it where one is, what was done and what is wrong', async () => {
    const ada = await stage.developer('ada');
    await ada.createKey('Laptop');
    const [key] = await keysOf();
    const keys = (await ada.open('/panel/keys?notice=revoked')).body;
    expect(keys)
      .to.include('href="/panel/keys" aria-current="page"')
      .and.include('<a class="skip" href="#content">')
      .and.include('<p class="notice" role="status">');
    for (const button of ['Rotate', 'Revoke'])
      expect(keys).to.include(`aria-describedby="key-${String(key?.id)}">${button}<`);
    const wrongKey = (await ada.submit('/panel/keys', { name: '' })).body;
    expect(wrongKey)
      .to.match(/<title>Error: /)
      .and.match(/id="name"[^>]*aria-describedby="name-hint name-message" aria-invalid="true"/);
    const wrongOffer = (await ada.submit('/panel/automations/new', { ...OFFER, title: '' })).body;
    expect(wrongOffer).to.match(/id="title"[^>]*aria-describedby="title-hint title-message" aria-invalid="true"/);
    const refused = (await stage.stranger().signIn('ada@example.com', 'wrong')).body;
    expect(refused)
      .to.match(/<title>Error: /)
      .and.include('role="alert" id="problem"')
      .and.match(/id="password"[^>]*aria-describedby="problem password-message"/);
  });
});
