import { expect } from 'chai';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import {
  DeveloperKeys,
  DomainError,
  newCore,
  OPERATOR,
  parseCurrency,
  parseDeveloperId,
  SCOPES,
  type Storage,
} from '../../../application/index.js';
import { createService, type MarketplaceService, type ServiceOptions } from '../../../composition/index.js';
import { converse } from '../../support/raw.js';
import { Client, created, draft } from '../../support/service/client.js';
import { spied } from '../../support/service/spy.js';

const NEW = { category_id: 'uncategorized' };

describe('The whole service over a storage', () => {
  const services: MarketplaceService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });

  async function serve(options: ServiceOptions) {
    const service = await createService(options);
    services.push(service);
    const server = await service.listen(0);
    return { service, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  async function clientOf(url: string, { keys }: Storage): Promise<Client> {
    return new Client(url, (await new DeveloperKeys(keys).issue(OPERATOR, { developer: 'ada' })).text);
  }

  for (const [name, open] of Object.entries({ memory: inMemoryStorage, SQLite: () => sqliteStorage(newSqliteFile()) }))
    it(`sells, over ${name}`, async () => {
      const storage = open();
      const { url } = await serve({ storage });
      const client = await clientOf(url, storage);
      expect((await client.post(draft(1, NEW))).status).to.equal(201);
      expect(await client.total()).to.equal(1);
      client.close();
    });

  it('has API, panel, probes, metrics and documentation', async () => {
    const { url } = await serve({ storage: inMemoryStorage() });
    const paths = ['/livez', '/readyz', '/metrics', '/docs', '/openapi.json', '/panel', '/api/categories'];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200, 401]);
    expect(await (await fetch(`${url}/metrics`)).text()).to.include('\nmarketplace_store_differences_total 0\n');
  });

  it('takes undefined for any option, which leaves its default', async () => {
    const { url } = await serve({
      storage: inMemoryStorage(),
      ...{ currency: undefined, panel: undefined, publicUrl: undefined, rateLimits: undefined, search: undefined },
      ...{ accessTokens: undefined, catalogue: undefined, brandName: undefined, brandLogo: undefined, log: undefined },
      ...{
        trustedProxyHops: undefined,
        keyCacheSeconds: undefined,
        keepAliveSeconds: undefined,
        metricsToken: undefined,
      },
    });
    const paths = ['/panel/sign-in', '/openapi.json', '/metrics', '/docs'];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
    expect(statuses).to.deep.equal([200, 200, 200, 200]);
    expect(await (await fetch(`${url}/openapi.json`)).text())
      .to.include('"q"')
      .and.include('USD');
  });

  it('takes options, whose defaults are those of the environment', async () => {
    const lines: string[] = [];
    const line = (_fields: object, message: string) => lines.push(message);
    const storage = inMemoryStorage();
    const { url } = await serve({
      storage,
      currency: 'EUR',
      panel: false,
      publicUrl: 'https://market.example',
      rateLimits: { reads: 1 },
      metricsToken: 'secret',
      log: { debug: line, info: line, warn: line, error: line },
    });
    const client = await clientOf(url, storage);
    const created = await client.post(draft(1, NEW));
    expect(created.headers.location).to.match(/^https:\/\/market\.example\/api\/automations\//);
    expect((await client.get('/categories')).status).to.equal(200);
    expect((await client.get('/categories')).status).to.equal(429);
    client.close();
    expect((await fetch(`${url}/panel`)).status).to.equal(404);
    expect((await fetch(`${url}/metrics`)).status).to.equal(401);
    expect(lines).to.include('request');
    await storage.prepare({ currency: parseCurrency('EUR') });
    expect(await createService({ storage, currency: 'USD' }).catch((error: unknown) => error))
      .to.be.instanceOf(DomainError)
      .and.include({ kind: 'conflict', code: 'other-currency' });
    expect(await createService({ storage, currency: 'XXX' }).catch((error: unknown) => error))
      .to.be.instanceOf(DomainError)
      .with.property('code', 'unknown-currency');
  });

  it('without a currency has that of the store', async () => {
    const storage = inMemoryStorage();
    await storage.prepare({ currency: parseCurrency('EUR') });
    const { url } = await serve({ storage });
    const client = await clientOf(url, storage);
    expect(created(await client.post(draft(1, NEW))).currency).to.equal('EUR');
    client.close();
    expect(await (await fetch(`${url}/openapi.json`)).text())
      .to.include('EUR')
      .and.not.include('USD');
  });

  it('prepares the storage once, with the currency and the address of the host', async () => {
    const prepared: unknown[] = [];
    const storage = inMemoryStorage();
    const prepare: Storage['prepare'] = (options) => {
      prepared.push(options);
      return storage.prepare(options);
    };
    await serve({
      storage: { ...storage, prepare },
      currency: 'EUR',
      publicUrl: 'https://a.example',
      mountPath: '/market',
    });
    expect(prepared).to.deep.equal([{ currency: 'EUR', address: 'https://a.example/market' }]);
  });

  it('caches keys and developers over any storage', async () => {
    const { repositories: storage, calls } = spied(inMemoryStorage());
    const { url } = await serve({ storage, rateLimits: { creates: 'off' } });
    const client = await clientOf(url, storage);
    const posts = Array.from({ length: 20 }, (_, n) => client.post(draft(n, NEW)));
    expect((await Promise.all(posts)).map(({ status }) => status)).to.deep.equal(Array(20).fill(201));
    client.close();
    const count = (name: string) => calls.filter((call) => call === name).length;
    expect(count('keys.findByHash')).to.be.within(1, 3);
    expect(count('developers.find')).to.equal(1);
  });

  it('asks the storage for each key with a cache of 0 seconds', async () => {
    const { repositories: storage, calls } = spied(inMemoryStorage());
    const { url } = await serve({ storage, keyCacheSeconds: 0 });
    const client = await clientOf(url, storage);
    for (let n = 0; n < 3; n += 1) expect((await client.get('/categories')).status).to.equal(200);
    client.close();
    expect(calls.filter((call) => call === 'keys.findByHash')).to.have.length(3);
  });

  it('refuses a cache of no number of seconds', async () => {
    for (const keyCacheSeconds of [NaN, -1, Infinity])
      expect(await createService({ storage: inMemoryStorage(), keyCacheSeconds }).catch((error: unknown) => error))
        .to.be.an.instanceOf(RangeError)
        .with.property('message')
        .that.includes('keyCacheSeconds')
        .and.includes('a finite number, 0 or more');
  });

  it('refuses an unknown, missing or wrong option by its name, without a word of variables', async () => {
    const storage = inMemoryStorage();
    const refused: readonly (readonly [options: object, message: RegExp])[] = [
      [{ storage, mount: '/shop' }, /^createService has no option mount; it has storage, mountPath, /],
      [{ storage, mountPath: 'shop' }, /^mountPath must begin with a slash/],
      [{ storage, verifier: {} }, /^verifier must be an ApiKeyVerifier/],
      [{ storage, authenticate: 'me' }, /^authenticate must be a function$/],
      [{ storage, signInUrl: '/login' }, /^signInUrl must come with authenticate$/],
      [{ storage, rateLimits: { read: 5 } }, /^rateLimits of createService has no option read; it has reads, /],
      [{ storage, accessTokens: { jwks: '' } }, /^accessTokens of createService has no option jwks; it has issuer, /],
      [{}, /^createService needs the option storage$/],
      [{ storage, rules: [] }, /^rules must be a function$/],
      [{ storage, now: new Date() }, /^now must be a function$/],
      [{ storage, rateLimits: { reads: 0 } }, /^rateLimits\.reads must be an integer from 1 to 1000000, or off$/],
      [{ storage, trustedProxyHops: 1.5 }, /^trustedProxyHops must be an integer from 0 to 10$/],
      [{ storage, publicUrl: 'market.example' }, /^publicUrl must be an http or https URL/],
      [{ storage, brandName: '' }, /^brandName must be a name/],
      [{ storage, brandLogo: '/nowhere.png' }, /^brandLogo must name an SVG or PNG file/],
      [{ storage, catalogue: 'private' }, /^catalogue must be one of members, public, off$/],
      [{ storage, panel: false, catalogue: 'members' }, /^catalogue must not be members while panel is false/],
      [{ storage, metricsToken: 'a b' }, /^metricsToken must be visible ASCII characters/],
    ];
    for (const [options, message] of refused)
      expect(await createService(options as ServiceOptions).catch((error: unknown) => error), String(message))
        .to.be.an.instanceOf(TypeError)
        .with.property('message')
        .that.matches(message)
        .and.not.matches(/[A-Z]+_[A-Z]+/);
  });

  it("has the host's users in API, panel and catalogue, and takes keys next to them", async () => {
    const storage = inMemoryStorage();
    const user = { developerId: parseDeveloperId('ada'), name: 'Ada', role: 'developer' } as const;
    const authenticate: ServiceOptions['authenticate'] = ({ headers: { cookie, authorization } }) =>
      cookie === 'session=1' || authorization === 'Bearer of-the-host' ? user : undefined;
    const { url } = await serve({ storage, authenticate, signInUrl: '/login' });
    const { text } = await newCore(storage).keys.issue(OPERATOR, { developer: 'bob' });
    const open = async (path: string, headers: Record<string, string>) => {
      const { status, headers: answer } = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
      return [status, answer.get('location')];
    };
    const visitor = { Cookie: 'session=1' };
    for (const path of ['/panel', '/catalogue', '/api/categories'])
      expect(await open(path, visitor), path).to.deep.equal([200, null]);
    for (const path of ['/panel', '/catalogue'])
      expect(await open(path, {}), path).to.deep.equal([303, `/login?next=${encodeURIComponent(path)}`]);
    expect(await open('/panel/sign-in', {})).to.deep.equal([404, null]);
    const withToken = async (token: string) => (await open('/api/categories', { Authorization: `Bearer ${token}` }))[0];
    expect(await Promise.all([text, 'of-the-host', 'unknown'].map(withToken))).to.deep.equal([200, 200, 401]);
  });

  it('finds callers with the verifier of the host', async () => {
    const caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    const verifier = { verify: async (token: string) => (token === 'mine' ? caller : undefined) };
    const { url } = await serve({ storage: inMemoryStorage(), verifier });
    const ask = (token: string) => fetch(`${url}/api/categories`, { headers: { Authorization: `Bearer ${token}` } });
    expect([(await ask('mine')).status, (await ask('other')).status]).to.deep.equal([200, 401]);
  });

  it('refuses a suspended developer whom the verifier of the host finds, or its authenticate', async () => {
    const user = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    const ofHost: readonly Partial<ServiceOptions>[] = [
      { verifier: { verify: async () => user } },
      { authenticate: () => ({ developerId: user.developerId, role: 'developer' }) },
    ];
    for (const options of ofHost) {
      const storage = inMemoryStorage();
      const { url } = await serve({ storage, keyCacheSeconds: 0, ...options });
      const { keys, accounts } = newCore(storage);
      await keys.issue(OPERATOR, { developer: 'ada' });
      const ask = async (path: string, method: string) =>
        (await fetch(url + path, { method, headers: { Authorization: 'Bearer x' } })).status;
      expect([await ask('/api/categories', 'GET'), await ask('/mcp', 'GET')]).to.deep.equal([200, 405]);
      await accounts.suspend(OPERATOR, 'ada');
      expect([await ask('/api/categories', 'GET'), await ask('/mcp', 'GET')]).to.deep.equal([401, 401]);
    }
  });

  it('is under the mount path of the host, with every address that it makes', async () => {
    const { url } = await serve({ storage: inMemoryStorage(), mountPath: '/market', catalogue: 'public' });
    for (const path of ['/livez', '/docs', '/openapi.json', '/panel/sign-in', '/catalogue', '/problems'])
      expect((await fetch(`${url}/market${path}`)).status, path).to.equal(200);
    const { type } = (await (await fetch(`${url}/market/api/categories`)).json()) as { readonly type: string };
    expect([type, (await fetch(url + type)).status]).to.deep.equal(['/market/problems/missing-credentials', 200]);
    expect(await (await fetch(`${url}/market/catalogue`)).text()).not.to.match(/(?:href|src|action)="\/(?!market)/);
  });

  it('asks the rules of the host for each create', async () => {
    const storage = inMemoryStorage();
    const rules: ServiceOptions['rules'] = ({ price }) =>
      price < 5 ? [{ field: 'price', detail: 'must be at least 5' }] : [];
    const { url } = await serve({ storage, rules });
    const client = await clientOf(url, storage);
    const refused = await client.post(draft(1, { ...NEW, price: 4 }));
    const created = await client.post(draft(1, { ...NEW, price: 5 }));
    client.close();
    expect([refused.status, created.status]).to.deep.equal([422, 201]);
    expect(refused.text).to.include('host-rule').and.include('must be at least 5');
  });

  it('takes times and ids from the clock and the ids of the host', async () => {
    const storage = inMemoryStorage();
    const time = new Date(Date.now() + 3_600_000);
    let made = 0;
    const newId = () => `01900000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;
    const { url } = await serve({ storage, now: () => time, newId });
    const client = await clientOf(url, storage);
    const { text } = await client.post(draft(1, NEW));
    client.close();
    const created = JSON.parse(text) as { readonly id: string; readonly created_at: string };
    expect(created.id).to.match(/^01900000-0000-7000-8000-0{6}/);
    expect(created.created_at).to.equal(time.toISOString());
  });

  it('tells the host of each request that is over, and serves although the host fails', async () => {
    const completed: string[] = [];
    const failures: unknown[] = [];
    const error = ({ err }: { readonly err?: unknown }) => failures.push((err as Error).message);
    const { url } = await serve({
      storage: inMemoryStorage(),
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error },
      onRequestCompleted: ({ method, route, status }) => {
        completed.push(`${method} ${route} ${status}`);
        throw new Error('of the host');
      },
    });
    for (const path of ['/livez', '/api/categories', '/panel/sign-in', '/catalogue/feed.atom'])
      await (await fetch(url + path)).text();
    await setTimeout(10);
    expect(completed).to.deep.equal([
      'GET /livez 200',
      'GET /categories 401',
      'GET /panel/sign-in 200',
      'GET /catalogue/feed.atom 401',
    ]);
    expect(failures).to.deep.equal(Array(4).fill('of the host'));
  });

  it('finds by words, unless it is told not to', async () => {
    const storage = inMemoryStorage();
    for (const [options, status] of [
      [{}, 200],
      [{ search: true }, 200],
      [{ search: false }, 400],
    ] as const) {
      const { url } = await serve({ storage, ...options });
      const client = await clientOf(url, storage);
      expect((await client.get('/automations?q=invoice')).status, JSON.stringify(options)).to.equal(status);
      expect((await client.get('/automations?sort=price')).status).to.equal(200);
      client.close();
    }
  });

  it('goes into a server of the host', async () => {
    const service = await createService({ storage: inMemoryStorage() });
    services.push(service);
    const server = createServer(service.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
    server.close();
    expect(status).to.equal(200);
  });

  it('leaves the storage open, and nothing running, when it closes', async () => {
    const storage = inMemoryStorage();
    const { service, url } = await serve({ storage });
    services.pop();
    await service.close();
    expect(await fetch(url).catch(() => 'closed')).to.equal('closed');
    await storage.ping();
    const again = await serve({ storage });
    expect((await fetch(`${again.url}/readyz`)).status).to.equal(200);
  });

  for (const use of ['listen', 'callback'] as const)
    it(`leaves no interval when it closes after ${use}`, async () => {
      const { setInterval, clearInterval } = globalThis;
      const running = new Set<unknown>();
      globalThis.setInterval = (...args: Parameters<typeof setInterval>) => {
        const timer = setInterval(...args);
        running.add(timer);
        return timer;
      };
      globalThis.clearInterval = (timer) => {
        running.delete(timer);
        clearInterval(timer);
      };
      try {
        const service = await createService({ storage: inMemoryStorage() });
        const server =
          use === 'listen' ? await service.listen(0) : createServer(service.callback()).listen(0, '127.0.0.1');
        if (!server.listening) await once(server, 'listening');
        await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/categories`);
        expect(running.size).to.be.above(0);
        await service.close();
        server.close();
        while (running.size > 0) await setTimeout(5);
      } finally {
        Object.assign(globalThis, { setInterval, clearInterval });
      }
    });

  it('says that a port is taken', async () => {
    const { url } = await serve({ storage: inMemoryStorage() });
    const other = await createService({ storage: inMemoryStorage() });
    services.push(other);
    const refusal = await other.listen(Number(new URL(url).port)).catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'EADDRINUSE');
  });

  it('lives on when the log of the host fails', async () => {
    const boom = () => {
      throw new Error('the log is full');
    };
    const { url } = await serve({
      storage: inMemoryStorage(),
      log: { debug: boom, info: boom, warn: boom, error: boom },
    });
    const { answers } = await converse(Number(new URL(url).port), 'GARBAGE\r\n\r\n');
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    for (const path of ['/livez', '/docs', '/panel', '/api/categories']) await fetch(url + path);
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
  });

  it('handles no signal and no failure of the process', async () => {
    const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
    const before = events.map((event) => process.listenerCount(event));
    await serve({ storage: inMemoryStorage() });
    expect(events.map((event) => process.listenerCount(event))).to.deep.equal(before);
  });
});
