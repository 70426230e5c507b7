import { expect } from 'chai';
import { decodeJwt } from 'jose';
import * as oauth from 'openid-client';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { askForDevice, enterCode } from '../../support/oauth-device.js';
import { OAuthStage, type Member } from '../../support/oauth-stage.js';
import { FORM } from './hostile/market.js';

const READ = 'automations:read';

describe('A client of OpenID Connect', () => {
  let stage: OAuthStage;
  let ada: Member;
  let app: OAuthApp;
  before(async () => {
    stage = await OAuthStage.start();
    ada = await stage.member();
    app = await OAuthApp.of(stage.url, await stage.register(ada.by, 'web'));
  });
  after(() => stage.close());

  for (const scope of ['openid', 'openid profile email', 'profile email', 'offline_access', ''])
    it(`that asks for the scope "${scope}" reads alone, as if it had asked for none`, async () => {
      const { access_token: token, scope: granted = '' } = await app.connect(ada.visitor, { scope });
      expect(granted.split(' ')).to.include(READ).and.not.include('automations:write');
      expect([await stage.read(token), await stage.publish(token)]).to.deep.equal([200, 403]);
    });

  it('gets an ID token with its nonce where it asks for openid', async () => {
    const asked = await app.ask({ scope: 'openid', nonce: 'n', max_age: '60' });
    const callback = new URL(await answer(ada.visitor, asked.url, 'allow'));
    const tokens = await oauth.authorizationCodeGrant(app.config, callback, {
      pkceCodeVerifier: asked.verifier,
      expectedState: 'state of the app',
      expectedNonce: 'n',
      maxAge: 60,
    });
    expect(decodeJwt(String(tokens.id_token))).to.include({ sub: ada.by.developerId, nonce: 'n' });
  });

  const IGNORED: readonly Readonly<Record<string, string>>[] = [
    { nonce: 'n' },
    { max_age: '0' },
    { max_age: '3600' },
    { acr_values: '1' },
    { claims: '{}' },
    { claims_locales: 'de' },
    { id_token_hint: 'x' },
    { prompt: 'select_account' },
    { prompt: 'select_account consent' },
    { prompt: 'login' },
    { display: 'popup' },
    { ui_locales: 'de' },
    { login_hint: 'ada@example.com' },
  ];
  for (const more of IGNORED)
    it(`that sends ${JSON.stringify(more)} without openid gets what it asks for`, async () => {
      const { access_token: token } = await app.connect(ada.visitor, { scope: `${READ} automations:write`, ...more });
      expect([await stage.read(token), await stage.publish(token)]).to.deep.equal([200, 201]);
    });

  it('that is a device, or a machine, gets what it gets without scopes of OpenID Connect', async () => {
    const device = await OAuthApp.of(stage.url, await stage.register(ada.by, 'native'));
    const waiting = await askForDevice(device, 'openid profile');
    await enterCode(ada.visitor, waiting);
    const { scope = '' } = await oauth.pollDeviceAuthorizationGrant(device.config, { ...waiting, interval: 0 });
    expect(scope.split(' ')).to.include(READ).and.not.include('automations:write');
    const machine = await OAuthApp.of(stage.url, await stage.register(ada.by, 'machine'));
    for (const asked of ['openid', 'openid profile', `openid ${READ} automations:write`])
      expect((await oauth.clientCredentialsGrant(machine.config, { scope: asked })).scope).to.equal(
        `${READ} automations:write`,
      );
  });

  it('that sends its request as a form is led to the same question (RFC 6749, section 3.1)', async () => {
    const { url, verifier } = await app.ask();
    const sent = await ada.visitor.submit('/oauth/auth', Object.fromEntries(url.searchParams), { withToken: false });
    expect(sent.status).to.equal(303);
    const question = sent.headers.get('location') ?? '';
    await ada.visitor.open(question);
    expect(question).to.match(/^\/panel\/consent\/[\w-]+$/);
    const resume = (await ada.visitor.submit(question, { answer: 'allow' })).headers.get('location') ?? '';
    const { pathname, search } = new URL(resume, stage.url);
    const callback = (await ada.visitor.open(pathname + search)).headers.get('location') ?? '';
    expect((await app.exchange(callback, { verifier })).scope).to.equal(`${READ} automations:write`);
  });

  it('whose form is in the log as what it was', async () => {
    const logging = await OAuthStage.start({ settings: { LOG_LEVEL: 'info' } });
    const headers = { 'Content-Type': FORM };
    await fetch(`${logging.url}/oauth/auth`, { method: 'POST', headers, body: 'client_id=x', redirect: 'manual' });
    expect(logging.service.logged.find((line) => line.includes('/oauth/'))).to.include('"POST"');
    await logging.close();
  });
});

describe('An app without a secret', () => {
  let stage: OAuthStage;
  let ada: Member;
  before(async () => {
    stage = await OAuthStage.start();
    ada = await stage.member();
  });
  after(() => stage.close());

  for (const [registered, asked] of [
    ['http://localhost', 'http://localhost:1234/'],
    ['http://localhost/', 'http://localhost:1234'],
    ['http://127.0.0.1', 'http://127.0.0.1:1234/?a=b'],
    ['http://[::1]?a=b', 'http://[::1]:1234/?a=b'],
  ] as const)
    it(`that registered ${registered} is led back to ${asked}`, async () => {
      const redirectUris = [registered, 'http://127.0.0.1/?a=b'];
      const native = await stage.register(ada.by, 'native', { redirectUris });
      const { url } = await (await OAuthApp.of(stage.url, native, asked)).ask();
      const back = new URL(await answer(ada.visitor, url, 'allow'));
      expect([back.origin, back.searchParams.has('code')]).to.deep.equal([new URL(asked).origin, true]);
    });

  for (const asked of ['http://localhost:1234/x', 'http://localhost:1234//', 'http://localhost.example:1234/'])
    it(`that registered http://localhost is not led back to ${asked}`, async () => {
      const native = await stage.register(ada.by, 'native', { redirectUris: ['http://localhost'] });
      const { url } = await (await OAuthApp.of(stage.url, native, asked)).ask();
      const { status, body } = await ada.visitor.open(url.pathname + url.search);
      expect([status, body.includes('invalid_redirect_uri')]).to.deep.equal([400, true]);
    });

  const ways: Readonly<Record<string, (id: string) => Readonly<Record<string, string>>>> = {
    alone: () => ({}),
    'and in the form': (id) => ({ client_id: id }),
  };
  for (const [way, more] of Object.entries(ways))
    it(`may send its id as the user name of HTTP Basic ${way}, without a password`, async () => {
      const registered = await stage.register(ada.by, 'native');
      const { id } = registered.app;
      const app = await OAuthApp.of(stage.url, registered);
      const tokens = await app.connect(ada.visitor);
      const sent = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token), ...more(id) };
      const headers = { Authorization: `Basic ${btoa(`${id}:`)}` };
      const body = new URLSearchParams(sent);
      const answered = await fetch(`${stage.url}/oauth/token`, { method: 'POST', headers, body });
      expect(answered.status).to.equal(200);
    });

  it('may not send another id in the form', async () => {
    const [one, other] = [await stage.register(ada.by, 'native'), await stage.register(ada.by, 'native')];
    const headers = { Authorization: `Basic ${btoa(`${one.app.id}:`)}` };
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: other.app.id });
    const answered = await fetch(`${stage.url}/oauth/token`, { method: 'POST', headers, body });
    expect([answered.status, await answered.json()]).to.have.nested.property('[1].error', 'invalid_request');
  });
});
