import { expect } from 'chai';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createClient, ProblemError, type ListQuery, type MarketplaceClient } from '../../../adapters/client/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { startService, type LocalService } from '../../support/service.js';
import { listening, type Listening } from '../../support/socket.js';
import { DRAFT, failure, WHOLE } from './answers.js';

describe('The client, at the service', () => {
  let service: LocalService;
  let client: MarketplaceClient;

  beforeEach(async () => {
    service = await startService();
    client = createClient({ baseUrl: `${service.url}/api`, key: await service.key('ada') });
  });
  afterEach(() => service.close());

  it('creates, reads and lists, and gives back what was sent', async () => {
    const created = await client.automations.create(DRAFT);
    expect(created).to.include({ ...DRAFT, developer_id: 'ada', currency: 'USD' });
    expect(await client.automations.get(created.id)).to.deep.equal(created);
    const { data, total, page } = await client.automations.page({ q: 'sort', price_max: 10, limit: 5, page: 1 });
    expect({ data, total, page }).to.deep.equal({
      data: [{ id: created.id, title: DRAFT.title, price: DRAFT.price }],
      total: 1,
      page: 1,
    });
    const { data: categories } = await client.categories.list();
    expect(categories.map(({ id, automation_count }) => [id, automation_count])).to.deep.include(['communication', 1]);
  });

  it('creates once for one idempotency key, and with a new key each time without one', async () => {
    const one = await client.automations.create(DRAFT, { idempotencyKey: 'one' });
    expect(await client.automations.create(DRAFT, { idempotencyKey: 'one' })).to.deep.equal(one);
    await client.automations.create(DRAFT);
    await client.automations.create(DRAFT);
    expect((await client.automations.page()).total).to.equal(3);
  });

  it('reads again only what has changed', async () => {
    const { id } = await client.automations.create(DRAFT);
    const automation = await client.automations.get(id);
    const ifNoneMatch = client.etagOf(automation);
    expect(ifNoneMatch).to.match(/^"/);
    expect(await client.automations.get(id, { ifNoneMatch })).to.equal(undefined);
    expect(await client.automations.get(id, { ifNoneMatch: '"another"' })).to.deep.equal(automation);
    expect(client.etagOf({})).to.equal(undefined);
  });

  it('yields every automation of all pages, none twice, while others are added', async () => {
    for (let n = 0; n < 250; n += 1) await client.automations.create({ ...DRAFT, title: `Number ${n}` });
    const titles: string[] = [];
    for await (const { title } of client.automations.list({ category: 'communication' })) {
      titles.push(title);
      if (titles.length % 50 === 0) await client.automations.create({ ...DRAFT, title: 'Added meanwhile' });
    }
    const expected = Array.from({ length: 250 }, (_, n) => `Number ${249 - n}`);
    expect(titles).to.deep.equal(expected);
    for await (const { title } of client.automations.list()) {
      expect(title).to.equal('Added meanwhile');
      break;
    }
  });

  it('misses none that stays on sale, of all and of a category, while others are withdrawn', async () => {
    for (let n = 0; n < 250; n += 1) await client.automations.create({ ...DRAFT, title: `Number ${n}` });
    for (const query of [{}, { category: 'communication' }]) {
      const { total } = await client.automations.page();
      const ids: string[] = [];
      for await (const { id } of client.automations.list(query)) {
        ids.push(id);
        if (ids.length % 50 === 0) await service.marketplace.withdrawAutomation(OPERATOR, id);
      }
      expect(new Set(ids).size).to.equal(total);
    }
  });

  it('yields what words, an order and prices ask for, of all pages', async () => {
    for (let n = 0; n < 130; n += 1) await client.automations.create({ ...DRAFT, title: `Number ${n}`, price: n });
    const prices = async (query: ListQuery) => {
      const found: number[] = [];
      for await (const { price } of client.automations.list(query)) found.push(price);
      return found;
    };
    const rising = Array.from({ length: 130 }, (_, n) => n);
    expect(await prices({ sort: 'price' })).to.deep.equal(rising);
    expect(await prices({ q: 'number' })).to.deep.equal(rising.toReversed());
    expect(await prices({ price_min: 5 })).to.deep.equal(rising.slice(5).reverse());
    expect(await prices({ price_max: 104, category: 'communication' })).to.deep.equal(rising.slice(0, 105).reverse());
    expect(await prices({ sort: 'newest' })).to.deep.equal(rising.toReversed());
  });

  it('reads a page behind an automation', async () => {
    const [first, second] = [await client.automations.create(DRAFT), await client.automations.create(DRAFT)];
    expect((await client.automations.page({ after: second.id })).data.map(({ id }) => id)).to.deep.equal([first.id]);
    expect(await failure(client.automations.page({ after: second.id, page: 2 }))).to.include({ code: 'invalid-query' });
  });

  it('throws problems, each with its code and its mistakes', async () => {
    const invalid = await failure(client.automations.create({ ...DRAFT, title: '', price: -1 }));
    expect(invalid).to.be.instanceOf(ProblemError);
    expect(invalid).to.include({ code: 'validation-error', status: 422 });
    expect((invalid as ProblemError).errors.map(({ pointer }) => pointer)).to.deep.equal(['/title', '/price']);
    expect(invalid.message).to.match(/^Validation error: .* title must have .* price must /);
    const unknown = await failure(client.automations.get('01980c5e-7a3b-7c4d-9e21-000000000001'));
    expect(unknown).to.include({ code: 'not-found', status: 404 });
    expect(await failure(client.automations.get('../categories'))).to.include({ code: 'not-found' });
    const stranger = createClient({ baseUrl: `${service.url}/api/`, token: async () => 'unknown' });
    expect(await failure(stranger.categories.list())).to.include({ code: 'invalid-token', status: 401 });
    const nobody = createClient({ baseUrl: `${service.url}/api` });
    expect(await failure(nobody.categories.list())).to.include({ code: 'missing-credentials', status: 401 });
  });
});

describe('The client, at a server that fails', () => {
  let server: Listening | undefined;
  afterEach(() => server?.close());

  /** Starts a server that answers each request by the next of these; the last one answers all others. */
  async function answering(...answers: readonly ((response: ServerResponse, request: IncomingMessage) => void)[]) {
    const asked: IncomingMessage[] = [];
    const listener: RequestListener = (request, response) => {
      const answer = answers[Math.min(asked.push(request), answers.length) - 1];
      request.resume().on('end', () => answer?.(response, request));
    };
    server = await listening(createServer(listener));
    return { asked, client: createClient({ baseUrl: `${server.url}/api`, key: 'key' }) };
  }

  const problem =
    (status: number, code: string, headers = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
      response.end(JSON.stringify({ type: `/problems/${code}`, code, title: code, status, detail: '', instance: 'x' }));
    };
  const fine = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":[],"total":0}');
  };
  const NOW = { 'Retry-After': '0' };

  it('sends a create again with the same key, whatever became of it', async () => {
    const keys: unknown[] = [];
    const { client, asked } = await answering(
      problem(503, 'overloaded', NOW),
      problem(429, 'quota-exceeded', { 'Retry-After': new Date().toUTCString() }),
      problem(503, 'outcome-unknown', NOW),
      (response) => response.writeHead(502, { 'Content-Type': 'text/html', ...NOW }).end('<h1>Bad gateway'),
      (response, request) => {
        keys.push(...asked.map(({ headers }) => headers['idempotency-key']));
        expect([request.method, request.url]).to.deep.equal(['POST', '/api/automations']);
        response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(WHOLE));
      },
    );
    expect(await client.automations.create(DRAFT)).to.deep.equal(WHOLE);
    expect(keys).to.have.length(5);
    expect(new Set(keys).size).to.equal(1);
  });

  it('sends a request again after a connection that broke before or in the response', async () => {
    const { client, asked } = await answering(
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"data"');
        setTimeout(() => response.destroy(), 20);
      },
      fine,
    );
    expect(await client.categories.list()).to.deep.equal({ data: [], total: 0 });
    expect(asked).to.have.length(3);
  });

  it('gives up after five retries, and at once if the service says more than two minutes', async () => {
    const busy = await answering(problem(503, 'overloaded', NOW));
    expect(await failure(busy.client.categories.list())).to.include({ code: 'overloaded', retryAfter: 0 });
    expect(busy.asked).to.have.length(6);
    await server?.close();
    const later = await answering(problem(429, 'quota-exceeded', { 'Retry-After': '121' }));
    expect(await failure(later.client.categories.list())).to.include({ code: 'quota-exceeded', retryAfter: 121 });
    expect(later.asked).to.have.length(1);
  });

  it('sends nothing again when retries is 0', async () => {
    const { asked } = await answering(problem(503, 'overloaded', NOW));
    const client = createClient({ baseUrl: `${server?.url}/api`, retries: 0 });
    expect(await failure(client.categories.list())).to.include({ code: 'overloaded' });
    expect(asked).to.have.length(1);
  });

  it('sends nothing again that cannot succeed', async () => {
    const { client, asked } = await answering(problem(500, 'internal-error'));
    expect(await failure(client.categories.list())).to.include({ code: 'internal-error' });
    expect(asked).to.have.length(1);
  });

  it('ends with its signal, while it waits and while it is sent', async () => {
    const reason = new Error('mine');
    for (const answer of [problem(503, 'overloaded', { 'Retry-After': '60' }), () => undefined]) {
      const { client, asked } = await answering(answer);
      const abort = new AbortController();
      const ended = failure(client.categories.list({ signal: abort.signal }));
      while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => abort.abort(reason), 20);
      expect(await ended).to.equal(reason);
      expect(asked).to.have.length(1);
      await server?.close();
    }
  });

  for (const last of [1, 130, 250])
    it(`ends a loop over all automations at once with its signal, at number ${last} of 250`, async () => {
      const { client, asked } = await answering((response, request) => {
        const after = new URL(request.url ?? '', 'http://market').searchParams.get('after') ?? '0';
        const page = Number.parseInt(after, 10) + 1;
        const ids = Array.from({ length: page === 3 ? 50 : 100 }, (_, n) => ({
          id: `${page}-${n}`,
          title: 't',
          price: 1,
        }));
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ data: ids, total: 250, page: 1 }));
      });
      const [abort, reason] = [new AbortController(), new Error('mine')];
      let seen = 0;
      const loop = async () => {
        for await (const _item of client.automations.list({}, { signal: abort.signal }))
          if ((seen += 1) === last) abort.abort(reason);
      };
      expect(await failure(loop())).to.equal(reason);
      expect([seen, asked.length]).to.deep.equal([last, Math.ceil(last / 100)]);
    });
});
