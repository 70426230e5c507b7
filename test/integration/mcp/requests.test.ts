import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { DomainError } from '../../../domain/errors.js';
import { call, callMessage, connect, openMarket, post, type Market } from './agent.js';

const LIST = callMessage('list_categories');
const CREATE = callMessage('create_automation', { idempotency_key: 'k' });
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

  for (const path of ['/mcp/', '/mcp/x', '/MCP', '/'])
    it(`to ${path} are refused with 404`, async () => {
      expect((await post(market.url.replace('/mcp', path), key, LIST)).status).to.equal(404);
    });

  for (const method of ['GET', 'DELETE', 'PUT'])
    it(`by ${method} are refused with 405: there is no session and no stream`, async () => {
      const response = await fetch(market.url, { method, headers: { Authorization: `Bearer ${key}` } });
      expect([response.status, response.headers.get('Allow')]).to.deep.equal([405, 'POST, OPTIONS']);
    });

  it('without the scope of a tool are refused with 403, which names it together with those of the key', async () => {
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

  it('with a key that is revoked between two calls are refused', async () => {
    const { text, key: issued } = await market.core.keys.issue(OPERATOR, { developer: 'eve' });
    const agent = await connect(market.url, text);
    expect((await call(agent, 'list_categories')).isError).to.equal(false);
    await market.core.keys.revoke(OPERATOR, issued.id);
    await expectRejection(call(agent, 'list_categories'));
    await agent.close();
  });

  it('that listen for changes are refused, since the tools never change', async () => {
    const agent = await connect(market.url, key);
    await expectRejection(agent.listen({ toolsListChanged: true }));
    await agent.close();
  });
});

describe('Limits of agents', () => {
  it('count a create as the API does, and every other request as a read', async () => {
    const market = await openMarket({ rateLimits: { reads: 2, creates: 1 } });
    const key = await market.key();
    const statuses: number[] = [];
    for (const message of [CREATE, CREATE, LIST, LIST, LIST])
      statuses.push((await post(market.url, key, message)).status);
    expect(statuses).to.deep.equal([200, 429, 200, 200, 429]);
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
