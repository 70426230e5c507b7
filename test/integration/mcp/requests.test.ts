import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { DomainError } from '../../../domain/errors.js';
import { converse, requestText } from '../../support/raw.js';
import { call, callMessage, connect, openMarket, post, type Market } from './agent.js';

const LIST = callMessage('list_categories');
const CREATE = callMessage('create_automation', { idempotency_key: 'k' });
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_HEADERS = { 'MCP-Protocol-Version': '2026-07-28' };
const MANY = Object.fromEntries(Array.from({ length: 5_500 }, (_, n) => [`a${n}`, 1]));
const PADDED = JSON.stringify({ ...LIST, padding: 'x'.repeat(64 * 1024) });

/** Where the SDK reads by recursion, as deep as a body can be. */
const DEEP = JSON.stringify({
  ...LIST,
  params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': { experimental: 'DEEP' } } },
}).replace('"DEEP"', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000));

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

describe('Requests of agents', () => {
  let market: Market;
  let key: string;
  before(async () => {
    market = await openMarket();
    key = await market.key();
  });
  after(() => market.close());

  const REFUSED: readonly {
    readonly what: string;
    readonly key?: string;
    readonly message?: unknown;
    readonly headers?: Record<string, string>;
    readonly status: number;
    readonly challenge?: RegExp;
  }[] = [
    {
      what: 'without credentials',
      key: '',
      status: 401,
      challenge: /^Bearer realm="[^"]+", scope="automations:read"$/,
    },
    {
      what: 'with an unknown key',
      key: 'amk_nothing',
      status: 401,
      challenge: /error="invalid_token", scope="automations:read"$/,
    },
    { what: 'of several messages at once', message: [LIST, CREATE], status: 400 },
    { what: 'that are no JSON', message: '{', status: 400 },
    { what: 'beyond 64 KiB', message: PADDED, status: 413 },
    { what: 'of more than 32 levels', message: { ...LIST, deep: nested(32) }, status: 400 },
    { what: 'of ten thousand levels', message: DEEP, status: 400 },
    { what: 'of thousands of values', message: callMessage('list_categories', MANY), status: 400 },
    { what: 'of another media type', headers: { 'Content-Type': 'text/plain' }, status: 415 },
    { what: 'of a page of another site', headers: { Origin: 'https://evil.example' }, status: 403 },
    { what: 'of a page without an origin', headers: { Origin: 'null' }, status: 403 },
    {
      what: 'of a site whose name was rebound',
      headers: { Origin: 'http://evil.example', Host: 'evil.example' },
      status: 403,
    },
  ];
  for (const { what, key: other, message = LIST, headers, status, challenge } of REFUSED)
    it(`${what} are refused with ${status}`, async () => {
      const response = await post(market.url, other ?? key, message, headers);
      expect(response.status).to.equal(status);
      expect(response.headers.get('Content-Type')).to.equal('application/problem+json');
      if (challenge) expect(response.headers.get('WWW-Authenticate')).to.match(challenge);
    });

  for (const path of ['/mcp//', '/mcp/x', '/MCP', '/'])
    it(`to ${path} are refused with 404`, async () => {
      expect((await post(market.url.replace('/mcp', path), key, LIST)).status).to.equal(404);
    });

  for (const method of ['GET', 'DELETE', 'PUT'])
    it(`by ${method} are refused with 405: there is no session and no stream`, async () => {
      const response = await fetch(market.url, { method, headers: { Authorization: `Bearer ${key}` } });
      expect([response.status, response.headers.get('Allow')]).to.deep.equal([405, 'POST, OPTIONS']);
    });

  it('without the scope of a tool are refused with 403, which names it and those of the key', async () => {
    const reader = await market.key('bob', ['automations:read']);
    expect((await post(market.url, reader, LIST)).status).to.equal(200);
    const response = await post(market.url, reader, CREATE);
    expect(response.status).to.equal(403);
    expect(response.headers.get('WWW-Authenticate')).to.match(
      /error="insufficient_scope", scope="automations:read automations:write"$/,
    );
  });

  it('of a client of 2025 and of 2026 get JSON, never a stream', async () => {
    const old = await post(market.url, key, LIST);
    expect(old.headers.get('Content-Type')).to.equal('application/json');
    expect(await old.json()).to.have.nested.property('result.structuredContent.total', 2);
  });

  for (const accept of [undefined, '*/*', 'application/json', 'application/*', 'application/json, text/event-stream'])
    for (const message of [LIST, modern(LIST)])
      it(`with Accept ${accept ?? 'left out'} get JSON, by MCP of ${message === LIST ? '2025' : '2026'}`, async () => {
        const headers = { ...headersOf(key), ...modernHeaders(message), ...(accept && { Accept: accept }) };
        const request = requestText('POST', '/mcp', headers, JSON.stringify(message));
        const { answers } = await converse(Number(new URL(market.url).port), request);
        const [{ status, body } = {}] = answers;
        expect(status).to.equal(200);
        expect(JSON.parse(String(body))).to.have.nested.property('result.structuredContent.total', 2);
      });

  for (const accept of ['text/event-stream', 'text/html', 'application/json;q=0, text/event-stream'])
    it(`with Accept ${accept}, which excludes JSON, are refused with 406`, async () => {
      const response = await post(market.url, key, LIST, { Accept: accept });
      expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
        406,
        'not-acceptable',
      ]);
    });

  it('to the address with a slash at its end are answered', async () => {
    expect((await post(`${market.url}/`, key, LIST)).status).to.equal(200);
  });

  const NULLS: readonly object[] = [
    { ...LIST, params: { name: 'list_categories', arguments: null, _meta: null } },
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null },
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: null } },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: null },
    modern({ ...LIST, params: { name: 'list_categories', arguments: null } }),
    modern({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: null } }),
  ];
  for (const message of NULLS)
    it(`with null for parameters are answered as without them: ${JSON.stringify(message).slice(16, 100)}`, async () => {
      const response = await post(market.url, key, message, modernHeaders(message));
      expect(response.status).to.equal(200);
      expect(await response.json()).to.have.property('result');
    });

  it('with a key that is revoked between two calls are refused', async () => {
    const { text, key: issued } = await market.core.keys.issue(OPERATOR, { developer: 'eve' });
    const agent = await connect(market.url, text);
    expect((await call(agent, 'list_categories')).isError).to.equal(false);
    await market.core.keys.revoke(OPERATOR, issued.id);
    await expectRejection(call(agent, 'list_categories'));
    await agent.close();
  });

  it('that listen for changes are told that there is no such method, as tools never change', async () => {
    const agent = await connect(market.url, key);
    await expectRejection(agent.listen({ toolsListChanged: true }));
    await agent.close();
    const listen = { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: { notifications: {} } };
    const error = { code: -32_601, message: 'Method not found' };
    for (const [message, status] of [
      [listen, 200],
      [modern(listen), 404],
    ] as const) {
      const response = await post(market.url, key, message, modernHeaders(message));
      expect(response.status).to.equal(status);
      expect(await response.json()).to.deep.equal({ jsonrpc: '2.0', id: 7, error });
    }
  });
});

