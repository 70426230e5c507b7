import { expect } from 'chai';
import { createServer } from 'node:http';
import { exportJWK } from 'jose';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { newKey, type SigningKey } from '../../support/issuer.js';
import { listening, type Listening } from '../../support/socket.js';
import { identities, NOON, NOW, signed, type Claims } from './token.js';

const AUDIENCE = '7f1a9c1e-2f0b-4c1a-9a55-5d8a3c0f6f10';
const HASH = 'VOGDtPvYfGrKs6yFGrkjhA';

/** What an issuer sends: its path, and access tokens and an ID token by their headers and claims. */
interface Shape {
  readonly path: string;
  readonly header: Claims;
  readonly access: Claims;
  readonly scopes: Claims;
  /** The claims that an ID token has instead, for the same audience. */
  readonly id: Claims;
}

const READ_WRITE = 'automations:read automations:write';

/** As their documentation and their sources show them in 2026, with their default settings. */
const ISSUERS: Readonly<Record<string, Shape>> = {
  'Keycloak, with a client scope for the audience': {
    path: '/realms/market',
    header: { typ: 'JWT' },
    access: {
      typ: 'Bearer',
      jti: 'onrtac:0a1b',
      azp: 'app',
      sid: 's',
      acr: '1',
      aud: [AUDIENCE, 'account'],
      'allowed-origins': ['/*'],
      realm_access: { roles: ['x'] },
    },
    scopes: { scope: `openid profile ${READ_WRITE}` },
    id: { typ: 'ID', azp: 'app', sid: 's', at_hash: HASH, acr: '1', email_verified: false },
  },
  'Keycloak, with "Use at+jwt as access token header type"': {
    path: '/realms/market',
    header: { typ: 'at+jwt' },
    access: { typ: 'Bearer', azp: 'app', client_id: 'app' },
    scopes: { scope: READ_WRITE },
    id: { typ: 'ID', azp: 'app' },
  },
  'Auth0, with its own profile': {
    path: '/',
    header: { typ: 'JWT' },
    access: {
      sub: 'auth0|6553da60a54af58e29493993',
      aud: [AUDIENCE, 'https://market.auth0.example/userinfo'],
      azp: 'K1AUPhZq8mRi0Q0p',
    },
    scopes: { scope: `openid ${READ_WRITE}`, permissions: ['automations:read'] },
    id: { sub: 'auth0|6553da60a54af58e29493993', sid: 's', nonce: 'n' },
  },
  'Auth0, with its own profile, for a machine': {
    path: '/',
    header: { typ: 'JWT' },
    access: {
      sub: 'awZfdIir8YFdGZWkvCejDoUb7SjTDicx@clients',
      azp: 'awZfdIir8YFdGZWkvCejDoUb7SjTDicx',
      gty: 'client-credentials',
    },
    scopes: { scope: READ_WRITE },
    id: { sid: 's', nonce: 'n' },
  },
  'Auth0, with the profile of RFC 9068': {
    path: '/',
    header: { typ: 'at+jwt' },
    access: { sub: 'auth0|123456', client_id: 'K1AUPhZq8mRi0Q0p', jti: '73WakrfVbNJBaAmhQtEeDv' },
    scopes: { scope: READ_WRITE },
    id: { sid: 's', nonce: 'n' },
  },
  'Okta, with a custom authorization server': {
    path: '/oauth2/default',
    header: { typ: undefined },
    access: {
      ver: 1,
      jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
      cid: '0oa',
      uid: '00u1',
      auth_time: NOW - 9,
      sub: 'ada@market.example',
    },
    scopes: { scp: ['openid', 'automations:read', 'automations:write'] },
    id: { ver: 1, jti: 'ID.1', amr: ['pwd'], idp: '00o1', nonce: 'n', at_hash: HASH },
  },
  'Entra ID, version 2, for a person': {
    path: '/9f4c0c1e/v2.0',
    header: { typ: 'JWT', x5t: 'x' },
    access: {
      aio: 'a',
      azp: 'b',
      azpacr: '0',
      name: 'Ada',
      nbf: NOW,
      oid: 'o',
      rh: 'r',
      tid: '9f4c0c1e',
      uti: 'u',
      ver: '2.0',
    },
    scopes: { scp: READ_WRITE },
    id: { aio: 'a', nonce: 'n', oid: 'o', rh: 'r', tid: '9f4c0c1e', uti: 'u', ver: '2.0' },
  },
  'Entra ID, version 2, for a machine': {
    path: '/9f4c0c1e/v2.0',
    header: { typ: 'JWT', x5t: 'x' },
    access: { aio: 'a', azp: 'b', azpacr: '1', nbf: NOW, oid: 'o', rh: 'r', tid: '9f4c0c1e', uti: 'u', ver: '2.0' },
    scopes: { roles: ['automations:read', 'automations:write'] },
    id: { aio: 'a', nonce: 'n', oid: 'o', rh: 'r', roles: ['automations:read'], tid: '9f4c0c1e', ver: '2.0' },
  },
  'Auth0, with permissions of its access control': {
    path: '/',
    header: { typ: 'JWT' },
    access: { sub: 'auth0|6553da60a54af58e29493993', azp: 'K1AUPhZq8mRi0Q0p' },
    scopes: { scope: 'openid', permissions: ['automations:read', 'automations:write'] },
    id: { sub: 'auth0|6553da60a54af58e29493993', sid: 's', nonce: 'n' },
  },
  'Authentik, which copies the nonce': {
    path: '/application/o/market/',
    header: { typ: 'JWT' },
    access: {
      acr: 'goauthentik.io/providers/oauth2/default',
      amr: ['pwd'],
      auth_time: NOW,
      nonce: 'n',
      sid: 's',
      azp: AUDIENCE,
      uid: 'u',
    },
    scopes: { scope: `openid ${READ_WRITE}` },
    id: { acr: 'goauthentik.io/providers/oauth2/default', auth_time: NOW, nonce: 'n', at_hash: HASH },
  },
  'Zitadel, with an action that adds the scopes': {
    path: '',
    header: { typ: undefined },
    access: {
      aud: ['252856053933356542@market', AUDIENCE],
      client_id: '252856053933356542@market',
      jti: 'V2_252862212748621310',
      nbf: NOW,
    },
    scopes: { scope: ['automations:read', 'automations:write'] },
    id: { aud: ['252856053933356542@market', AUDIENCE], azp: 'a', amr: ['pwd'], sid: 's', at_hash: HASH },
  },
};

