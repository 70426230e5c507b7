import { expect } from 'chai';
import { createServer, type IncomingMessage } from 'node:http';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createHttpApp, type HttpOptions } from '../../../adapters/api/index.js';
import { InMemoryAutomationRepository, InMemoryCategoryRepository } from '../../../adapters/in-memory/index.js';
import { createMcpApp } from '../../../adapters/mcp/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import {
  Marketplace,
  OPERATOR,
  parseDeveloperId,
  SCOPES,
  type AutomationRules,
  type Caller,
  type Core,
  type RuleActor,
} from '../../../application/index.js';
import { DomainError } from '../../../domain/errors.js';
import { byUserCookie, hostCore, olgaIn, serve } from '../../support/host-pages.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

const ADA: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const COOKIE = { Cookie: 'session=ada' };
const DRAFT = JSON.stringify({ title: 'One', description: 'Two', price: 3, category_id: 'communication' });

/** Finds ada by her cookie, as a host with sessions does. */
const byCookie = ({ headers }: IncomingMessage) => (headers.cookie === 'session=ada' ? ADA : undefined);

function appWith(options: HttpOptions, rules?: AutomationRules) {
  const categories = new InMemoryCategoryRepository(TEST_CATEGORIES);
  const market = new Marketplace(new InMemoryAutomationRepository(), categories, { rules });
  return createHttpApp(market, { sessions: false, ...options });
}

