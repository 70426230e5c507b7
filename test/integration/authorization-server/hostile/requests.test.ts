import { expect } from 'chai';
import { REDIRECT } from '../../../support/oauth-app.js';
import { send } from '../../../support/socket.js';
import { encoded, Market, requestOf, type Client, type Fields } from './market.js';
import { refuses } from './outcome.js';

const AT_APP = `at ${REDIRECT}`;
const INVALID = `303 invalid_request ${AT_APP}`;
const NO_TYPE = `303 unsupported_response_type ${AT_APP}`;
const NO_MODE = `303 unsupported_response_mode ${AT_APP}`;
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('The authorization server refuses a request', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  const asked = (changes: Fields) => () => market.ask(app, changes);
  const good = () => encoded(requestOf(app));
  const styleSheet = async () => /"\/oauth(\/[^"]+\.css)"/.exec((await get('/oauth/device')).body)?.[1] ?? '';

  refuses([
    ['for the response type token', asked({ response_type: 'token' }), INVALID],
    ['for the response type id_token', asked({ response_type: 'id_token', nonce: 'x' }), INVALID],
    ['for the response type none', asked({ response_type: 'none' }), NO_TYPE],
    ['for the response type code token', asked({ response_type: 'code token' }), INVALID],
    ['for the response type code id_token', asked({ response_type: 'code id_token', nonce: 'x' }), INVALID],
    ['for the response type CODE', asked({ response_type: 'CODE' }), NO_TYPE],
    ['for two response types', asked({ response_type: ['code', 'token'] }), INVALID],
    ['without a response type', asked({ response_type: undefined }), INVALID],
    ['with an empty response type', asked({ response_type: '' }), INVALID],
    ['for the response mode web_message', asked({ response_mode: 'web_message' }), NO_MODE],
    ['for the response mode jwt', asked({ response_mode: 'jwt' }), NO_MODE],
    ['for the response mode query.jwt', asked({ response_mode: 'query.jwt' }), NO_MODE],
    ['for a response mode that there is none of', asked({ response_mode: 'evil' }), NO_MODE],
    ['for the response mode __proto__', asked({ response_mode: '__proto__' }), NO_MODE],
    ['for two response modes', asked({ response_mode: ['query', 'fragment'] }), INVALID],
    ['with its parameters in a token', asked({ request: 'a.b.c' }), `303 request_not_supported ${AT_APP}`],
    [
      'with its parameters at an address',
      asked({ request_uri: 'https://evil.example/request' }),
      `303 request_uri_not_supported ${AT_APP}`,
    ],
    [
      'with the address of a pushed request',
      asked({ request_uri: 'urn:ietf:params:oauth:request_uri:x' }),
      `303 request_uri_not_supported ${AT_APP}`,
    ],
    ['with a registration', asked({ registration: '{}' }), `303 registration_not_supported ${AT_APP}`],
    ['that must not ask', asked({ prompt: 'none' }), `303 login_required ${AT_APP}`],
    ['that must not ask and must', asked({ prompt: 'none consent' }), INVALID],
    ['with a prompt that there is none of', asked({ prompt: 'create' }), INVALID],
    ['with two prompts', asked({ prompt: ['none', 'login'] }), INVALID],
    ['with a hint that is no ID token', asked({ scope: 'openid automations:read', id_token_hint: 'x' }), INVALID],
    [
      'with a hint of the algorithm none',
      asked({ scope: 'openid automations:read', id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }),
      INVALID,
    ],
    ['with an age that is none', asked({ scope: 'openid automations:read', max_age: 'x' }), INVALID],
    ['with an age below zero', asked({ scope: 'openid automations:read', max_age: '-1' }), INVALID],
    ['with two states', asked({ state: ['one', 'two'] }), INVALID],
    ['with two scopes', asked({ scope: ['automations:read', 'automations:write'] }), INVALID],
    ['for the response mode fragment', asked({ response_mode: 'fragment' }), INVALID],
    ['for the response mode form_post', asked({ response_mode: 'form_post' }), INVALID],
    [
      'by POST for another response type',
      () => market.post('/auth', { ...requestOf(app), response_type: 'none' }),
      NO_TYPE,
    ],
    [
      'by POST from a client without a secret that sends its id as a user name',
      () =>
        market.post('/auth', { ...requestOf(app), response_type: 'none' }, { Authorization: `Basic ${btoa('x:')}` }),
      NO_TYPE,
    ],
    [
      'by POST with 20,000 characters',
      () => market.post('/auth', { state: 'x'.repeat(20_000) }),
      '413 payload-too-large',
    ],
    [
      'by POST with its parameters in JSON',
      () => market.post('/auth', JSON.stringify(requestOf(app)), JSON_TYPE),
      '400 invalid_request',
    ],
    ['by POST with its parameters in the address', () => market.post(`/auth?${good()}`, {}), '400 invalid_request'],
    ['by PUT', () => send(market.url, { method: 'PUT', path: `/oauth/auth?${good()}` }), '404 not-found'],
    ['with nothing in it', () => get('/oauth/auth'), '400 invalid_request'],
    ['with 1,000 times the same parameter', () => get(`/oauth/auth?${good()}${'&state=a'.repeat(900)}`), INVALID],
    [
      'with parameters as in PHP',
      () => get(`/oauth/auth?${good().replace('client_id=', 'client_id[]=')}`),
      '400 invalid_request',
    ],
    ['whose bytes are no UTF-8', () => get('/oauth/auth?client_id=%ff%fe&response_type=%c0%80'), '400 invalid_client'],
    ['whose percent encoding is broken', () => get('/oauth/auth?client_id=%zz&response_type=%'), '400 invalid_client'],
    ['of 20,000 characters', asked({ state: 'x'.repeat(20_000) }), '414 uri-too-long'],
    [
      'for a device that takes 90 KB in its record',
      () => market.postAs(app, '/device/auth', { scope: 'openid automations:read', nonce: '\0'.repeat(15_000) }),
      '400 invalid_request',
    ],
    [
      'for a token whose body is JSON',
      () => market.post('/token', '{"grant_type":"client_credentials"}', JSON_TYPE),
      '400 invalid_request',
    ],
    [
      'for a token without a type of content',
      () => market.post('/token', 'grant_type=client_credentials', { 'Content-Type': '' }),
      '400 invalid_request',
    ],
    [
      'for a token in another character set',
      () =>
        market.post('/token', 'grant_type=x', { 'Content-Type': 'application/x-www-form-urlencoded; charset=evil' }),
      '400 invalid_request',
    ],
    [
      'for a token whose body has 1 MB',
      () => market.post('/token', `code=${'x'.repeat(1_000_000)}`),
      '400 invalid_request',
    ],
    ['for a token with 10,000 parameters', () => market.post('/token', 'a=b&'.repeat(10_000)), '400 invalid_request'],
    ['for a token by GET', () => get('/oauth/token?grant_type=client_credentials'), '404'],
    ['for a token by PUT', () => send(market.url, { method: 'PUT', path: '/oauth/token' }), '404 not-found'],
    ['for a file of its pages by POST', async () => market.post(await styleSheet(), {}), '405 method-not-allowed'],
    ['for a token above the server', () => market.post('/../oauth/token', {}), '404 not-found'],
    ['for the pages that oidc-provider has for developers', () => get('/oauth/interaction/x'), '404'],
    ['for the end of a session that nobody asked for', () => get('/oauth/session/end'), '404'],
    ['that says that it is for another site', () => get('/oauth/jwks', { Host: 'evil.example' }), '400'],
    [
      'for a token that says that it is for another site',
      () => market.post('/token', {}, { Host: 'evil.example' }),
      '400 malformed-request',
    ],
    [
      'for the metadata that says that it is for another site',
      () => get('/.well-known/oauth-authorization-server/oauth', { Host: 'evil.example' }),
      '400',
    ],
    ['that goes on without a cookie', () => get(`/oauth/auth/${'x'.repeat(43)}`), '400 invalid_request'],
    ['that goes on for a device without a cookie', () => get(`/oauth/device/${'x'.repeat(43)}`), '400'],
    [
      'that goes on with the cookie of nobody',
      () =>
        get(`/oauth/auth/${'x'.repeat(43)}`, {
          Cookie: `oauth-resume=${'x'.repeat(43)}; oauth-resume.sig=${'x'.repeat(27)}`,
        }),
      '400 invalid_request',
    ],
  ]);

  const get = (path: string, headers: Record<string, string> = {}) =>
    send(market.url, { method: 'GET', path, headers: { Accept: 'text/html', ...headers } });

  it('of a proxy that is not trusted to say which site it is for', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example',
    };
    for (const path of ['/.well-known/oauth-authorization-server/oauth', '/oauth/auth']) {
      const { body, headers: answered } = await get(path, headers);
      expect(body + String(answered.get('location'))).to.not.include('evil.example');
    }
    const { body } = await market.postAs(app, '/device/auth', {});
    expect((JSON.parse(body) as { readonly verification_uri: string }).verification_uri).to.equal(
      `${market.url}/oauth/device`,
    );
  });

  it('to leave out who answers: a code and an error name the issuer and the state as sent', async () => {
    const state = 'a b+c&d=é"<>\u2028';
    for (const what of ['allow', 'cancel'] as const) {
      const sent = await market.answer(await market.question(app, { state }), what);
      const { searchParams } = new URL(sent.headers.get('location') ?? '');
      expect([searchParams.get('iss'), searchParams.get('state')]).to.deep.equal([`${market.url}/oauth`, state]);
    }
  });

  it('to show what was sent as anything but text', async () => {
    const { body, headers } = await market.ask({ id: '<script>alert(1)</script>' });
    expect(body).to.not.include('<script>alert');
    expect(headers.get('content-security-policy'))
      .to.include("script-src 'self'")
      .and.include("frame-ancestors 'none'");
  });
});
