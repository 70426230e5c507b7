import { expect } from 'chai';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp, dispatcher, type Applications } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { type Core, newCore, OPERATOR } from '../../../application/index.js';
import { Visitor } from '../../support/panel-visitor.js';
import { PASSWORD } from '../../support/panel.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { HOSTS, MOUNT_PATH, type Host } from './hosts.js';

const DRAFT = { title: 'Sort my inbox', description: 'Labels.', price: '9.99', categoryId: 'communication' };

/** The pages of a host, which has the marketplace under a path by `dispatcher` alone. */
const OWN_PAGES: Readonly<Record<string, () => RequestListener>> = {
  Koa() {
    const app = new Koa();
    app.use((ctx) => {
      ctx.body = `my ${ctx.path}`;
    });
    const handle = app.callback();
    return (request, response) => void handle(request, response);
  },
  Hono() {
    const app = new Hono();
    app.get('*', (ctx) => ctx.text(`my ${ctx.req.path}`));
    const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return (request, response) => void handle(request, response);
  },
};

/** Returns API, panel and catalogue, which are under the mount path. */
async function marketplace(): Promise<{ readonly core: Core; readonly applications: Applications }> {
  const storage = inMemoryStorage();
  await storage.categories.save(TEST_CATEGORIES);
  const core = newCore(storage, { currency: 'EUR' });
  const options = { mountPath: MOUNT_PATH, onError: undefined, publicUrl: undefined };
  const api = createHttpApp(core.marketplace, { ...options, verifier: core.verifier }).callback();
  const panel = createPanel(core, { ...options, catalogue: true }).callback();
  const catalogue = createCatalogue(core, { ...options, panel: true, visibility: 'public' }).callback();
  return { core, applications: { api, panel, catalogue } };
}

/** Returns the addresses that a page leads to with GET. */
function addressesIn(html: string): readonly string[] {
  const links = html.matchAll(/(?:(?:src|href)|<form action)="([^"#]+)"/g);
  return Array.from(links, ([, link = '']) => link.replaceAll('&amp;', '&'));
}

/** Follows every address of the pages below the start, and returns them with their statuses. */
async function crawl(visitor: Visitor, start: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const waiting = [...start];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    const { status, body, headers } = await visitor.open(path);
    seen.set(path, status);
    const isPage = String(headers.get('content-type')).startsWith('text/html');
    if (isPage) waiting.push(...addressesIn(body.replaceAll(`"${visitor.url}/`, '"/')));
  }
  return seen;
}

describe('The panel and the catalogue of a host', () => {
  let server: Server;
  afterEach(() => {
    server.close().closeAllConnections();
  });

  for (const name of ['node:http', 'Koa', 'Express 5'] as const)
    it(`lead in ${name} from the invitation to the offer and everywhere under the mount path`, async () => {
      const { core, applications } = await marketplace();
      server = await (HOSTS[name] as Host)(dispatcher(applications), {
        callback: () => async () => undefined,
        middleware: [],
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const ada = new Visitor(url);
      const { token } = await core.accounts.invite(OPERATOR, 'ada', { role: 'operator' });
      const panel = `${MOUNT_PATH}/panel`;
      const welcome = { name: 'ada', password: PASSWORD };
      const accepted = await ada.submit(`${panel}/welcome/${token}`, welcome, { withToken: false });
      expect([accepted.status, accepted.headers.get('location')]).to.deep.equal([303, `${panel}?notice=welcome`]);
      await ada.open(`${panel}/keys`);
      const published = await ada.submit(`${panel}/automations/new`, { ...DRAFT, step: 'send' });
      expect(published.status).to.equal(303);

      const found = await crawl(ada, [panel, `${MOUNT_PATH}/catalogue`, `${MOUNT_PATH}/sitemap.xml`]);
      expect([...found.keys()].filter((path) => !path.startsWith(`${MOUNT_PATH}/`))).to.deep.equal([]);
      expect([...found].filter(([, status]) => status !== 200)).to.deep.equal([]);
      expect(found.size).to.be.greaterThan(25);
    });

  for (const [name, ownPages] of Object.entries(OWN_PAGES))
    it(`work in ${name} under a path that \`dispatcher\` removes: sign-in, all links, a create`, async () => {
      const { core, applications } = await marketplace();
      server = createServer(dispatcher({ ...applications, mountPath: MOUNT_PATH, outside: ownPages() }));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const panel = `${MOUNT_PATH}/panel`;
      const { token } = await core.accounts.invite(OPERATOR, 'ada');
      await new Visitor(url).submit(
        `${panel}/welcome/${token}`,
        { name: 'ada', password: PASSWORD },
        { withToken: false },
      );

      const ada = new Visitor(url);
      const signedIn = await ada.submit(`${panel}/sign-in`, { name: 'ada', password: PASSWORD }, { withToken: false });
      expect([signedIn.status, signedIn.headers.get('location')]).to.deep.equal([303, panel]);
      expect(signedIn.headers.get('set-cookie')).to.include(`Path=${MOUNT_PATH};`);
      expect((await ada.open(panel)).body)
        .to.include('ada')
        .and.not.match(/(?:href|action|src)="\/(?!market[/"])/);

      const api = `${url}${MOUNT_PATH}/api/automations`;
      const { text: key } = await core.keys.issue(OPERATOR, { developer: 'ada' });
      const body = JSON.stringify({ title: 'Sort', description: 'Labels.', price: 9.99, category_id: 'communication' });
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const created = await fetch(api, { method: 'POST', headers, body });
      const location = created.headers.get('location') ?? '';
      expect([created.status, new URL(location, api).href.startsWith(`${api}/`)]).to.deep.equal([201, true]);
      expect((await fetch(new URL(location, api), { headers })).status).to.equal(200);
      expect((await fetch(`${api}?limit=1`, { headers })).headers.get('link')).to.include(
        `<${MOUNT_PATH}/api/automations?`,
      );

      const found = await crawl(ada, [`${MOUNT_PATH}/catalogue`]);
      expect([...found].filter(([path, status]) => status !== 200 || !path.startsWith(`${MOUNT_PATH}/`))).to.deep.equal(
        [],
      );
      expect(found.size).to.be.greaterThan(10);
      for (const own of ['/', '/hello', '/api/automations', '/panel', `${MOUNT_PATH}place/api`])
        expect(await (await fetch(url + own)).text(), own).to.equal(`my ${own}`);
    });
});
