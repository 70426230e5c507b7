import { createHmac, randomBytes } from 'node:crypto';
import { CompactEncrypt, exportJWK, exportSPKI } from 'jose';
import { AUDIENCE, type Issuer, type SigningKey } from '../../support/issuer.js';
import { claimsOf, encoded, headerOf, NOW, signature, signed, token, type Claims } from './token.js';

/**
 * What a forger has: the issuer as everybody sees it, keys and a server of their own; and for stale tokens the issuer's
 * own key.
 */
export interface Forge {
  readonly issuer: Issuer;
  /** The forger's, under the id of the issuer's. */
  readonly own: SigningKey;
  /** Where the forger publishes it. */
  readonly url: string;
}

type Row = (forge: Forge) => string | Promise<string>;

/** The issuer signs, and the claims are wrong. */
function claiming(claims: Claims): Row {
  return ({ issuer }) => signed(issuer.key, claimsOf(issuer, claims));
}

/** The issuer signs, and the header is wrong. */
function headed(header: Claims): Row {
  return ({ issuer }) => signed(issuer.key, claimsOf(issuer), header);
}

/** The forger signs, and says that the key is elsewhere. */
function pointing(header: (forge: Forge) => Claims | Promise<Claims>): Row {
  return async (forge) => signed(forge.own, claimsOf(forge.issuer), await header(forge));
}

/** The issuer signs a token of type JWT that is none for access, for our audience and with our scopes. */
function untyped(claims: Claims): Row {
  return ({ issuer }) => signed(issuer.key, claimsOf(issuer, claims), { typ: 'JWT' });
}

/** A good token, changed. */
function changed(change: (parts: readonly [string, string, string], forge: Forge) => string): Row {
  return (forge) => {
    const [header = '', payload = '', sealed = ''] = signed(forge.issuer.key, claimsOf(forge.issuer)).split('.');
    return change([header, payload, sealed], forge);
  };
}

function withoutSignature(alg: string): Row {
  return ({ issuer }) => token(headerOf(issuer.key, { alg }), claimsOf(issuer), () => Buffer.alloc(0));
}

/** The public key taken for a shared secret. */
function byPublicKey(secret: (key: SigningKey) => Promise<string | Buffer>): Row {
  return async ({ issuer }) => {
    const known = await secret(issuer.key);
    return token(headerOf(issuer.key, { alg: 'HS256' }), claimsOf(issuer), (input) =>
      createHmac('sha256', known).update(input).digest(),
    );
  };
}

function elliptic(change: (sealed: Buffer) => Buffer): Row {
  return ({ issuer }) => {
    const { ellipticKey } = issuer;
    return token(headerOf(ellipticKey), claimsOf(issuer), (input) => change(signature(ellipticKey.privateKey, input)));
  };
}