describe('The access tokens of', () => {
  let server: Listening;
  let key: SigningKey;
  before(async () => {
    key = await newKey('first');
    const published = async () => ({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid, use: 'sig' }] });
    server = await listening(
      createServer(({ url = '' }, response) => {
        const [path = '', rest] = url.split('/.well-known/openid-configuration');
        if (rest === '') response.end(JSON.stringify({ issuer: issuers.get(path), jwks_uri: `${server.url}/keys` }));
        else if (url === '/keys') void published().then((keys) => response.end(JSON.stringify(keys)));
        else response.writeHead(404).end();
      }),
    );
    for (const { path } of Object.values(ISSUERS)) issuers.set(path.replace(/\/$/, ''), `${server.url}${path}`);
  });
  after(() => server.close());
  const issuers = new Map<string, string>();

  for (const [name, { path, header, access, scopes, id }] of Object.entries(ISSUERS))
    it(name, async () => {
      const issuer = `${server.url}${path}`;
      issuers.set(path.replace(/\/$/, ''), issuer);
      const verifier = new JwtAccessTokenVerifier({
        identities,
        issuer,
        audience: AUDIENCE,
        now: () => new Date(NOON),
      });
      const verify = (claims: Claims, type = header) => {
        const always = { iss: issuer, sub: 'ada', aud: AUDIENCE, exp: NOW + 300, iat: NOW };
        return verifier.verify(signed(key, { ...always, ...claims }, type));
      };
      const sub = typeof access['sub'] === 'string' ? access['sub'] : 'ada';
      const allowed = ['automations:read', 'automations:write'];
      expect(await verify({ ...access, ...scopes })).to.deep.include({ developerId: sub, scopes: allowed });
      expect(await verify({ ...access, scope: 'openid' }), 'without a scope of ours').to.deep.include({ scopes: [] });
      expect(await verify({ ...access, ...scopes, aud: 'app' }), 'for another audience').to.equal(undefined);
      const typeOfIds = header['typ'] === undefined ? header : { typ: 'JWT' };
      expect(await verify(id, typeOfIds), 'an ID token').to.equal(undefined);
    });
});
