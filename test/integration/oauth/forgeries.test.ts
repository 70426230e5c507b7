import { expect } from 'chai';
import { createServer } from 'node:http';
import { InMemoryDeveloperRepository } from '../../../adapters/in-memory/index.js';
import { Identities } from '../../../application/accounts.js';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { Client, slugOf, type Answer } from '../../support/service/client.js';
import { AUDIENCE, newKey, startIssuer, type Issuer } from '../../support/issuer.js';
import { signIn } from '../../support/person.js';
import { startService, type TestService } from '../../support/service.js';
import { listening, type Listening } from '../../support/socket.js';
import { FORGERIES, type Forge } from './forgeries.js';
import { claimsOf, identities, NOON, NOW, signed, type Claims } from './token.js';

describe('Access tokens over HTTP', () => {
  let forge: Forge;
  let issuer: Issuer;
  let forger: Listening;
  let service: TestService;
  const askedOfForger: unknown[] = [];
  const developers = new InMemoryDeveloperRepository();

  before(async () => {
    issuer = await startIssuer();
    forger = await listening(
      createServer((request, response) => {
        askedOfForger.push(request.url);
        response.end('{"keys":[]}');
      }),
    );
    forge = { issuer, own: await newKey(issuer.key.kid), url: forger.url };
    const tokens = new JwtAccessTokenVerifier({
      identities: new Identities(developers),
      issuer: issuer.url,
      audience: AUDIENCE,
      now: () => new Date(NOON),
    });
    service = await startService({ tokens });
  });
  after(async () => {
    await service.close();
    await forger.close();
    await issuer.leave();
  });

  async function show(token: string): Promise<Answer> {
    const client = new Client(service.url, token);
    const answer = await client.get('/automations');
    client.close();
    return answer;
  }

  const GOOD: Readonly<Record<string, { readonly claims?: Claims; readonly header?: Claims }>> = {
    'as it should be': {},
    'type application/at+jwt': { header: { typ: 'application/at+jwt' } },
    'type AT+JWT': { header: { typ: 'AT+JWT' } },
    'type JWT': { header: { typ: 'JWT' } },
    'type jwt': { header: { typ: 'jwt' } },
    'no type': { header: { typ: undefined } },
    'scopes in a list': { claims: { scope: ['automations:read'] } },
    'scopes in scp': { claims: { scope: undefined, scp: 'automations:read' } },
    'scopes in a list in scp': { claims: { scope: undefined, scp: ['automations:read'] } },
    'scopes in roles, as Entra ID has them for a machine': {
      claims: { scope: undefined, client_id: undefined, azp: 'app', roles: ['automations:read'] },
      header: { typ: 'JWT' },
    },
    'scopes in permissions, as Auth0 has them': {
      claims: { scope: 'openid', client_id: undefined, azp: 'app', permissions: ['automations:read'] },
      header: { typ: 'JWT' },
    },
    'scopes in roles as a text': { claims: { scope: undefined, roles: 'automations:read' } },
    'a list of audiences with ours in it': { claims: { aud: ['https://other.example', AUDIENCE] } },
    'expired within the skew': { claims: { exp: NOW - 59 } },
    'not before a time within the skew': { claims: { nbf: NOW + 60 } },
    'issued by a clock that is ahead by the skew': { claims: { iat: NOW + 60 } },
    'scopes that nobody knows beside ours': { claims: { scope: 'openid automations:read automations:delete' } },
    'a key in the header that is not asked for': {
      header: { jku: 'http://127.0.0.1:1/', jwk: { kty: 'oct', k: 'AA' } },
    },
    'a subject of 255 characters': { claims: { sub: 'a'.repeat(255) } },
    'large, with claims that nobody knows': { claims: { pad: 'x'.repeat(10_000) } },
  };
  for (const [what, { claims, header }] of Object.entries(GOOD))
    it(`takes one: ${what}`, async () => {
      expect((await show(signed(issuer.key, claimsOf(issuer, claims), header))).status).to.equal(200);
    });

  it('takes one by an elliptic curve', async () => {
    expect((await show(signed(issuer.ellipticKey, claimsOf(issuer)))).status).to.equal(200);
  });

  it('takes one without a scope of ours, and allows it nothing', async () => {
    const others = [
      '',
      'openid',
      'automations:readautomations:write',
      'AUTOMATIONS:READ',
      undefined,
      7,
      [],
      ['openid'],
      [7],
      {},
    ];
    for (const scope of others)
      for (const typ of ['at+jwt', 'JWT', undefined]) {
        const answer = await show(signed(issuer.key, claimsOf(issuer, { scope }), { typ }));
        expect([answer.status, slugOf(answer)], JSON.stringify({ scope, typ })).to.deep.equal([
          403,
          'insufficient-scope',
        ]);
      }
  });

  it('allows an ID token nothing for roles that it lists: it names no client', async () => {
    const claims = claimsOf(issuer, { scope: undefined, client_id: undefined, roles: ['automations:read'] });
    expect((await show(signed(issuer.key, claims, { typ: 'JWT' }))).status).to.equal(403);
  });

  for (const [what, make] of Object.entries(FORGERIES))
    it(`refuses one: ${what}`, async () => assertRefused(await show(await make(forge))));

  it('refuses an ID token of the issuer for the very person whose access token it takes', async () => {
    const { accessToken, idToken } = await signIn(issuer.url, 'ada', 'automations:read');
    const tokens = new JwtAccessTokenVerifier({ identities, issuer: issuer.url, audience: AUDIENCE });
    expect(await tokens.verify(accessToken)).to.include({ developerId: 'ada' });
    expect(await tokens.verify(idToken)).to.equal(undefined);
    assertRefused(await show(idToken));
  });

  it(
    'allows an ID token nothing even where the audience is its client, ' +
      'and nothing in it tells it from an access token',
    async () => {
      const { idToken } = await signIn(issuer.url, 'ada', 'automations:read');
      const forApp = new JwtAccessTokenVerifier({ identities, issuer: issuer.url, audience: 'app' });
      expect((await forApp.verify(idToken))?.scopes ?? []).to.deep.equal([]);
    },
  );

  it('refuses one of more than 16 KiB, wherever it comes from', async () => {
    const tokens = new JwtAccessTokenVerifier({
      identities,
      issuer: issuer.url,
      audience: AUDIENCE,
      now: () => new Date(NOON),
    });
    const padded = (length: number) => signed(issuer.key, claimsOf(issuer, { pad: 'x'.repeat(length) }));
    expect(await tokens.verify(padded(11_000))).to.include({ developerId: 'ada' });
    expect(await tokens.verify(padded(13_000))).to.equal(undefined);
  });

  it('told nobody why, asked nobody else, had nothing to log, and made accounts for good tokens alone', async () => {
    expect(Object.keys(FORGERIES)).to.have.length.at.least(30);
    expect(askedOfForger).to.deep.equal([]);
    expect(service.errors).to.deep.equal([]);
    expect(await developers.count()).to.equal(2);
  });

  function assertRefused({ status, headers, text }: Answer): void {
    const { instance, ...body } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    expect(instance).to.equal(headers['x-request-id']);
    expect([status, body]).to.deep.equal([
      401,
      {
        type: '/problems/invalid-token',
        code: 'invalid-token',
        title: 'Invalid token',
        status: 401,
        detail: 'The key is malformed, unknown, expired or revoked.',
      },
    ]);
    expect(headers['www-authenticate']).to.match(/^Bearer realm="automation-marketplace", error="invalid_token"/);
  }
});
