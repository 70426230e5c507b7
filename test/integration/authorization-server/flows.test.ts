import { expect } from 'chai';
import * as oauth from 'openid-client';
import { CORE } from '../../../composition/tokens.js';
import type { App } from '../../../domain/app.js';
import { OPERATOR } from '../../../domain/access.js';
import { ada } from '../../unit/application/people.js';
import { answer, OAuthApp, REDIRECT } from '../../support/oauth-app.js';
import { Visitor } from '../../support/panel-visitor.js';
import { startService, type LocalService } from '../../support/service.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = signedIn(ada);

describe('The authorization server', () => {
  let service: LocalService;
  let visitor: Visitor;

  before(async () => {
    service = await startService();
    visitor = new Visitor(service.url);
    await visitor.accept(await service.invite('ada'), 'ada@example.com');
  });
  after(() => service.close());

  const register = async (kind: App['kind'], scopes?: readonly string[]) => {
    const { apps } = service.container.get(CORE);
    const redirectUris = kind === 'machine' ? [] : [REDIRECT];
    const registered = await apps?.register(ADA, { name: `Ada's ${kind}`, kind, redirectUris, scopes });
    if (registered === undefined) throw new Error('the storage has no records of an authorization server');
    return registered;
  };
  const statusOf = async (token: string, path = '/api/automations') =>
    (await fetch(service.url + path, { headers: { Authorization: `Bearer ${token}` } })).status;

  it('gives a machine a token with which it acts for its developer', async () => {
    const app = await OAuthApp.of(service.url, await register('machine', ['automations:read']));
    const { access_token: token, scope, expires_in: seconds } = await oauth.clientCredentialsGrant(app.config);
    expect([scope, seconds]).to.deep.equal(['automations:read', 3600]);
    expect(await statusOf(token)).to.equal(200);
  });

  it('gives an app a token by a code with PKCE and the consent of a person, and rotates its refresh tokens', async () => {
    for (const kind of ['web', 'native'] as const) {
      const app = await OAuthApp.of(service.url, await register(kind));
      const first = await app.connect(visitor);
      expect(await statusOf(first.access_token)).to.equal(200);
      const second = await app.refresh(String(first.refresh_token));
      expect(second.refresh_token).to.be.a('string').and.not.equal(first.refresh_token);
      expect(await statusOf(second.access_token)).to.equal(200);
    }
  });

  it('tells the app that a person refused', async () => {
    const app = await OAuthApp.of(service.url, await register('native'));
    const { url } = await app.ask();
    const { searchParams } = new URL(await answer(visitor, url, 'cancel'));
    expect([searchParams.get('error'), searchParams.get('code')]).to.deep.equal(['access_denied', null]);
  });

  it('ends the tokens of an app that is disconnected or revoked', async () => {
    const registered = await register('native');
    const app = await OAuthApp.of(service.url, registered);
    const { connections, apps, audit } = service.container.get(CORE);
    const first = await app.connect(visitor);
    const { items } = (await connections?.list(ADA, { limit: 1 })) ?? { items: [] };
    await connections?.disconnect(ADA, items[0]?.id ?? '');
    expect(await statusOf(first.access_token)).to.equal(401);
    const second = await app.connect(visitor);
    await apps?.revoke(OPERATOR, registered.app.id);
    expect(await statusOf(second.access_token)).to.equal(401);
    const refreshed = await app.refresh(String(second.refresh_token)).catch((error: unknown) => error);
    expect(refreshed).to.include({ error: 'invalid_client' });
    const { items: entries } = await audit.list(OPERATOR, { limit: 4 });
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'app-revoked',
      'app-connected',
      'app-disconnected',
      'app-connected',
    ]);
  });
});
