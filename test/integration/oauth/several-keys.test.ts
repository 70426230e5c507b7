import { expect } from 'chai';
import { createServer } from 'node:http';
import { exportJWK, type JWK } from 'jose';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { AUDIENCE, newKey, type SigningKey } from '../../support/issuer.js';
import { listening, type Listening } from '../../support/socket.js';
import { claimsOf, identities, NOON, signed } from './token.js';

describe('The keys that an issuer publishes', () => {
  let server: Listening;
  let keys: readonly JWK[];
  let [first, second, foreign]: SigningKey[] = [];
  let asked: number;
  before(async () => {
    [first, second, foreign] = await Promise.all(['first', 'second', 'foreign'].map((kid) => newKey(kid)));
    server = await listening(
      createServer(({ url }, response) => {
        if (url === '/keys') asked += 1;
        const metadata = { issuer: server.url, jwks_uri: `${server.url}/keys` };
        response.end(JSON.stringify(url === '/keys' ? { keys } : metadata));
      }),
    );
  });
  beforeEach(() => {
    asked = 0;
  });
  after(() => server.close());

  const published = async (key: SigningKey | undefined, kid?: string): Promise<JWK> => ({
    ...(await exportJWK((key as SigningKey).publicKey)),
    ...(kid !== undefined && { kid }),
  });
  const verifier = () =>
    new JwtAccessTokenVerifier({ identities, issuer: server.url, audience: AUDIENCE, now: () => new Date(NOON) });
  const tokenBy = (key: SigningKey | undefined, kid: string | undefined) =>
    signed(key as SigningKey, claimsOf(server), { kid });
  const taken = async (key: SigningKey | undefined, kid?: string) =>
    (await verifier().verify(tokenBy(key, kid))) !== undefined;

  it('are all tried when several have the id that a token names, in any order', async () => {
    const [one, other] = [await published(first, 'same'), await published(second, 'same')];
    for (keys of [
      [one, other],
      [other, one],
    ])
      expect([await taken(first, 'same'), await taken(second, 'same'), await taken(foreign, 'same')]).to.deep.equal([
        true,
        true,
        false,
      ]);
  });

  it('may contain the same key twice', async () => {
    keys = [await published(first, 'same'), await published(first, 'same')];
    expect([await taken(first, 'same'), await taken(foreign, 'same')]).to.deep.equal([true, false]);
  });

  it('are all tried when the token names none', async () => {
    keys = [await published(first, 'a'), await published(second, 'b')];
    expect([await taken(first), await taken(second), await taken(foreign)]).to.deep.equal([true, true, false]);
  });

  it('without an id are tried when no key has the id that a token names', async () => {
    keys = [await published(foreign, 'other'), await published(first), await published(second)];
    expect([await taken(first, 'first'), await taken(second, 'x'), await taken(foreign, 'x')]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('without an id are asked for every 30 seconds at most, whatever id tokens name', async () => {
    keys = [await published(first)];
    const same = verifier();
    for (let n = 0; n < 20; n += 1) expect(await same.verify(tokenBy(first, `id-${n}`))).to.not.equal(undefined);
    expect(asked).to.equal(1);
  });

  it('that cannot be read leave the others as they are', async () => {
    keys = [{ kty: 'RSA', n: 'AQ', e: 'AQ', kid: 'same' }, await published(first, 'same')];
    expect(await taken(first, 'same')).to.equal(true);
  });
});
