import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { createServer } from 'node:http';
import { Overload } from '../../../adapters/http/middleware/overload.js';
import { openApiDocument } from '../../../adapters/http/openapi/document.js';
import { createPagesApp } from '../../../adapters/http/probes/app.js';
import { parseCurrency } from '../../../domain/currency.js';
import { startService, type TestService } from '../../support/service.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const PATH = '/.well-known/oauth-protected-resource';
const accessTokens = { issuer: 'https://login.example', audience: 'https://market.example' };
const about = { currency: parseCurrency('USD'), version: '1.2.3' };

/** Asks the application outside the bases for a path. */
async function ask(path: string, method: string, options: object = {}): Promise<Sent> {
  const unused = { onError: () => undefined, onRequestCompleted: () => undefined, panel: false };
  const app = createPagesApp({ ...about, ...unused, ...options, readiness: async () => 'ready' }, new Overload());
  const answer = app.callback();
  const server: Listening = await listening(createServer((request, response) => void answer(request, response)));
  const sent = await send(server.url, { method, path });
  await server.close();
  return sent;
}

describe('The metadata of the protected resource (RFC 9728)', () => {
  it('names the audience, the issuer and the scopes, to everybody', async () => {
    const { status, headers, body } = await ask(PATH, 'GET', { accessTokens });
    expect([status, headers.get('Content-Type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).to.deep.equal({
      resource: 'https://market.example',
      authorization_servers: ['https://login.example'],
      scopes_supported: ['automations:read', 'automations:write'],
      bearer_methods_supported: ['header'],
    });
  });

  it('is read like any other page', async () => {
    expect([
      (await ask(PATH, 'HEAD', { accessTokens })).status,
      (await ask(PATH, 'POST', { accessTokens })).status,
    ]).to.deep.equal([200, 405]);
    expect((await ask(`${PATH}/`, 'GET', { accessTokens })).status).to.equal(404);
  });

  it('is not there without an issuer', async () => {
    expect((await ask(PATH, 'GET')).status).to.equal(404);
  });
});

describe('The OpenAPI document with an issuer', () => {
  const [without, document] = [openApiDocument(about), openApiDocument({ ...about, accessTokens })];

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    expect(valid, JSON.stringify(errors)).to.equal(true);
  });

  it('has a second security scheme, which takes the place of the first everywhere', () => {
    expect(document.components.securitySchemes).to.have.all.keys('apiKey', 'accessToken');
    expect(JSON.stringify(document.components.securitySchemes['accessToken']))
      .to.include('https://login.example')
      .and.include('https://market.example');
    expect(document.security).to.deep.equal([{ apiKey: [] }, { accessToken: [] }]);
    expect(document.paths['/automations']?.get?.security).to.deep.equal([
      { apiKey: ['automations:read'] },
      { accessToken: ['automations:read'] },
    ]);
    expect(document.paths['/automations']?.post?.security).to.deep.equal([
      { apiKey: ['automations:write'] },
      { accessToken: ['automations:write'] },
    ]);
  });

  it('says nothing of it without one', () => {
    expect(without.components.securitySchemes).to.have.all.keys('apiKey');
    expect(without.security).to.deep.equal([{ apiKey: [] }]);
    expect(without.paths['/automations']?.get?.security).to.deep.equal([{ apiKey: ['automations:read'] }]);
    expect(JSON.stringify(without)).not.to.include('accessToken');
  });
});

describe('The challenge with an issuer', () => {
  const resourceMetadata = `https://market.example${PATH}`;
  const settings = {
    PUBLIC_URL: 'https://market.example',
    OAUTH_ISSUER: 'https://login.example',
    OAUTH_AUDIENCE: 'https://market.example',
  };
  let service: TestService;
  before(async () => {
    service = await startService({ settings });
  });
  after(() => service.close());

  it('names the metadata, whatever is wrong with the credentials', async () => {
    const realm = 'Bearer realm="automation-marketplace"';
    const named = `, resource_metadata="${resourceMetadata}"`;
    const reader = await service.key('ada', ['automations:read']);
    const challenged = async (method: string, headers = {}) => {
      const { status, headers: answered } = await send(service.url, { method, path: '/api/automations', headers });
      return [status, answered.get('WWW-Authenticate')];
    };
    expect(await challenged('GET')).to.deep.equal([401, `${realm}${named}`]);
    expect(await challenged('GET', { Authorization: 'Bearer x' })).to.deep.equal([
      401,
      `${realm}, error="invalid_token"${named}`,
    ]);
    expect(await challenged('POST', { Authorization: `Bearer ${reader}` })).to.deep.equal([
      403,
      `${realm}, error="insufficient_scope", scope="automations:write"${named}`,
    ]);
    expect(await challenged('PATCH', { Authorization: `Bearer ${reader}` })).to.deep.equal([405, null]);
  });
});
