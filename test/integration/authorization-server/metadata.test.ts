import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { SCOPES } from '../../../domain/scope.js';
import { OAuthApp } from '../../support/oauth-app.js';
import { agentDocument } from '../../support/oauth-documents.js';
import { startWithDocuments } from '../../support/oauth-stage.js';
import { send, type Sent } from '../../support/socket.js';
import { Market, type Client, type Fields } from './hostile/market.js';

const METADATA = '/.well-known/oauth-authorization-server/oauth';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const NOTHING_THERE = 404;

/** What the server says of itself, by the names of the members. */
type Said = Readonly<Record<string, string | boolean | readonly string[]>>;

interface Stage {
  readonly market: Market;
  readonly said: Said;
  readonly web: Client;
  readonly native: Client;
  readonly machine: Client;
}

/** Returns what the server does; of several things those that it does. */
type Find = (stage: Stage) => Promise<unknown>;

const isAt =
  (endpoint: string, path: string, method = 'POST'): Find =>
  async ({ market, said }) => {
    const { status } = await send(market.url, { method, path: `/oauth${path}` });
    expect(said[endpoint]).to.equal(`${market.url}/oauth${path}`);
    return status === NOTHING_THERE ? undefined : said[endpoint];
  };

/** Returns those values of a parameter with which a request for authorization leads to the question to the person. */
const asked =
  (name: string, values: readonly string[], others: Fields = {}): Find =>
  async ({ market, web }) => {
    const places = await Promise.all(values.map((value) => market.ask(web, { ...others, [name]: value })));
    return values.filter((_value, index) => isQuestion(places[index]));
  };

function isQuestion(sent: Sent | undefined): boolean {
  return sent?.headers.get('location')?.startsWith('/panel/consent/') === true;
}

/** Returns the ways in which clients are known at an endpoint, which has nothing for them. */
const authMethods =
  (path: string): Find =>
  async ({ market, web, native }) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
    const { id, secret = '' } = web;
    const assertion = { client_assertion: 'a.b.c', client_assertion_type: 'x' };
    const sent = {
      client_secret_basic: await market.postAs(web, path, form),
      client_secret_post: await market.post(path, { ...form, client_id: id, client_secret: secret }),
      none: await market.postAs(native, path, form),
      private_key_jwt: await market.post(path, { ...form, client_id: id, ...assertion }),
    };
    return Object.entries(sent).flatMap(([name, { status }]) => (status === 401 ? [] : [name]));
  };

const idToken = async ({ market, web }: Stage) =>
  (await market.tokens(web, { scope: 'openid', max_age: '60', claims: '{"id_token":{"sid":null}}' })).id_token;

const answersOf = async ({ market, web }: Stage) => {
  const sent = await market.answer(await market.question(web), 'cancel');
  return new URL(sent.headers.get('location') ?? '').searchParams;
};

/** What each member says is found by what the server does. */
const DONE: Readonly<Record<string, Find>> = {
  issuer: async (stage) => (await answersOf(stage)).get('iss'),
  authorization_endpoint: isAt('authorization_endpoint', '/auth', 'GET'),
  token_endpoint: isAt('token_endpoint', '/token'),
  device_authorization_endpoint: isAt('device_authorization_endpoint', '/device/auth'),
  revocation_endpoint: isAt('revocation_endpoint', '/token/revocation'),
  jwks_uri: isAt('jwks_uri', '/jwks', 'GET'),
  response_types_supported: asked('response_type', ['code', 'token', 'id_token', 'code id_token', 'none']),
  response_modes_supported: asked('response_mode', ['query', 'fragment', 'form_post', 'web_message', 'jwt']),
  code_challenge_methods_supported: asked('code_challenge_method', ['S256', 'plain']),
  scopes_supported: asked('scope', [...SCOPES, 'offline_access', 'openid', 'automations:delete']),
  grant_types_supported: async ({ market, native, machine }) => {
    const grants = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE, 'password', 'implicit'];
    const form = {
      code: 'x',
      redirect_uri: 'http://127.0.0.1',
      code_verifier: 'x',
      refresh_token: 'x',
      device_code: 'x',
    };
    const sent = await Promise.all(
      grants.map((grant) =>
        market.postAs(grant === 'client_credentials' ? machine : native, '/token', { ...form, grant_type: grant }),
      ),
    );
    return grants.filter((_grant, index) => !sent[index]?.body.includes('unsupported_grant_type'));
  },
  token_endpoint_auth_methods_supported: authMethods('/token'),
  revocation_endpoint_auth_methods_supported: authMethods('/token/revocation'),
  authorization_response_iss_parameter_supported: async (stage) => (await answersOf(stage)).has('iss'),
  request_uri_parameter_supported: async ({ market, web }) =>
    isQuestion(await market.ask(web, { request_uri: 'https://app.example/request' })),
  claims_parameter_supported: async (stage) => 'sid' in decodeJwt(await idToken(stage)),
  claims_supported: async (stage) => Object.keys(decodeJwt(await idToken(stage))).filter((name) => name !== 'at_hash'),
  claim_types_supported: async (stage) =>
    '_claim_names' in decodeJwt(await idToken(stage)) ? ['aggregated'] : ['normal'],
  id_token_signing_alg_values_supported: async (stage) => [decodeProtectedHeader(await idToken(stage)).alg],
  subject_types_supported: async (stage) => {
    const subjects = [decodeJwt(await idToken(stage)).sub];
    const { market } = stage;
    subjects.push(decodeJwt(await idToken({ ...stage, web: await market.register('web', { by: 'bob' }) })).sub);
    return [subjects[0] === subjects[1] ? 'public' : 'pairwise'];
  },
  client_id_metadata_document_supported: async () => {
    const [id, document] = agentDocument('terminal');
    const stage = await startWithDocuments(new Map([[id, document]]));
    const { visitor } = await stage.member();
    const { url } = await (await OAuthApp.of(stage.url, { app: { id } }, 'http://localhost:51004/callback')).ask();
    const sent = await visitor.open(url.pathname + url.search);
    await stage.close();
    return isQuestion(sent);
  },
};

describe('The metadata of the authorization server say what it does (RFC 8414):', () => {
  let stage: Stage;
  before(async () => {
    const market = await Market.open();
    const said = (await (await fetch(market.url + METADATA)).json()) as Said;
    const [web, native, machine] = [
      await market.register('web'),
      await market.register('native'),
      await market.register('machine'),
    ];
    stage = { market, said, web, native, machine };
  });
  after(() => stage.market.close());

  for (const [member, find] of Object.entries(DONE))
    it(member, async () => {
      const [said, done] = [stage.said[member], await find(stage)];
      if (Array.isArray(said)) expect(said).to.have.members(done as readonly string[]);
      else expect(said).to.equal(done);
    });

  it('and have no other member', () => {
    expect(Object.keys(stage.said)).to.have.members(Object.keys(DONE));
  });
});
