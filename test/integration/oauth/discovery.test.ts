import { expect } from 'chai';
import { createServer, type ServerResponse } from 'node:http';
import { exportJWK } from 'jose';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { failureOf } from '../../unit/domain/failure.js';
import { AUDIENCE, newKey, type SigningKey } from '../../support/issuer.js';
import { listening, type Listening } from '../../support/socket.js';
import { claimsOf, identities, NOON, signed } from './token.js';

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

/** What is answered at a path: an object as JSON, a text as it is, or whatever a function does. */
type Answers = Readonly<Record<string, object | string | ((response: ServerResponse) => void)>>;

describe('The discovery of an issuer', () => {
  let server: Listening;
  let key: SigningKey;
  let answers: Answers;
  let asked: string[];
  before(async () => {
    key = await newKey('first');
    server = await listening(createServer(({ url = '' }, response) => answer(url, response)));
  });
  beforeEach(() => {
    asked = [];
  });
  after(() => server.close());

  function answer(path: string, response: ServerResponse): void {
    asked.push(path);
    const content = answers[path];
    if (typeof content === 'function') content(response);
    else if (content === undefined) response.writeHead(404).end('{}');
    else response.end(typeof content === 'string' ? content : JSON.stringify(content));
  }

  const keys = async () => ({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid }] });
  const metadata = (issuer = server.url, path = '/keys') => ({ issuer, jwks_uri: `${server.url}${path}` });
  const verify = (issuer = server.url) => {
    const verifier = new JwtAccessTokenVerifier({ identities, issuer, audience: AUDIENCE, now: () => new Date(NOON) });
    return verifier.verify(signed(key, claimsOf({ url: issuer })));
  };

  const FOUND: Readonly<Record<string, readonly [issuerPath: string, metadataPath: string]>> = {
    'as RFC 8414 has it': ['', OAUTH],
    'as OpenID Connect has it': ['', OPENID],
    'as RFC 8414 has it, with a path': ['/tenant/one', `${OAUTH}/tenant/one`],
    'as OpenID Connect has it, with a path': ['/tenant/one', `/tenant/one${OPENID}`],
    'with a slash at its end, as RFC 8414 has it': ['/tenant/', `${OAUTH}/tenant`],
    'with a slash at its end, as OpenID Connect has it': ['/', OPENID],
  };
  for (const [how, [issuerPath, path]] of Object.entries(FOUND))
    it(`finds the keys ${how}`, async () => {
      const issuer = `${server.url}${issuerPath}`;
      answers = { [path]: metadata(issuer), '/keys': await keys() };
      expect(await verify(issuer)).to.include({ developerId: 'ada' });
    });

  it('needs only one of both to be true', async () => {
    answers = { [OAUTH]: '<html>', [OPENID]: metadata(), '/keys': await keys() };
    expect(await verify()).to.include({ developerId: 'ada' });
  });

  it('is left out for keys whose address is given, in place of the one that the issuer names', async () => {
    answers = { '/internal/keys': await keys() };
    const issuer = 'https://login.example/realms/market';
    const options = {
      identities,
      issuer,
      audience: AUDIENCE,
      jwksUrl: `${server.url}/internal/keys`,
      now: () => new Date(NOON),
    };
    const verifier = new JwtAccessTokenVerifier(options);
    expect(await verifier.verify(signed(key, claimsOf({ url: issuer })))).to.include({ developerId: 'ada' });
    expect(asked).to.deep.equal(['/internal/keys']);
  });

  it('is not left out for an address at which others could publish keys', () => {
    for (const jwksUrl of ['http://login.example/keys', 'ftp://login.example', 'keys', ''])
      expect(
        () => new JwtAccessTokenVerifier({ identities, issuer: 'https://login.example', audience: AUDIENCE, jwksUrl }),
      ).to.throw('The address of the keys must be an https URL');
  });

  const everywhere = (content: Answers[string]): Answers => ({ [OAUTH]: content, [OPENID]: content });
  const redirect = (to: string) => (response: ServerResponse) => response.writeHead(302, { Location: to }).end();
  const LIES: Readonly<Record<string, () => Answers>> = {
    'has none': () => ({}),
    'is about another issuer': () => everywhere(metadata('https://other.example')),
    'is about the issuer with a slash': () => everywhere(metadata(`${server.url}/`)),
    'is about nobody': () => everywhere({ jwks_uri: `${server.url}/keys` }),
    'is about the issuer and another': () => everywhere({ ...metadata(), issuer: [server.url] }),
    'names no keys': () => everywhere({ issuer: server.url }),
    'names keys that are not there': () => everywhere(metadata(server.url, '/none')),
    'names keys that are none': () => everywhere(metadata(server.url, OAUTH)),
    'is no JSON': () => everywhere('<html>'),
    'is nothing': () => everywhere('null'),
    'is an error': () => everywhere((response) => response.writeHead(500).end(JSON.stringify(metadata()))),
    'is elsewhere': () => ({ ...everywhere(redirect('/elsewhere')), '/elsewhere': metadata() }),
    'names keys that are elsewhere': () => ({
      ...everywhere(metadata(server.url, '/moved')),
      '/moved': redirect('/keys'),
    }),
    'is too large': () => everywhere({ ...metadata(), pad: 'x'.repeat(512 * 1024) }),
    'never ends': () => everywhere((response) => void response.write('{"issuer"')),
    'never comes': () => everywhere(() => undefined),
  };
  for (const [what, lie] of Object.entries(LIES))
    it(`takes no key when the metadata ${what}`, async () => {
      answers = { '/keys': await keys(), ...lie() };
      expect((await failureOf(() => verify())).kind).to.equal('unavailable');
      expect(asked).to.include.members([OAUTH, OPENID]).and.not.include('/keys').and.not.include('/elsewhere');
    });

  for (const url of [
    'http://keys.example/',
    'http://127.0.0.1.example/',
    'ftp://127.0.0.1/',
    'file:///keys',
    'data:,keys',
    '/keys',
  ])
    it(`asks for no keys at ${url}`, async () => {
      answers = everywhere({ ...metadata(), jwks_uri: url });
      const known = Response.json(await keys());
      const fetchOrAnswer: typeof fetch = async (address, init) =>
        address === url ? known.clone() : fetch(address, init);
      const verifier = new JwtAccessTokenVerifier({
        identities,
        issuer: server.url,
        audience: AUDIENCE,
        now: () => new Date(NOON),
        fetch: fetchOrAnswer,
      });
      expect((await failureOf(() => verifier.verify(signed(key, claimsOf(server))))).kind).to.equal('unavailable');
    });

  it('reads no more than it needs of what has no end', async () => {
    let sent = 0;
    const flood = (response: ServerResponse): void => {
      const timer = setInterval(() => {
        sent += 64 * 1024;
        response.write(' '.repeat(64 * 1024));
      }, 1);
      response.once('close', () => clearInterval(timer));
    };
    answers = everywhere(flood);
    expect((await failureOf(() => verify())).kind).to.equal('unavailable');
    expect(sent).to.be.below(64 * 1024 * 1024);
  });

  const NO_ISSUERS = [
    '',
    'login.example',
    'http://login.example',
    'ftp://login.example',
    'https://a:b@login.example',
    'https://login.example?a',
    'https://login.example#a',
    'http://127.0.0.1.example',
  ];
  for (const issuer of NO_ISSUERS)
    it(`is not tried with ${JSON.stringify(issuer)}`, () => {
      expect(() => new JwtAccessTokenVerifier({ identities, issuer, audience: AUDIENCE })).to.throw(
        /^The issuer must be an https URL/,
      );
    });

  it('is not tried without an audience', () => {
    for (const audience of ['', undefined, null, ['', AUDIENCE]])
      expect(
        () => new JwtAccessTokenVerifier({ identities, issuer: server.url, audience: audience as string }),
      ).to.throw(/^The audience must be/);
  });
});
