import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { createService } from '../../../composition/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { JwtAccessTokenVerifier, type TokenRefusal } from '../../../adapters/oauth/index.js';
import { AUDIENCE, newKey, startIssuer, type Issuer } from '../../support/issuer.js';
import { claimsOf, identities, NOON, NOW, signed, type Claims } from './token.js';

/** Claims and headers that are refused, and the reason that an operator must find. */
const WRONG: Readonly<Record<string, readonly [claims: Claims, header: Claims, TokenRefusal]>> = {
  'another issuer': [{ iss: 'https://other.example' }, {}, { claim: 'iss', reason: 'names another issuer' }],
  'another audience': [{ aud: 'x' }, {}, { claim: 'aud', reason: 'unexpected "aud" claim value' }],
  'no audience': [{ aud: undefined }, {}, { claim: 'aud', reason: 'missing required "aud" claim' }],
  'an end that has passed': [{ exp: NOW - 61 }, {}, { claim: 'exp', reason: '"exp" claim timestamp check failed' }],
  'no end': [{ exp: undefined }, {}, { claim: 'exp', reason: 'missing required "exp" claim' }],
  'a beginning that is to come': [
    { nbf: NOW + 61 },
    {},
    { claim: 'nbf', reason: '"nbf" claim timestamp check failed' },
  ],
  'no time of issue': [{ iat: undefined }, {}, { claim: 'iat', reason: 'missing required "iat" claim' }],
  'no subject': [{ sub: undefined }, {}, { claim: 'sub', reason: 'missing required "sub" claim' }],
  'a subject that no developer can have': [
    { sub: 'a\u0007' },
    {},
    { claim: 'sub', reason: 'must be a text of 1 to 255 printable characters, without blanks at its ends' },
  ],
  'a proof of possession': [
    { cnf: { jkt: 'x' } },
    {},
    { claim: 'cnf', reason: 'is bound to a key of its client, and was sent as a bearer token' },
  ],
  'an unknown key': [{}, { kid: 'x' }, { claim: 'kid', reason: 'no applicable key found in the JSON Web Key Set' }],
  'another algorithm': [
    {},
    { alg: 'HS256' },
    { claim: 'alg', reason: '"alg" (Algorithm) Header Parameter value not allowed' },
  ],
  'another type': [{}, { typ: 'logout+jwt' }, { claim: 'typ', reason: 'is not that of an access token' }],
  'an ID token': [{ at_hash: 'x' }, { typ: 'JWT' }, { claim: 'at_hash', reason: 'belongs to another kind of token' }],
  'an ID token with a nonce': [
    { scope: undefined, nonce: 'x' },
    { typ: 'JWT' },
    { claim: 'nonce', reason: 'belongs to another kind of token' },
  ],
  'a refresh token of Keycloak': [
    { typ: 'Refresh' },
    { typ: 'JWT' },
    { claim: 'typ', reason: 'belongs to another kind of token' },
  ],
};

describe('An access token that is refused', () => {
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.leave());

  const refusalsOf = async (token: string): Promise<readonly TokenRefusal[]> => {
    const refusals: TokenRefusal[] = [];
    const options = { issuer: issuer.url, audience: AUDIENCE, now: () => new Date(NOON) };
    const verifier = new JwtAccessTokenVerifier({
      identities,
      ...options,
      onRefused: (refusal) => refusals.push(refusal),
    });
    expect(await verifier.verify(token)).to.equal(undefined);
    return refusals;
  };

  for (const [what, [claims, header, refusal]] of Object.entries(WRONG))
    it(`is reported with its claim and the reason: ${what}`, async () => {
      expect(await refusalsOf(signed(issuer.key, claimsOf(issuer, claims), header))).to.deep.equal([refusal]);
    });

  it('is reported when another key signed it, when it is too long, and when it is no token', async () => {
    const foreign = await newKey(issuer.key.kid);
    const reasons = await Promise.all(
      [
        signed(foreign, claimsOf(issuer)),
        signed(issuer.key, claimsOf(issuer, { pad: 'x'.repeat(13_000) })),
        'a.b',
        'a.b.c',
      ].map(refusalsOf),
    );
    expect(reasons.flat()).to.deep.equal([
      { claim: undefined, reason: 'signature verification failed' },
      { claim: undefined, reason: 'is longer than 16 KiB' },
      { claim: undefined, reason: 'is not a signed JSON Web Token' },
      { claim: undefined, reason: 'is malformed' },
    ]);
  });

  it('is not reported when the account of its subject cannot be found: then the verifier fails', async () => {
    const failure = new Error('the store is broken');
    const options = { issuer: issuer.url, audience: AUDIENCE, now: () => new Date(NOON) };
    const verifier = new JwtAccessTokenVerifier({
      identities: { accountOf: () => Promise.reject(failure) },
      ...options,
      onRefused: () => expect.fail('it is not refused'),
    });
    const outcome: unknown = await verifier
      .verify(signed(issuer.key, claimsOf(issuer)))
      .catch((error: unknown) => error);
    expect(outcome).to.equal(failure);
  });

  it('is not reported when it is accepted', async () => {
    const refusals: TokenRefusal[] = [];
    const options = { issuer: issuer.url, audience: AUDIENCE, now: () => new Date(NOON) };
    const verifier = new JwtAccessTokenVerifier({
      identities,
      ...options,
      onRefused: (refusal) => refusals.push(refusal),
    });
    expect(await verifier.verify(signed(issuer.key, claimsOf(issuer)))).to.not.equal(undefined);
    expect(refusals).to.deep.equal([]);
  });

  it('is one line of the log at debug, without the token', async () => {
    const lines: string[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      lines.push(JSON.stringify({ level, message, ...fields }));
    const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    const accessTokens = { issuer: issuer.url, audience: AUDIENCE };
    const service = await createService({ storage: inMemoryStorage(), log, accessTokens });
    const { port } = (await service.listen(0)).address() as AddressInfo;
    const token = signed(issuer.key, claimsOf(issuer));
    const { status } = await fetch(`http://127.0.0.1:${port}/api/automations`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await service.close();
    expect(status).to.equal(401);
    expect(lines.filter((line) => line.includes('refused')).map((line) => JSON.parse(line) as object)).to.deep.equal([
      {
        level: 'debug',
        message: 'an access token was refused',
        claim: 'exp',
        reason: '"exp" claim timestamp check failed',
      },
    ]);
    for (const part of token.split('.')) expect(lines.join('\n')).not.to.include(part);
  });
});
