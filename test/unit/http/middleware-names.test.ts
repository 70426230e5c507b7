import { expect } from 'chai';
import type { Context } from '../../../adapters/edge/context.js';
import type { MountedApp } from '../../../adapters/api/index.js';
import { createServer } from 'node:http';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createMcpApp } from '../../../adapters/mcp/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { listening } from '../../support/socket.js';

const core = newCore(inMemoryStorage());
const authenticate = () => ({ developerId: parseDeveloperId('ada'), scopes: SCOPES });
const APPS: Readonly<Record<string, () => MountedApp>> = {
  API: () => createHttpApp(core.marketplace, { authenticate, sessions: core.sessions, mountPath: '/market' }),
  panel: () => createPanel(core),
  agents: () => createMcpApp(core.marketplace, { authenticate, sessions: core.sessions }),
  catalogue: () => createCatalogue(core, { visibility: 'public' }),
};

describe('What traces show of the applications', () => {
  for (const [name, newApp] of Object.entries(APPS))
    it(`${name}: each middleware has a name, and no two have the same, but for routers`, () => {
      const { middleware } = newApp();
      const names = middleware.flatMap((one) => ('router' in one ? [] : [one.name]));
      expect(names).to.have.length.above(8).and.not.include('');
      expect(new Set(names).size).to.equal(names.length);
    });

  it("API: the route is where Koa's routers put it, with mount path; an unknown path has none", async () => {
    const app = createHttpApp(core.marketplace, { authenticate, sessions: core.sessions, mountPath: '/market' });
    const routes: unknown[] = [];
    app.middleware.unshift(async (ctx, next) => {
      await next();
      routes.push((ctx as Context)['_matchedRoute']);
    });
    const handle = app.callback();
    const server = await listening(createServer((request, response) => void handle(request, response)));
    for (const path of ['/api/automations/x', '/v1/automations?limit=1', '/api/nothing', '/nothing'])
      await fetch(server.url + path);
    await server.close();
    expect(routes).to.deep.equal(['/market/api/automations/:id', '/market/v1/automations', undefined, undefined]);
  });
});