describe('Limits of agents', () => {
  it('count each message as a read, and a call that creates as a create, too', async () => {
    const market = await openMarket({ rateLimits: { reads: 4, creates: 1 } });
    const key = await market.key();
    const statuses: number[] = [];
    for (const message of [CREATE, CREATE, LIST, LIST, LIST])
      statuses.push((await post(market.url, key, message)).status);
    expect(statuses).to.deep.equal([200, 429, 200, 200, 429]);
    await market.close();
  });

  const COUNTED: readonly (readonly [what: string, status: number, message: unknown])[] = [
    ['several messages at once', 400, [LIST, CREATE]],
    ['a message of ten thousand levels', 400, DEEP],
    ['a message of thousands of values', 400, callMessage('list_categories', MANY)],
    ['what is no JSON', 400, '{'],
    ['what is no message', 400, { jsonrpc: '2.0' }],
    ['a call that creates without the scope', 403, CREATE],
    ['a message beyond 64 KiB without the scope to create', 403, PADDED],
  ];
  for (const [what, status, message] of COUNTED)
    it(`count ${what}`, async () => {
      const market = await openMarket({ rateLimits: { reads: 1, creates: 1 } });
      const key = await market.key('bob', ['automations:read']);
      expect((await post(market.url, key, message)).status).to.equal(status);
      expect((await post(market.url, key, message)).status).to.equal(429);
      await market.close();
    });

  it('refuse a request before its body has come', async () => {
    const market = await openMarket({ rateLimits: { reads: 1, creates: 1 } });
    const key = await market.key();
    await post(market.url, key, LIST);
    const head = requestText('POST', '/mcp', { ...headersOf(key), 'Content-Length': '60000' });
    const { answers } = await converse(Number(new URL(market.url).port), head);
    expect(answers.map(({ status }) => status)).to.deep.equal([429]);
    await market.close();
  });
});

describe('Failures of the service in the tools of agents', () => {
  it('are reported to the host, and tell the agent no more than the API does', async () => {
    const market = await openMarket();
    const key = await market.key();
    const agent = await connect(market.url, key);
    const failures: readonly (readonly [error: Error, code: string])[] = [
      [new Error('secret of the driver'), 'internal-error'],
      [new DomainError('unavailable', 'store-unavailable', 'secret address'), 'unavailable'],
    ];
    for (const [error, code] of failures) {
      market.core.marketplace.listCategories = () => Promise.reject(error);
      const { isError, json } = await call(agent, 'list_categories');
      expect({ isError, code: json['code'] }).to.deep.equal({ isError: true, code });
      expect(JSON.stringify(json)).not.to.include('secret');
      expect(market.errors.at(-1)).to.equal(error);
    }
    await agent.close();
    await market.close();
  });
});

async function expectRejection(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => 'resolved',
    () => 'rejected',
  );
  expect(outcome).to.equal('rejected');
}

function headersOf(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
}

/** Returns a message as clients of 2026 send it. */
function modern(message: object): object {
  const { params = {} } = message as { readonly params?: object };
  return { ...message, params: { ...params, _meta: MODERN } };
}

function modernHeaders(message: object): Record<string, string> {
  const { method, params } = message as { method: string; params?: { name?: string; _meta?: object } | null };
  if (!params?._meta) return {};
  return { ...MODERN_HEADERS, 'Mcp-Method': method, ...(params.name && { 'Mcp-Name': params.name }) };
}
