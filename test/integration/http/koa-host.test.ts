import { expect } from 'chai';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import Koa, { type Middleware } from 'koa';
import { createHttpApp } from '../../../adapters/api/index.js';
import {
  InMemoryApiKeyVerifier,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
} from '../../../adapters/in-memory/index.js';
import { Marketplace, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { listening, type Listening } from '../../support/socket.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

const KEY = { Authorization: 'Bearer ada' };
const CREATE = {
  method: 'POST',
  headers: { ...KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify({ title: 'One', description: 'Two', price: 3, category_id: 'communication' }),
};

/** Requests that get every kind of response. */
type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };
const REQUESTS: readonly (readonly [status: number, path: string, init: Init])[] = [
  [200, '/api/categories', { headers: KEY }],
  [200, '/api/categories', { headers: KEY, method: 'HEAD' }],
  [201, '/api/automations', CREATE],
  [204, '/api/automations', { headers: KEY, method: 'OPTIONS' }],
  [304, '/api/categories', { headers: { ...KEY, 'If-None-Match': '*' } }],
  [401, '/api/categories', {}],
  [404, '/api/nothing', { headers: KEY }],
  [422, '/api/automations', { ...CREATE, body: '{}' }],
];

/** As one that measures does. */
function logging(lines: object[]): Middleware {
  return async (ctx, next) => {
    await next();
    lines.push({ status: ctx.status, length: ctx.length, type: ctx.response.type });
  };
}

/** As `@koa/cors` does. */
const cors: Middleware = async (ctx, next) => {
  ctx.vary('Origin');
  if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
    ctx.set('Access-Control-Allow-Methods', 'GET, POST');
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.status = 204;
    return;
  }
  ctx.set('Access-Control-Allow-Origin', '*');
  await next();
};

/** As `koa-compress` does. */
const compress: Middleware = async (ctx, next) => {
  await next();
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  if (typeof ctx.body !== 'string' && !Buffer.isBuffer(ctx.body)) return;
  ctx.body = gzipSync(ctx.body);
  ctx.set('Content-Encoding', 'gzip');
};

describe('The middleware of a Koa host in front', () => {
  let host: Listening;
  afterEach(() => host.close());

  /** Starts a host whose middleware runs before ours, in the same application. */
  async function start(...middlewares: readonly Middleware[]): Promise<void> {
    const verifier = new InMemoryApiKeyVerifier([['ada', { developerId: parseDeveloperId('ada'), scopes: SCOPES }]]);
    const categories = new InMemoryCategoryRepository(TEST_CATEGORIES);
    const app = new Koa();
    for (const middleware of middlewares) app.use(middleware);
    for (const middleware of createHttpApp(new Marketplace(new InMemoryAutomationRepository(), categories), {
      verifier,
    }).middleware)
      app.use(middleware as Middleware);
    const handle = app.callback();
    host = await listening(createServer((request, response) => void handle(request, response)));
  }

  const ask = (path: string, init: RequestInit) => fetch(`${host.url}${path}`, init);

  it('sees the status, the type and the length of every response', async () => {
    const lines: object[] = [];
    await start(logging(lines));
    for (const [status, path, init] of REQUESTS) {
      const response = await ask(path, init);
      const text = await response.text();
      expect(response.status, path).to.equal(status);
      const [line] = lines.splice(0);
      const type = (response.headers.get('content-type') ?? '').split(';')[0];
      expect(line, `${status} ${path}`).to.include({ status, type });
      if (text !== '') expect(line).to.include({ length: Buffer.byteLength(text) });
    }
  });

  it('adds headers to every response', async () => {
    await start(async (ctx, next) => {
      await next();
      ctx.set('X-Host', 'mine');
    }, cors);
    for (const [status, path, init] of REQUESTS) {
      const { status: found, headers } = await ask(path, init);
      const seen = [found, headers.get('x-host'), headers.get('access-control-allow-origin')];
      expect(seen, path).to.deep.equal([status, 'mine', '*']);
      expect(headers.get('vary'), path)
        .to.match(/Origin/)
        .and.match(/Authorization/);
    }
    const preflight = await ask('/api/automations', {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([204, 'GET, POST']);
  });

  it('compresses every body', async () => {
    await start(compress);
    for (const [status, path, init] of REQUESTS) {
      const plain = await ask(path, { ...init, headers: { ...init.headers, 'Accept-Encoding': 'identity' } });
      const packed = await ask(path, { ...init, headers: { ...init.headers, 'Accept-Encoding': 'gzip' } });
      const lengths = [(await plain.text()).length > 0, (await packed.text()).length > 0];
      expect(lengths[1], path).to.equal(lengths[0]);
      expect([packed.status, plain.headers.get('content-encoding')], path).to.deep.equal([status, null]);
      if (lengths[0]) expect(packed.headers.get('content-encoding'), `${status} ${path}`).to.equal('gzip');
    }
  });

  it('replaces statuses and bodies', async () => {
    await start(async (ctx, next) => {
      await next();
      if (ctx.status === 404) ctx.status = 410;
      if (ctx.status === 200) ctx.body = { wrapped: JSON.parse(String(ctx.body)) as unknown };
    });
    expect((await ask('/api/nothing', { headers: KEY })).status).to.equal(410);
    const wrapped = (await (await ask('/api/categories', { headers: KEY })).json()) as {
      readonly wrapped: { readonly total: number };
    };
    expect(wrapped.wrapped.total).to.equal(TEST_CATEGORIES.length);
  });

  it('sees no exception of ours: errors are responses before they reach it', async () => {
    const thrown: unknown[] = [];
    await start(async (_ctx, next) => {
      await next().catch((error: unknown) => thrown.push(error));
    });
    for (const [, path, init] of REQUESTS) await ask(path, init);
    expect(thrown).to.deep.equal([]);
  });
});
