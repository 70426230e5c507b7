import { expect } from 'chai';
import { mock } from 'node:test';
import * as oauth from 'openid-client';
import { OPERATOR } from '../../../domain/access.js';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { askForDevice, connectDevice, enterCode } from '../../support/oauth-device.js';
import { OAuthStage } from '../../support/oauth-stage.js';
import { STORAGES } from '../../support/storages.js';

const BOTH = 'automations:read automations:write';

for (const [storage, fresh] of Object.entries(STORAGES))
  describe(`The authorization server, on ${storage}`, () => {
    let stage: OAuthStage;
    before(async () => {
      stage = await OAuthStage.start({ repositories: fresh() });
    });
    after(() => stage.close());

    it('gives a machine a token with which it acts for its developer', async () => {
      const { by } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'machine'));
      const { access_token: token, scope, expires_in: seconds } = await oauth.clientCredentialsGrant(app.config);
      expect([scope, seconds]).to.deep.equal([BOTH, 3600]);
      expect([await stage.read(token), await stage.publish(token)]).to.deep.equal([200, 201]);
      expect(await stage.history(by, 2)).to.deep.equal(['automation-published', 'app-registered']);
    });

    it('gives a machine no more than it was registered for, and what it asks for of that', async () => {
      const { by } = await stage.member();
      const scopes = ['automations:read'] as const;
      const reader = await OAuthApp.of(stage.url, await stage.register(by, 'machine', { scopes }));
      const { access_token: token, scope } = await oauth.clientCredentialsGrant(reader.config);
      expect([scope, await stage.publish(token)]).to.deep.equal(['automations:read', 403]);
      const write = oauth.clientCredentialsGrant(reader.config, { scope: 'automations:write' });
      expect(await write.catch((error: unknown) => error)).to.include({ error: 'invalid_scope' });
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'machine'));
      const asked = await oauth.clientCredentialsGrant(app.config, { scope: 'automations:read' });
      expect([asked.scope, await stage.publish(asked.access_token)]).to.deep.equal(['automations:read', 403]);
    });

    it('takes the secret of an app in a header and in the body', async () => {
      const { by } = await stage.member();
      const registered = await stage.register(by, 'machine');
      const ask = async (way: oauth.ClientAuth) =>
        oauth.clientCredentialsGrant((await OAuthApp.of(stage.url, registered, undefined, way)).config);
      for (const wayOf of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
        expect(await stage.read((await ask(wayOf(registered.secret))).access_token)).to.equal(200);
        expect(await refused(ask(wayOf('wrong')))).to.equal('invalid_client');
      }
    });

    it('answers at an address that it does not have with the page of the service', async () => {
      for (const method of ['GET', 'POST']) {
        const answered = await fetch(`${stage.url}/oauth/nothing`, { method, headers: { Accept: 'text/html' } });
        const isOurs = (await answered.text()).includes('The address may be wrong');
        expect([method, answered.status, isOurs]).to.deep.equal([method, 404, true]);
      }
    });

    it('shows a page for an error wherever HTML is preferred, whatever parameters its type has', async () => {
      for (const [Accept, type] of [
        ['text/html;level=1', 'text/html; charset=utf-8'],
        ['text/html;level=1, application/json;version=1;q=0.9', 'text/html; charset=utf-8'],
        ['application/json;version=1, text/html;q=0.9', 'application/json; charset=utf-8'],
      ] as const) {
        const { headers } = await fetch(`${stage.url}/oauth/token`, { method: 'POST', headers: { Accept } });
        expect([Accept, headers.get('Content-Type')]).to.deep.equal([Accept, type]);
      }
    });

    for (const kind of ['web', 'native'] as const)
      it(`gives a ${kind} app a token by code, PKCE and consent, and rotates refresh tokens`, async () => {
        const { by, visitor } = await stage.member();
        const app = await OAuthApp.of(stage.url, await stage.register(by, kind));
        const first = await app.connect(visitor);
        expect([first.scope, await stage.read(first.access_token), await stage.publish(first.access_token)])
          .to.deep //
          .equal([BOTH, 200, 201]);
        const second = await app.refresh(String(first.refresh_token));
        expect(second.refresh_token).to.be.a('string').and.not.equal(first.refresh_token);
        expect([second.scope, await stage.publish(second.access_token)]).to.deep.equal([BOTH, 201]);
        expect(await stage.history(by, 3)).to.deep.equal([
          'automation-published',
          'automation-published',
          'app-connected',
        ]);
      });

    it('gives an app what the role of the person allows, and tells the app so', async () => {
      const { visitor } = await stage.member('buyer');
      const { by } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const { access_token: token, scope } = await app.connect(visitor);
      expect([scope, await stage.read(token), await stage.publish(token)]).to.deep.equal([
        'automations:read',
        200,
        403,
      ]);
    });

    it('tells the app that a person refused', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const { url } = await app.ask();
      const { searchParams } = new URL(await answer(visitor, url, 'cancel'));
      expect([searchParams.get('error'), searchParams.get('code')]).to.deep.equal(['access_denied', null]);
      expect((await stage.core.connections.list(by)).items).to.deep.equal([]);
    });

    it('connects a device by the code that a person types, and by the address with the code in it', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      for (const way of ['typed', 'address'] as const) {
        const first = await connectDevice(app, visitor, way);
        expect([await stage.read(first.access_token), await stage.publish(first.access_token)])
          .to.deep //
          .equal([200, 201]);
        expect(await stage.read((await app.refresh(String(first.refresh_token))).access_token)).to.equal(200);
      }
      expect((await stage.core.connections.list(by)).items).to.have.length(2);
    });

    it('gives one of two polls of a device the tokens', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const device = await askForDevice(app);
      await enterCode(visitor, device);
      const polls = Array.from({ length: 5 }, () => poll(app, device.device_code));
      expect((await Promise.all(polls)).filter((error) => error === undefined)).to.have.length(1);
    });

    it('ends the tokens of an app that gives its refresh token back', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'web'));
      const { access_token: token, refresh_token: refresh = '' } = await app.connect(visitor);
      await oauth.tokenRevocation(app.config, refresh);
      expect(await stage.read(token)).to.equal(401);
      expect(await refused(app.refresh(refresh))).to.equal('invalid_grant');
      expect((await stage.core.connections.list(by)).items).to.deep.equal([]);
      expect(await stage.history(by, 2)).to.deep.equal(['app-disconnected', 'app-connected']);
    });

    it('ends a connection whose code is used twice, or its refresh token 10 seconds later', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const asked = await app.ask();
      const callback = await answer(visitor, asked.url, 'allow');
      const first = await app.exchange(callback, asked);
      expect(await refused(app.exchange(callback, asked))).to.equal('invalid_grant');
      expect(await stage.read(first.access_token)).to.equal(401);
      const second = await app.connect(visitor);
      const third = await app.refresh(String(second.refresh_token));
      expect(await app.refresh(String(second.refresh_token))).to.deep.equal(third);
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 });
      expect(await refused(app.refresh(String(second.refresh_token)))).to.equal('invalid_grant');
      mock.timers.reset();
      expect(await refused(app.refresh(String(third.refresh_token)))).to.equal('invalid_grant');
      expect(await stage.read(third.access_token)).to.equal(401);
      const reused = ['app-token-reused', 'app-connected'];
      expect(await stage.history(by, 4)).to.deep.equal([...reused, ...reused]);
    });

    it('ends the tokens of an app that is disconnected', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const { access_token: token, refresh_token: refresh } = await app.connect(visitor);
      const other = await app.connect(visitor);
      const [, first] = (await stage.core.connections.list(by)).items;
      await stage.core.connections.disconnect(by, String(first?.id));
      expect(await stage.read(token)).to.equal(401);
      expect(await refused(app.refresh(String(refresh)))).to.equal('invalid_grant');
      expect(await stage.read(other.access_token)).to.equal(200);
      expect(await stage.history(by, 1)).to.deep.equal(['app-disconnected']);
    });

    for (const who of ['its developer', 'an operator'])
      it(`ends the tokens of an app that ${who} revokes`, async () => {
        const { by, visitor } = await stage.member();
        const registered = await stage.register(by, 'native');
        const machine = await stage.register(by, 'machine');
        const app = await OAuthApp.of(stage.url, registered);
        const ofMachine = await OAuthApp.of(stage.url, machine);
        const { access_token: token, refresh_token: refresh } = await app.connect(visitor);
        const { access_token: own } = await oauth.clientCredentialsGrant(ofMachine.config);
        const actor = who === 'an operator' ? OPERATOR : by;
        for (const revoked of [registered, machine]) await stage.core.apps.revoke(actor, revoked.app.id);
        expect([await stage.read(token), await stage.read(own)]).to.deep.equal([401, 401]);
        expect(await refused(app.refresh(String(refresh)))).to.equal('invalid_client');
        expect(await refused(oauth.clientCredentialsGrant(ofMachine.config))).to.equal('invalid_client');
        expect(await stage.history(by, 2)).to.deep.equal(['app-revoked', 'app-revoked']);
      });

    it('stops the tokens of a developer who is suspended, and takes them again when that ends', async () => {
      const { by, visitor } = await stage.member();
      const maker = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(maker.by, 'native'));
      const machine = await OAuthApp.of(stage.url, await stage.register(by, 'machine'));
      const { access_token: token, refresh_token: refresh } = await app.connect(visitor);
      const { access_token: own } = await oauth.clientCredentialsGrant(machine.config);
      await stage.core.accounts.suspend(OPERATOR, by.developerId);
      expect([await stage.read(token), await stage.read(own)]).to.deep.equal([401, 401]);
      expect(await refused(oauth.clientCredentialsGrant(machine.config))).to.equal('invalid_client');
      expect(await refused(app.refresh(String(refresh)))).to.equal('invalid_grant');
      await stage.core.accounts.restore(OPERATOR, by.developerId);
      expect([await stage.read(token), await stage.read(own)]).to.deep.equal([200, 200]);
      const { access_token: next } = await app.refresh(String(refresh));
      expect(await stage.publish(next)).to.equal(201);
      expect(await stage.read((await oauth.clientCredentialsGrant(machine.config)).access_token)).to.equal(200);
    });

    it('takes the right to publish from the tokens of a developer who becomes a buyer', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const machine = await OAuthApp.of(stage.url, await stage.register(by, 'machine'));
      const tokens = [await app.connect(visitor), await oauth.clientCredentialsGrant(machine.config)];
      const uses = () => Promise.all(tokens.map(({ access_token: token }) => stage.publish(token)));
      await stage.core.accounts.setRole(OPERATOR, by.developerId, 'buyer');
      expect(await uses()).to.deep.equal([403, 403]);
      expect(await stage.read(String(tokens[0]?.access_token))).to.equal(200);
      const { access_token: refreshed } = await app.refresh(String(tokens[0]?.refresh_token));
      expect([await stage.read(refreshed), await stage.publish(refreshed)]).to.deep.equal([200, 403]);
      await stage.core.accounts.setRole(OPERATOR, by.developerId, 'developer');
      expect(await uses()).to.deep.equal([201, 201]);
    });

    it('gives tokens to one of many exchanges of a code, and the same to all refreshes at once', async () => {
      const { by, visitor } = await stage.member();
      const app = await OAuthApp.of(stage.url, await stage.register(by, 'native'));
      const asked = await app.ask();
      const callback = await answer(visitor, asked.url, 'allow');
      const exchanges = Array.from({ length: 5 }, () => app.exchange(callback, asked).catch(() => undefined));
      expect((await Promise.all(exchanges)).filter(Boolean)).to.have.length(1);
      const { refresh_token: refresh = '' } = await app.connect(visitor);
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => app.refresh(refresh)));
      for (const other of others) expect(other).to.deep.equal(first);
    });
  });

interface Refusal {
  readonly error: string;
}

/** Returns the error with which the server refused; undefined where it did not. */
function refused(request: Promise<unknown>): Promise<string | undefined> {
  return request.then(
    () => undefined,
    async (error: unknown) => {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return ((await error.response.json()) as Refusal).error;
      return error instanceof oauth.ResponseBodyError ? error.error : String(error);
    },
  );
}

function poll(app: OAuthApp, code: string): Promise<string | undefined> {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  return refused(oauth.genericGrantRequest(app.config, grant, { device_code: code }));
}
