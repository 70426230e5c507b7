import { expect } from 'chai';
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT, type JWTHeaderParameters } from 'jose';
import { OPERATOR } from '../../../../domain/access.js';
import { send, type Sent } from '../../../support/socket.js';
import { signedIn } from '../../../support/signed-in.js';
import { ada } from '../../../unit/application/people.js';
import { Market, type Client, type Fields } from './market.js';
import { refuses, type Row } from './outcome.js';

const REFUSED = '401 invalid_token';
const BY_OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

describe('The authorization server and the API refuse', () => {
  let market: Market;
  let app: Client;
  let good: string;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
    good = (await market.tokens(app)).access_token;
  });
  after(() => market.close());

  const resourceOf = (path: string) => market.url + path;
  const tokenFor = async (path: string) => (await market.tokens(app, { resource: resourceOf(path) })).access_token;
  const tools = (token: string): Promise<Sent> =>
    send(market.url, {
      method: 'POST',
      path: '/mcp',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  /** Returns the private key of the server. */
  const ownKey = (): JsonWebKey => {
    const record = market.written.find((text) => text.includes('"kind":"signing-key"')) ?? '';
    const { content } = JSON.parse(record) as { readonly content: string };
    return (JSON.parse(content) as { readonly jwk: JsonWebKey }).jwk;
  };

  /** Reads the market with the good token, changed and signed again: with the key of the server by default. */
  const signed =
    (claims: Claims, header: Claims = {}, key = ownKey) =>
    async () => {
      const protectedHeader = { ...decodeProtectedHeader(good), ...header } as JWTHeaderParameters;
      const payload = { ...decodeJwt(good), ...claims };
      const token = new SignJWT(payload).setProtectedHeader(protectedHeader);
      return market.read(await token.sign(await importJWK(key(), protectedHeader.alg)));
    };
  const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  /** Reads the market with the good token and another header, and what a forger has for a signature. */
  const sealed = (header: object, seal: (input: string) => string) => () => {
    const input = `${encoded({ ...decodeProtectedHeader(good), ...header })}.${good.split('.')[1]}`;
    return market.read(`${input}.${seal(input)}`);
  };
  const publicKey = () => createPublicKey({ key: ownKey(), format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const hmac = (secret: () => string | Buffer) => (input: string) =>
    createHmac('sha256', secret()).update(input).digest('base64url');

  it('nothing of a good token, which opens what it is for', async () => {
    expect((await market.read(good)).status).to.equal(200);
    expect((await tools(await tokenFor('/mcp'))).status).to.equal(200);
    expect((await signed({}, {})()).status).to.equal(200);
  });

  const forged: readonly Row[] = [
    ['a token for the tools at the API', async () => market.read(await tokenFor('/mcp')), REFUSED],
    ['a token for the API at the tools', async () => tools(await tokenFor('/api')), REFUSED],
    [
      'a token of which the scope was edited',
      () => {
        const [header, payload, signature] = good.split('.');
        const edited = { ...(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as object), sub: 'bob' };
        return market.read(`${header}.${encoded(edited)}.${signature}`);
      },
      REFUSED,
    ],
    ['a token signed with another key under the id of ours', signed({}, {}, () => BY_OTHER), REFUSED],
    [
      'a token signed with a key that it brings',
      signed({}, { jwk: { kty: 'RSA', n: BY_OTHER.n, e: BY_OTHER.e } }, () => BY_OTHER),
      REFUSED,
    ],
    ['a token with the id of an unknown key', signed({}, { kid: 'unknown' }), REFUSED],
    ['a token with the algorithm none', sealed({ alg: 'none' }, () => ''), REFUSED],
    [
      'a token with the algorithm NONE and a signature',
      sealed({ alg: 'NONE' }, () => good.split('.')[2] ?? ''),
      REFUSED,
    ],
    ['a token without its signature', () => market.read(good.slice(0, good.lastIndexOf('.') + 1)), REFUSED],
    [
      'a token by HS256 with the public key',
      sealed(
        { alg: 'HS256' },
        hmac(() => String(publicKey())),
      ),
      REFUSED,
    ],
    [
      'a token by HS256 with the modulus',
      sealed(
        { alg: 'HS256' },
        hmac(() => Buffer.from(ownKey().n ?? '', 'base64url')),
      ),
      REFUSED,
    ],
    ['a token by PS256', signed({}, { alg: 'PS256' }), REFUSED],
    ['a token that has expired', signed({ exp: secondsFromNow(-1) }), REFUSED],
    ['a token an hour later', () => market.later(3601, () => market.read(good)), REFUSED],
    ['a token without an end', signed({ exp: undefined }), REFUSED],
    ['a token that is good later', signed({ nbf: secondsFromNow(600) }), REFUSED],
    ['a token of the type JWT', signed({}, { typ: 'JWT' }), REFUSED],
    ['a token without a type', signed({}, { typ: undefined }), REFUSED],
    ['a token of another issuer', signed({ iss: 'https://elsewhere.example/oauth' }), REFUSED],
    ['a token of an issuer with a slash at its end', () => signed({ iss: `${resourceOf('/oauth')}/` })(), REFUSED],
    ['a token for the service elsewhere', signed({ aud: 'https://elsewhere.example/api' }), REFUSED],
    ['a token for its own issuer', () => signed({ aud: resourceOf('/oauth') })(), REFUSED],
    ['a token without an audience', signed({ aud: undefined }), REFUSED],
    ['a token without a client', signed({ client_id: undefined }), REFUSED],
    ['a token of another client with the same consent', () => signed({ client_id: 'another' })(), REFUSED],
    ['a token with a consent that there is none of', signed({ connection: 'unknown' }), REFUSED],
    ['a token of an app without a consent', signed({ connection: undefined }), REFUSED],
    ['a token that is bound to a key', signed({ cnf: { jkt: 'thumbprint' } }), REFUSED],
    [
      'an ID token as an access token',
      async () => market.read((await market.tokens(app, { scope: 'openid automations:read' })).id_token),
      REFUSED,
    ],
    ['a token of 15,000 characters', () => market.read('x'.repeat(15_000)), REFUSED],
    [
      'a token of an app that was disconnected',
      async () => {
        const { access_token: token } = await market.tokens(app);
        const by = signedIn(ada);
        const { items } = await market.core.connections.list(by, { limit: 1 });
        await market.core.connections.disconnect(by, items[0]?.id ?? '');
        return market.read(token);
      },
      REFUSED,
    ],
    [
      'a token for a developer who was suspended',
      async () => {
        const { access_token: token } = await market.tokens(app, {}, await market.member('carol'));
        await market.suspend('carol');
        return market.read(token);
      },
      REFUSED,
    ],
    [
      'a token of the machine of a developer who was suspended',
      async () => {
        await market.member('dave');
        const token = await tokenOfMachine('dave');
        await market.suspend('dave');
        return market.read(token);
      },
      REFUSED,
    ],
    [
      'a token of a machine that was revoked',
      async () => {
        const machine = await market.register('machine');
        const token = tokenIn(await market.postAs(machine, '/token', { grant_type: 'client_credentials' }));
        await market.core.apps.revoke(OPERATOR, machine.id);
        return market.read(token);
      },
      REFUSED,
    ],
    [
      'a token as a query',
      async () => send(market.url, { method: 'GET', path: `/api/automations?access_token=${good}` }),
      '401 missing-credentials',
    ],
  ];
  refuses(forged);

  const tokenOfMachine = async (by: string) =>
    tokenIn(
      await market.postAs(await market.register('machine', { by }), '/token', { grant_type: 'client_credentials' }),
    );

  const ask = (changes: Fields) => () => market.ask(app, changes);
  const atApp = (error: string) => `303 ${error} at http://127.0.0.1:5555/callback`;
  const machineFor = (resource: string | readonly string[]) => async () =>
    market.postAs(await market.register('machine'), '/token', { grant_type: 'client_credentials', resource });
  refuses([
    ['a request for a resource elsewhere', ask({ resource: 'https://elsewhere.example/api' }), atApp('invalid_target')],
    [
      'a request for the API of a service with another port',
      ask({ resource: 'http://127.0.0.1:1/api' }),
      atApp('invalid_target'),
    ],
    [
      'a request for a resource below ours',
      () => ask({ resource: `${resourceOf('/api')}/automations` })(),
      atApp('invalid_target'),
    ],
    [
      'a request for a resource with a fragment',
      () => ask({ resource: `${resourceOf('/api')}#x` })(),
      atApp('invalid_target'),
    ],
    [
      'a request for a resource with a slash at its end',
      () => ask({ resource: `${resourceOf('/api')}/` })(),
      atApp('invalid_target'),
    ],
    ['a request for a resource that is a path', ask({ resource: '/api' }), atApp('invalid_target')],
    [
      'a request for both resources',
      () => ask({ resource: [resourceOf('/api'), resourceOf('/mcp')] })(),
      atApp('invalid_target'),
    ],
    [
      'a request for ours and one elsewhere',
      () => ask({ resource: [resourceOf('/api'), 'https://elsewhere.example'] })(),
      atApp('invalid_target'),
    ],
    ['a machine that wants a resource elsewhere', machineFor('https://elsewhere.example/api'), '400 invalid_target'],
    [
      'a machine that wants both resources',
      () => machineFor([resourceOf('/api'), resourceOf('/mcp')])(),
      '400 invalid_target',
    ],
    [
      'a code for the API that is exchanged for the tools',
      async () => market.exchange(app, await market.code(app), { resource: resourceOf('/mcp') }),
      '400 invalid_target',
    ],
    [
      'a code that is exchanged for a resource elsewhere',
      async () => market.exchange(app, await market.code(app), { resource: 'https://elsewhere.example' }),
      '400 invalid_target',
    ],
  ]);
});

type Claims = Readonly<Record<string, unknown>>;

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function tokenIn({ body }: Sent): string {
  return (JSON.parse(body) as { readonly access_token: string }).access_token;
}