describe('A host with users of its own', () => {
  let host: Listening;
  afterEach(() => host.close());

  async function start(options: HttpOptions, rules?: AutomationRules): Promise<void> {
    const handle = appWith(options, rules).callback();
    host = await listening(createServer((request, response) => void handle(request, response)));
  }

  const list = (headers: Readonly<Record<string, string>>): Promise<Sent> =>
    send(host.url, { method: 'GET', path: '/api/automations', headers });
  const create = (headers: Readonly<Record<string, string>>): Promise<Sent> =>
    send(host.url, {
      method: 'POST',
      path: '/api/automations',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: DRAFT,
    });
  const codeOf = ({ status, body }: Sent): readonly unknown[] => [status, (JSON.parse(body) as { code: string }).code];

  it('decides who calls', async () => {
    await start({ authenticate: byCookie });
    expect((await list(COOKIE)).status).to.equal(200);
    const created = await create(COOKIE);
    expect([created.status, JSON.parse(created.body)]).to.deep.include.members([201]);
    expect(JSON.parse(created.body)).to.include({ developer_id: 'ada' });
  });

  it('has its rules told who acts, with the role and the request', async () => {
    const seen: RuleActor[] = [];
    const rules: AutomationRules = (_draft, by) => {
      seen.push(by);
      return [];
    };
    const olga = { developerId: ADA.developerId, role: 'operator' } as const;
    await start({ authenticate: ({ headers }) => (headers.cookie ? olga : { ...ADA, role: 'buyer' as const }) }, rules);
    for (const headers of [COOKIE, { Authorization: 'Bearer ada' }])
      expect((await create({ 'X-Request-Id': 'first', ...headers })).status).to.equal(201);
    const told = seen.map(({ kind, role, developerId, origin }) => [kind, role, developerId, origin?.requestId]);
    expect(told).to.deep.equal([
      ['operator', 'operator', 'ada', 'first'],
      ['key', 'buyer', 'ada', 'first'],
    ]);
  });

  it('tells a request without credentials from one with wrong ones, which count as failed', async () => {
    await start({ authenticate: async (request) => byCookie(request), rateLimits: { failedAuthentications: 2 } });
    expect(codeOf(await list({}))).to.deep.equal([401, 'missing-credentials']);
    for (const headers of [{ Cookie: 'session=eve' }, { Authorization: 'Bearer eve' }])
      expect(codeOf(await list(headers))).to.deep.equal([401, 'invalid-token']);
    expect(codeOf(await list({ Cookie: 'session=eve' }))).to.deep.equal([429, 'quota-exceeded']);
    expect(codeOf(await list({}))).to.deep.equal([401, 'missing-credentials']);
    expect((await list(COOKIE)).status).to.equal(200);
  });

  it('counts the requests of each caller', async () => {
    await start({ authenticate: byCookie, rateLimits: { reads: 2 } });
    for (const status of [200, 200, 429]) expect((await list(COOKIE)).status).to.equal(status);
  });

  it('creates nothing that a page of another site sends with the cookies of a user', async () => {
    await start({ authenticate: byCookie });
    const { host: own } = new URL(host.url);
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: `http://${own}` },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://${own}.evil.example` },
    ];
    for (const headers of foreign) {
      const refused = await create({ ...COOKIE, ...headers });
      expect(codeOf(refused), JSON.stringify(headers)).to.deep.equal([403, 'cross-site-request']);
      expect(refused.headers.has('WWW-Authenticate')).to.equal(false);
    }
    expect(JSON.parse((await list(COOKIE)).body)).to.include({ total: 0 });
  });

  it('creates what its own pages and programs send, and lets other sites read', async () => {
    await start({ authenticate: byCookie });
    const own: readonly Readonly<Record<string, string>>[] = [
      { 'Sec-Fetch-Site': 'same-origin', Origin: host.url },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: host.url },
      {},
    ];
    for (const headers of own)
      expect((await create({ ...COOKIE, ...headers })).status, JSON.stringify(headers)).to.equal(201);
    expect((await list({ ...COOKIE, 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(200);
  });

  it('is asked for what no key says: the key comes first, then the host', async () => {
    const asked: string[] = [];
    const authenticate = (request: IncomingMessage) => {
      asked.push(String(request.headers.authorization ?? request.headers.cookie));
      return byCookie(request);
    };
    const BOB: Caller = { developerId: parseDeveloperId('bob'), scopes: SCOPES };
    const verifier = { verify: async (token: string) => (token === 'of-bob' ? BOB : undefined) };
    await start({ verifier, authenticate });
    const key = { Authorization: 'Bearer of-bob' };
    const fromElsewhere = { ...COOKIE, Origin: 'https://other.example' };
    for (const headers of [key, { ...key, ...fromElsewhere }])
      expect(JSON.parse((await create(headers)).body)).to.include({ developer_id: 'bob' });
    expect(asked).to.deep.equal([]);
    for (const headers of [COOKIE, { ...COOKIE, Authorization: 'Bearer unknown' }])
      expect(JSON.parse((await create(headers)).body)).to.include({ developer_id: 'ada' });
    expect(asked).to.deep.equal(['session=ada', 'Bearer unknown']);
    expect(codeOf(await create(fromElsewhere))).to.deep.equal([403, 'cross-site-request']);
    expect(codeOf(await list({ Authorization: 'Bearer unknown' }))).to.deep.equal([401, 'invalid-token']);
    expect(codeOf(await list({}))).to.deep.equal([401, 'missing-credentials']);
  });

  it('may name a role in place of scopes, which follow from it', async () => {
    const roles = { seller: 'developer', buyer: 'buyer', wrong: 'admin' };
    const authenticate = ({ headers }: IncomingMessage) =>
      ({ developerId: 'ada', role: roles[headers.cookie as keyof typeof roles] }) as never;
    await start({ authenticate, onError: () => undefined });
    expect((await create({ Cookie: 'seller' })).status).to.equal(201);
    expect((await list({ Cookie: 'buyer' })).status).to.equal(200);
    expect(codeOf(await create({ Cookie: 'buyer' }))).to.deep.equal([403, 'insufficient-scope']);
    for (const Cookie of ['wrong', 'none']) expect((await list({ Cookie })).status).to.equal(500);
  });

  it('may name a subject, which needs the sessions of the core', async () => {
    const told: unknown[] = [];
    const authenticate = () => ({ subject: 'ada@host.example', role: 'developer' }) as const;
    await start({ authenticate, onError: (error) => told.push(error) });
    expect(codeOf(await list(COOKIE))).to.deep.equal([500, 'internal-error']);
    expect(String(told[0])).to.match(/^TypeError: a user with a subject needs sessions: core.sessions/);
  });

  it('that fails is an internal error, whatever it throws', async () => {
    const told: unknown[] = [];
    let failure: Error = new Error('mine');
    const authenticate = () => {
      throw failure;
    };
    await start({ authenticate, onError: (error) => told.push(error) });
    for (failure of [new Error('mine'), new DomainError('not-found', 'no-such-key', 'mine')])
      expect(codeOf(await list(COOKIE))).to.deep.equal([500, 'internal-error']);
    expect(told).to.have.length(2);
    failure = new DomainError('unavailable', 'store-unavailable', 'away');
    expect(codeOf(await list(COOKIE))).to.deep.equal([503, 'unavailable']);
  });
});

describe('A developer whom an operator has suspended, and whom a host still signs in', () => {
  const options = { authenticate: byUserCookie, onError: () => undefined };
  const applications = {
    API: (core: Core) => createHttpApp(core.marketplace, { ...options, sessions: core.sessions }),
    agents: (core: Core) => createMcpApp(core.marketplace, { ...options, sessions: core.sessions }),
    panel: (core: Core) => createPanel(core, options),
    catalogue: (core: Core) => createCatalogue(core, options),
  };
  const paths = { API: '/api/automations', agents: '/mcp', panel: '/panel', catalogue: '/catalogue' };
  const served = { API: 200, agents: 405, panel: 200, catalogue: 200 };
  const refused = { API: 401, agents: 401, panel: 403, catalogue: 403 };
  const names = ['API', 'agents', 'panel', 'catalogue'] as const;

  for (const name of names)
    it(`is refused by the ${name} until they are restored`, async () => {
      const core = await hostCore();
      await core.keys.issue(OPERATOR, { developer: 'ada' });
      const server = await serve(applications[name](core));
      const ask = async (user: string) =>
        (await send(server.url, { method: 'GET', path: paths[name], headers: { Cookie: `user=${user}` } })).status;
      expect(await ask('ada')).to.equal(served[name]);
      await core.accounts.suspend(OPERATOR, 'ada');
      expect([await ask('ada'), await ask('olga')]).to.deep.equal([refused[name], served[name]]);
      await core.accounts.restore(OPERATOR, 'ada');
      expect(await ask('ada')).to.equal(served[name]);
      await server.close();
    });

  it('is known to API, agents, panel and catalogue by one account of the issuer that they name', async () => {
    const core = await hostCore();
    const issuer = 'https://id.example';
    const apps = [
      createHttpApp(core.marketplace, { ...options, issuer, sessions: core.sessions }),
      createMcpApp(core.marketplace, { ...options, issuer, sessions: core.sessions }),
      createPanel(core, { ...options, issuer }),
      createCatalogue(core, { ...options, issuer }),
    ];
    for (const [n, app] of apps.entries()) {
      const server = await serve(app);
      await send(server.url, { method: 'GET', path: Object.values(paths)[n] ?? '', headers: { Cookie: 'user=olga' } });
      await server.close();
    }
    const { items } = await core.accounts.list(OPERATOR);
    expect(items.map(({ identities }) => identities)).to.deep.equal([[{ issuer, subject: 'olga@example.com' }]]);
    expect(items[0]?.id).to.equal(await core.identities.accountOf({ issuer, subject: 'olga@example.com' }));
    expect(items[0]?.id).to.not.equal(await olgaIn(core));
  });

  it('is refused by the API as a caller with scopes of its own, as with an unknown key', async () => {
    const core = await hostCore();
    await core.keys.issue(OPERATOR, { developer: 'ada' });
    await core.accounts.suspend(OPERATOR, 'ada');
    const server = await serve(createHttpApp(core.marketplace, { authenticate: byCookie, sessions: core.sessions }));
    const { status, body } = await send(server.url, { method: 'GET', path: '/api/categories', headers: COOKIE });
    expect([status, (JSON.parse(body) as { code: string }).code]).to.deep.equal([401, 'invalid-token']);
    await server.close();
  });
});

describe('A body parser in front of the marketplace in Koa', () => {
  async function create(options: HttpOptions): Promise<Sent> {
    const outer = new Koa().use(bodyParser());
    for (const middleware of appWith({ authenticate: byCookie, ...options }).middleware) outer.use(middleware);
    const handle = outer.callback();
    const server = await listening(createServer((request, response) => void handle(request, response)));
    const headers = { ...COOKIE, 'Content-Type': 'application/json' };
    const request = { method: 'POST', path: '/api/automations', headers, body: DRAFT };
    const sent = await send(server.url, request);
    await server.close();
    return sent;
  }

  it('is named to the host, and is no mistake of the client', async () => {
    const told: unknown[] = [];
    const { status, body } = await create({ onError: (error) => told.push(error) });
    expect([status, JSON.parse(body)]).to.have.nested.property('[1].code', 'internal-error');
    expect(told.map(String).join()).to.match(/^Error: .*mount the marketplace before any body parser$/);
  });

  it('is printed by a host without onError', async () => {
    const printed: unknown[] = [];
    const print = console.error;
    console.error = (line: unknown) => printed.push(line);
    await create({}).finally(() => (console.error = print));
    expect(printed.map(String).join()).to.match(/^request \S+ failed: Error: the body of the request was read before/);
  });
});
