import { expect } from 'chai';
import { createService } from '../../../composition/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { startIssuer, AUDIENCE } from '../../support/issuer.js';
import { startService } from '../../support/service.js';
import { callMessage, post } from './agent.js';

const LIST = callMessage('list_categories');

describe('The service with tools for agents', () => {
  it('serves them at /mcp with the keys of the API, and logs each call without the key', async () => {
    const service = await startService({ settings: { LOG_LEVEL: 'info' } });
    const key = await service.key();
    const response = await post(`${service.url}/mcp`, key, LIST);
    expect(response.status).to.equal(200);
    expect(await response.json()).to.have.nested.property('result.structuredContent.total', 3);
    const line = service.logged.find((text) => text.includes('"route":"/mcp"'));
    expect(line).to.include('"status":200');
    expect(service.logged.join('')).not.to.include(key);
    await service.close();
  });

  it('has none with MCP=off', async () => {
    const service = await startService({ settings: { MCP: 'off' } });
    expect((await post(`${service.url}/mcp`, await service.key(), LIST)).status).to.equal(404);
    await service.close();
  });

  it('counts the requests of agents and of the API together', async () => {
    const service = await startService({ settings: { RATE_LIMIT_READS: '2' } });
    const key = await service.key();
    const read = () => fetch(`${service.url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } });
    const statuses = [await read(), await post(`${service.url}/mcp`, key, LIST), await read()].map(
      ({ status }) => status,
    );
    expect(statuses).to.deep.equal([200, 200, 429]);
    await service.close();
  });
});

describe('Access tokens of an issuer for agents', () => {
  it('are for /mcp or for the API, and the metadata of each names its audience', async () => {
    const issuer = await startIssuer();
    const service = await createService({
      storage: inMemoryStorage(),
      publicUrl: AUDIENCE,
      accessTokens: { issuer: issuer.url, audience: `${AUDIENCE}/api` },
    });
    const server = await service.listen(0);
    const url = urlOf(server.address());
    const forTools = await issuer.token(undefined, `${AUDIENCE}/mcp`);
    const forApi = await issuer.token(undefined, `${AUDIENCE}/api`);
    const api = (token: string) => fetch(`${url}/api/categories`, { headers: { Authorization: `Bearer ${token}` } });
    const tools = (token: string) => post(`${url}/mcp`, token, LIST);
    expect([(await tools(forTools)).status, (await tools(forApi)).status]).to.deep.equal([200, 401]);
    expect([(await api(forApi)).status, (await api(forTools)).status]).to.deep.equal([200, 401]);
    const challenge = (await tools(forApi)).headers.get('WWW-Authenticate');
    expect(challenge).to.include(`resource_metadata="${AUDIENCE}/.well-known/oauth-protected-resource/mcp"`);
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).to.include({ resource: `${AUDIENCE}/mcp` });
    await service.close();
    await issuer.leave();
  });
});

describe('Access tokens of an issuer for agents of a service without PUBLIC_URL', () => {
  it('are refused, also those for the API', async () => {
    const issuer = await startIssuer();
    const accessTokens = { issuer: issuer.url, audience: AUDIENCE };
    const service = await createService({ storage: inMemoryStorage(), accessTokens });
    const url = urlOf((await service.listen(0)).address());
    const token = await issuer.token();
    const api = await fetch(`${url}/api/categories`, { headers: { Authorization: `Bearer ${token}` } });
    expect([api.status, (await post(`${url}/mcp`, token, LIST)).status]).to.deep.equal([200, 401]);
    await service.close();
    await issuer.leave();
  });
});

function urlOf(address: unknown): string {
  return `http://127.0.0.1:${(address as { readonly port: number }).port}`;
}
