import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { createServer } from 'node:http';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import { createPagesApp } from '../../../adapters/api/documents/site-app.js';
import { parseCurrency } from '../../../domain/currency.js';
import { startService, type TestService } from '../../support/service.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const PATH = '/.well-known/oauth-protected-resource';
const OUTSIDE = { outsideIssuer: 'https://login.example', audience: 'https://market.example' };
const OWN = { ownIssuer: 'https://market.example/oauth', audience: 'https://market.example/api' };
const accessTokens = () => OUTSIDE;
const about = { currency: parseCurrency('USD'), version: '1.2.3' };

const UNUSED = {
  onError: () => undefined,
  onRequestCompleted: () => undefined,
  panel: false,
  readiness: async () => 'ready' as const,
} as const;

/** Asks the application outside the bases for a path. */
async function ask(path: string, method: string, options: object = {}): Promise<Sent> {
  const app = createPagesApp({ ...about, ...UNUSED, ...options }, new Overload());
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

  it('names the own server first where both are on, and the audience that is set', async () => {
    const both = await ask(PATH, 'GET', { accessTokens: () => ({ ...OWN, ...OUTSIDE }) });
    expect(JSON.parse(both.body)).to.deep.include({
      resource: 'https://market.example',
      authorization_servers: ['https://market.example/oauth', 'https://login.example'],
    });
    const own = await ask(PATH, 'GET', { accessTokens: () => OWN });
    expect(JSON.parse(own.body)).to.deep.include({
      resource: 'https://market.example/api',
      authorization_servers: ['https://market.example/oauth'],
    });
  });

  it('of the tools for agents has their own audience and servers', async () => {
    const audience = 'https://market.example/mcp';
    const options = { accessTokens: () => ({ ...OWN, ...OUTSIDE }), agentTokens: () => ({ ...OWN, audience }) };
    expect(JSON.parse((await ask(`${PATH}/mcp`, 'GET', options)).body)).to.deep.include({
      resource: audience,
      authorization_servers: ['https://market.example/oauth'],
    });
    expect((await ask(`${PATH}/mcp`, 'GET', { accessTokens })).status).to.equal(404);
  });

  it('is made of the address that is known when it is asked for', async () => {
    const known: string[] = [];
    const find = () => known.map((url) => ({ ownIssuer: `${url}/oauth`, audience: `${url}/api` }))[0];
    const answer = createPagesApp({ ...about, ...UNUSED, accessTokens: find }, new Overload()).callback();
    const server = await listening(createServer((request, response) => void answer(request, response)));
    expect((await send(server.url, { method: 'GET', path: PATH })).status).to.equal(404);
    known.push(server.url);
    expect(JSON.parse((await send(server.url, { method: 'GET', path: PATH })).body)).to.deep.include({
      resource: `${server.url}/api`,
      authorization_servers: [`${server.url}/oauth`],
    });
    await server.close();
  });

  it('is not there where no access tokens are taken', async () => {
    expect((await ask(PATH, 'GET')).status).to.equal(404);
    expect((await ask(PATH, 'GET', { accessTokens: () => undefined })).status).to.equal(404);
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

describe('The OpenAPI document with the own authorization server', () => {
  const document = openApiDocument({ ...about, accessTokens: () => OWN });
  const both = openApiDocument({ ...about, accessTokens: () => ({ ...OWN, ...OUTSIDE }) });
  const scheme = document.components.securitySchemes['oauth'] as {
    readonly type: string;
    readonly description: string;
    readonly flows: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  it('is valid OpenAPI 3.1, also next to an issuer elsewhere', async () => {
    for (const one of [document, both]) {
      const { valid, errors } = await new Validator().validate({ ...one });
      expect(valid, JSON.stringify(errors)).to.equal(true);
    }
  });

  it('has the flows with the addresses of the server and both scopes', () => {
    const { clientCredentials, authorizationCode } = scheme.flows;
    expect([scheme.type, Object.keys(scheme.flows)]).to.deep.equal([
      'oauth2',
      ['clientCredentials', 'authorizationCode'],
    ]);
    expect(clientCredentials).to.include({ tokenUrl: 'https://market.example/oauth/token' });
    expect(authorizationCode).to.include({
      authorizationUrl: 'https://market.example/oauth/auth',
      tokenUrl: 'https://market.example/oauth/token',
      refreshUrl: 'https://market.example/oauth/token',
    });
    for (const { scopes } of Object.values(scheme.flows))
      expect(scopes).to.have.all.keys('automations:read', 'automations:write');
    expect(scheme.description).to.include('PKCE (S256)').and.include('https://market.example/oauth/device/auth');
    expect(scheme.description).to.include('for the resource `https://market.example/api`');
  });

  it("lets each operation take its own tokens with the scope of a key, next to an issuer's", () => {
    expect(both.components.securitySchemes).to.have.all.keys('apiKey', 'oauth', 'accessToken');
    expect(both.paths['/automations']?.post?.security).to.deep.equal([
      { apiKey: ['automations:write'] },
      { oauth: ['automations:write'] },
      { accessToken: ['automations:write'] },
    ]);
  });
});

describe('What programs read of the own authorization server', () => {
  it('names it in llms.txt, and leads from the catalogue of APIs to the metadata of the resource', async () => {
    const options = { accessTokens: () => OWN, publicUrl: 'https://market.example' };
    expect((await ask('/llms.txt', 'GET', options)).body).to.include('https://market.example/oauth');
    const meta = async (given: object): Promise<unknown> => {
      const { linkset } = JSON.parse((await ask('/.well-known/api-catalog', 'GET', given)).body) as {
        readonly linkset: readonly Readonly<Record<string, unknown>>[];
      };
      return linkset[1]?.['service-meta'];
    };
    expect(await meta(options)).to.deep.equal([
      { href: `https://market.example${PATH}/api`, type: 'application/json' },
    ]);
    expect(await meta({ publicUrl: 'https://market.example' })).to.equal(undefined);
  });
});

describe('The challenge with an issuer', () => {
  const resourceMetadata = `https://market.example${PATH}/api`;
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
      `${realm}, error="insufficient_scope", scope="automations:read automations:write"${named}`,
    ]);
    expect(await challenged('PATCH', { Authorization: `Bearer ${reader}` })).to.deep.equal([405, null]);
  });
});
