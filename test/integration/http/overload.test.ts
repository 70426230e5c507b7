import Router from '@koa/router';
import { expect } from 'chai';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { createHttpApp, type HttpOptions } from '../../../adapters/api/index.js';
import type { RequestState } from '../../../adapters/edge/context.js';
import { clientAddress } from '../../../adapters/edge/middleware/client-address.js';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { newPageApp } from '../../../adapters/web/page-app.js';
import { PageQuota } from '../../../adapters/web/page-quota.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';
import {
  InMemoryApiKeyVerifier,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
} from '../../../adapters/in-memory/index.js';
import { Marketplace, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { converse, requestText } from '../../support/raw.js';
import { listening, portOf, send, type Listening, type Sent } from '../../support/socket.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

/** Lists nothing before it is told to. */
class HeldCategories extends InMemoryCategoryRepository {
  release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  override async list() {
    await this.#released;
    return super.list();
  }
}

describe('A host that is flooded', () => {
  let server: Listening;
  let categories: HeldCategories;
  let problems: unknown[];

  beforeEach(async () => {
    categories = new HeldCategories(TEST_CATEGORIES);
    problems = [];
    const verifier = new InMemoryApiKeyVerifier(
      ['ada', 'bob'].map((name) => [name, { developerId: parseDeveloperId(name), scopes: SCOPES, credentialId: name }]),
    );
    const marketplace = new Marketplace(new InMemoryAutomationRepository(), categories);
    const options: HttpOptions = {
      verifier,
      rateLimits: { reads: 'off' },
      onError: (error) => problems.push(error),
      onRequestCompleted: ({ status, problem }) => {
        if (status === 503) problems.push(problem);
      },
    };
    // However busy the machine is that runs the test, the usual limits count.
    const handle = createHttpApp(marketplace, options, new Overload(Infinity)).callback();
    server = await listening(createServer((request, response) => void handle(request, response)));
  });
  afterEach(() => server.close());

  const read = (key: string, path = '/api/categories', headers: OutgoingHttpHeaders = {}): Promise<Sent> =>
    send(server.url, { method: 'GET', path, headers: { Authorization: `Bearer ${key}`, ...headers } });

  it('refuses the requests of one key beyond 256 in flight with 503, and serves another key', async () => {
    const refused: Sent[] = [];
    let notify: () => void = () => undefined;
    const allRefused = new Promise<void>((resolve) => (notify = resolve));
    const answers = Array.from({ length: 300 }, async () => {
      const answer = await read('ada');
      if (answer.status === 503 && refused.push(answer) === 44) notify();
      return answer.status;
    });
    await allRefused;
    expect((await read('bob', '/api/nothing')).status).to.equal(404);
    categories.release();
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status === 200)).to.have.length(256);
    expect(refused).to.have.length(44);
    for (const { headers, body } of refused) {
      expect([headers.get('Retry-After'), headers.get('Content-Type')]).to.deep.equal([
        '1',
        'application/problem+json',
      ]);
      expect(JSON.parse(body)).to.include({
        type: '/problems/overloaded',
        status: 503,
        instance: headers.get('X-Request-Id'),
      });
    }
    expect(problems).to.deep.equal(Array(44).fill('overloaded'));
    expect((await read('ada')).status).to.equal(200);
  });

  it('counts also the reads that announce a body which never comes', async () => {
    const statuses: number[] = [];
    const answers = Array.from({ length: 300 }, async () => {
      statuses.push((await read('ada', '/api/categories', { 'Content-Length': 1 })).status);
      if (statuses.length === 44) categories.release();
    });
    setTimeout(() => categories.release(), 5_000).unref();
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 503)).to.have.length(44);
  });
});

/** Serves pages behind one proxy. */
function serving(pages: Router<RequestState>): Promise<Listening> {
  const options = {
    mountPath: '',
    publicUrl: '',
    base: '',
    onError: () => undefined,
    onRequestCompleted: () => undefined,
    pageFor: () => '',
    isSharedNetwork: () => false,
    addressOf: (request: IncomingMessage) => clientAddress(request, 1),
    quota: new PageQuota('off'),
    files: new Router<RequestState>(),
    notFound: () => {
      throw new Problem('not-found', 'There is no such page.');
    },
  };
  const handle = newPageApp({ ...options, pages }, new Overload(Infinity)).callback();
  return listening(createServer((request, response) => void handle(request, response)));
}

describe('Pages that are flooded', () => {
  it('begin one in each turn of the event loop, so that other requests are served between them', async () => {
    let begunInTurn = 0;
    let most = 0;
    const pages = new Router<RequestState>().get('/', async (ctx) => {
      setImmediate(() => (begunInTurn = 0));
      most = Math.max(most, (begunInTurn += 1));
      ctx.body = 'page';
    });
    const server = await serving(pages);
    const { answers } = await converse(portOf(server), requestText('GET', '/', {}).repeat(50), { answers: 50 });
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200));
    expect(most).to.equal(1);
    await server.close();
  });

  it('count the addresses of one IPv6 network as one client', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const pages = new Router<RequestState>().get('/', async (ctx) => {
      await released;
      ctx.body = 'page';
    });
    const server = await serving(pages);
    const statuses: number[] = [];
    const read = async (address: string) => {
      const headers = { 'X-Forwarded-For': address };
      statuses.push((await send(server.url, { method: 'GET', path: '/', headers })).status);
      if (statuses.length === 44) release();
    };
    setTimeout(release, 5_000).unref();
    const flood = Array.from({ length: 300 }, (_, n) => read(`2001:db8::${n.toString(16)}`));
    await Promise.all([...flood, read('2001:db8:0:1::1')]);
    expect(statuses.filter((status) => status === 503)).to.have.length(44);
    await server.close();
  });
});