export const FORGERIES: Readonly<Record<string, Row>> = {
  'algorithm none': withoutSignature('none'),
  'algorithm None': withoutSignature('None'),
  'no signature': withoutSignature('RS256'),
  'no algorithm': headed({ alg: undefined }),
  'an algorithm that is none of text': headed({ alg: ['RS256'] }),
  'HS256 with the public key as PEM for a secret': byPublicKey(({ publicKey }) => exportSPKI(publicKey)),
  'HS256 with the public key as JWK for a secret': byPublicKey(async ({ publicKey }) =>
    JSON.stringify(await exportJWK(publicKey)),
  ),
  'HS256 with the modulus for a secret': byPublicKey(async ({ jwk }) => Buffer.from(String(jwk.n), 'base64url')),
  'another algorithm than that of the key': headed({ alg: 'PS256' }),
  'type id_token+jwt': headed({ typ: 'id_token+jwt' }),
  'type JWS': headed({ typ: 'JWS' }),
  'an empty type': headed({ typ: '' }),
  'type at+jwt in a list': headed({ typ: ['at+jwt'] }),
  'type logout+jwt': headed({ typ: 'logout+jwt' }),
  'type at+jwt with more behind it': headed({ typ: 'at+jwt;x' }),
  'an ID token of the code flow': untyped({ at_hash: 'VOGDtPvYfGrKs6yFGrkjhA' }),
  'an ID token of the hybrid flow': untyped({ c_hash: 'LDktKdoQak3Pk0cnXxCltA' }),
  'an ID token with a nonce': untyped({ scope: undefined, nonce: 'n-0S6_WzA2Mj' }),
  'an ID token of Keycloak': untyped({ typ: 'ID' }),
  'a refresh token of Keycloak': untyped({ typ: 'Refresh' }),
  'a token of Keycloak that is bound to a proof': untyped({ typ: 'DPoP' }),
  'a token that is bound to a key of its client (RFC 9449)': claiming({ cnf: { jkt: 'x' } }),
  'a token that is bound to a certificate (RFC 8705)': claiming({ cnf: { 'x5t#S256': 'x' } }),
  'a token with an empty confirmation': claiming({ cnf: {} }),
  'a logout token': untyped({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
  'an ID token without a type': ({ issuer }) =>
    signed(issuer.key, claimsOf(issuer, { at_hash: 'VOGDtPvYfGrKs6yFGrkjhA' }), { typ: undefined }),
  'an unknown key id': headed({ kid: 'unknown' }),
  'a key id that is no text': headed({ kid: 1 }),
  'no key id, by a foreign key': pointing(() => ({ kid: undefined })),
  'a foreign key with the id of the issuer': ({ own, issuer }) => signed(own, claimsOf(issuer)),
  'another issuer, with a key of the same id': ({ own, url }) => signed(own, claimsOf({ url })),
  'its own key in jwk': pointing(async ({ own }) => ({ jwk: await exportJWK(own.publicKey) })),
  'its own key in jwk, and no key id': pointing(async ({ own }) => ({
    jwk: await exportJWK(own.publicKey),
    kid: undefined,
  })),
  'its own keys at jku': pointing(({ url }) => ({ jku: `${url}/jwks` })),
  'its own certificate at x5u': pointing(({ url }) => ({ x5u: `${url}/certificate` })),
  'its own certificate in x5c': pointing(async ({ own }) => ({ x5c: [encoded(await exportSPKI(own.publicKey))] })),
  'a key id that is a path': pointing(() => ({ kid: '../../../../dev/null' })),
  'an extension that must be understood': headed({ crit: ['exp'], exp: NOW }),
  'an unknown extension that must be understood': headed({ crit: ['x'], x: 1 }),
  'an unencoded payload': headed({ crit: ['b64'], b64: false }),
  'another payload': changed(
    ([header, , sealed], { issuer }) => `${header}.${encoded(claimsOf(issuer, { sub: 'bob' }))}.${sealed}`,
  ),
  'another header': changed(
    ([, payload, sealed], { issuer }) => `${encoded(headerOf(issuer.key, { x: 1 }))}.${payload}.${sealed}`,
  ),
  'another signature': changed(
    ([header, payload, sealed]) => `${header}.${payload}.${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`,
  ),
  'a shorter signature': changed(([header, payload, sealed]) => `${header}.${payload}.${sealed.slice(0, -4)}`),
  'a longer signature': changed(([header, payload, sealed]) => `${header}.${payload}.${sealed}AAAA`),
  'padding behind the signature': changed(([header, payload, sealed]) => `${header}.${payload}.${sealed}==`),
  'two dots for one': changed(([header, payload, sealed]) => `${header}..${payload}.${sealed}`),
  'a dot before it': changed((parts) => `.${parts.join('.')}`),
  'a dot behind it': changed((parts) => `${parts.join('.')}.`),
  'a fourth part': changed((parts) => [...parts, parts[2]].join('.')),
  'two parts': changed(([header, payload]) => `${header}.${payload}`),
  'a space within': changed(([header, payload, sealed]) => `${header}. ${payload}.${sealed}`),
  'the JSON serialization': changed(([header, payload, sealed]) =>
    JSON.stringify({ payload, protected: header, signature: sealed }),
  ),
  'an ES256 signature that is too short': elliptic((sealed) => sealed.subarray(0, 63)),
  'an ES256 signature that is too long': elliptic((sealed) => Buffer.concat([sealed, Buffer.alloc(1)])),
  'an ES256 signature of zeros': elliptic(() => Buffer.alloc(64)),
  'no issuer': claiming({ iss: undefined }),
  'another issuer in its name': claiming({ iss: 'https://other.example' }),
  'the issuer with a slash behind it': ({ issuer }) => signed(issuer.key, claimsOf(issuer, { iss: `${issuer.url}/` })),
  'the issuer in a list': ({ issuer }) => signed(issuer.key, claimsOf(issuer, { iss: [issuer.url] })),
  'no audience': claiming({ aud: undefined }),
  'another audience': claiming({ aud: 'https://other.example' }),
  'no audience in the list': claiming({ aud: [] }),
  'others in the list': claiming({ aud: ['https://other.example', `${AUDIENCE}/`] }),
  'the audience within a text': claiming({ aud: `${AUDIENCE} https://other.example` }),
  'no expiry': claiming({ exp: undefined }),
  'an expiry that is a text': claiming({ exp: String(NOW + 300) }),
  'expired by more than the skew': claiming({ exp: NOW - 60 }),
  'expired long ago': claiming({ exp: 1 }),
  'not before a time that is beyond the skew': claiming({ nbf: NOW + 61 }),
  'not before a text': claiming({ nbf: 'now' }),
  'no time of issue': claiming({ iat: undefined }),
  'issued in the future': claiming({ iat: NOW + 61 }),
  'no subject': claiming({ sub: undefined }),
  'an empty subject': claiming({ sub: '' }),
  'a subject that is a number': claiming({ sub: 7 }),
  'a subject in a list': claiming({ sub: ['ada'] }),
  'a subject with a NUL': claiming({ sub: 'ada\0' }),
  'a subject of two lines': claiming({ sub: 'ada\nbob' }),
  'a subject with half a surrogate pair': claiming({ sub: 'ada\ud800' }),
  'a subject of 256 characters': claiming({ sub: 'a'.repeat(256) }),
  'a payload that is no object': ({ issuer }) => signed(issuer.key, [claimsOf(issuer)]),
  'a payload that is no JSON': ({ issuer }) => signed(issuer.key, 'sub=ada'),
  'a header that is no JSON': ({ issuer }) =>
    token('alg=RS256', claimsOf(issuer), (input) => signature(issuer.key.privateKey, input)),
  'an encrypted token': async ({ issuer }) =>
    new CompactEncrypt(Buffer.from(JSON.stringify(claimsOf(issuer))))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid: issuer.key.kid })
      .encrypt(randomBytes(32)),
  'a large one, of a foreign key': ({ own, issuer }) => signed(own, claimsOf(issuer, { pad: 'x'.repeat(10_000) })),
  'the id of a developer': () => 'ada',
};
