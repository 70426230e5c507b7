import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as later } from 'node:timers/promises';
import { promisify } from 'node:util';
import { protectServer, SERVER_OPTIONS, type CompletedRequest } from '../../../adapters/api/index.js';
import { createHttpServer } from '../../../adapters/edge/server/server.js';
import { replacing } from '../../support/service/spy.js';
import { converse, RawClient, requestText } from '../../support/raw.js';
import { listening, portOf } from '../../support/socket.js';
import { overMemory } from '../../support/repositories.js';
import { mountApp, startService, type LocalService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { answerOf, ask, judged, offer, speak } from './hostile/ask.js';
import { slugOf } from '../../../adapters/conformance/answer.js';
import { draft, padded } from './hostile/row.js';
import { totalOf } from './hostile/run.js';

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Connections over ${storage}`, () => {
    let service: TestService;
    let key: string;
    const get = (more = '') => `GET /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    const post = (length: number, more = '') =>
      `POST /api/automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

    before(async () => {
      service = await startService({ repositories: open() });
      key = await service.key();
    });
    after(() => service.close());

    it('carry answers in the order of the requests, refusals among them', async () => {
      const said =
        get() +
        get('Expect: x\r\n') +
        get('Accept: text/html\r\n') +
        post(draft().length) +
        draft() +
        get('Host: y\r\n') +
        get();
      const { statuses, closed } = await speak(service.port, said, { answers: 6 });
      expect(statuses).to.deep.equal([200, 417, 406, 201, 400, 200]);
      expect(closed).to.be.false;
    });

    it('carry the answers before a request that cannot be read, and end with it', async () => {
      const { statuses, closed } = await speak(service.port, `${get()}${get()}NONSENSE\r\n\r\n${get()}`, {
        untilClosed: true,
      });
      expect({ statuses, closed }).to.deep.equal({ statuses: [200, 200, 400], closed: true });
    });

    it('end with a request of uncertain end, also where another application would serve the next one', async () => {
      const total = await totalOf(service);
      for (const path of ['/livez', '/panel', '/catalogue']) {
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
        const { answers, closed } = await converse(service.port, `${head}${post(draft().length)}${draft()}`, {
          untilClosed: true,
        });
        expect(answers.map(({ status }) => status)).to.deep.equal([400]);
        expect(closed).to.equal(true);
      }
      expect(await totalOf(service)).to.equal(total);
    });

    it('stay open after a refusal whose body was read or was small', async () => {
      const said = post(1) + '{' + post(2) + '{}' + post(5).replace('application/json', 'text/plain') + 'hello' + get();
      const { statuses, closed } = await speak(service.port, said, { answers: 4 });
      expect({ statuses, closed }).to.deep.equal({ statuses: [400, 422, 415, 200], closed: false });
    });

    it('are asked to go on only by who wants the body', async () => {
      const client = await RawClient.open(service.port);
      client.say(post(draft().length, 'Expect: 100-continue\r\n'));
      await waitFor(async () => (await client.listen({ answers: 0 })).answers.length === 1);
      expect((await client.listen({ answers: 0 })).answers[0]?.status).to.equal(100);
      client.say(draft());
      const { answers } = await client.listen();
      client.destroy();
      expect(answers.map(({ status }) => status)).to.deep.equal([100, 201]);
    });

    it('that are asked for a broken body first are told in the end', async () => {
      const client = await RawClient.open(service.port);
      client.say(post(2, 'Expect: 100-continue\r\n'));
      await waitFor(async () => (await client.listen({ answers: 0 })).answers.length === 1);
      client.say('{]');
      const { answers } = await client.listen();
      client.destroy();
      expect(answers.map(({ status }) => status)).to.deep.equal([100, 400]);
    });

    it('that end in the middle of an upload leave nothing', async () => {
      const total = await totalOf(service);
      for (const end of ['end', 'abort'] as const)
        for (const at of [0, 1, Math.floor(draft().length / 2), draft().length - 1]) {
          const client = await RawClient.open(service.port);
          client.say(post(draft().length) + draft().slice(0, at));
          await new Promise((resolve) => setTimeout(resolve, 5));
          client[end]();
          const { answers } = await client.listen({ answers: 1, untilClosed: true });
          for (const answer of answers)
            expect(slugOf(judged(answerOf(answer, 'POST /api/automations ', false)))).to.equal('malformed-request');
          client.destroy();
        }
      expect(await totalOf(service)).to.equal(total);
      expect((await ask(`${service.url}/api/categories`, { key })).status).to.equal(200);
      expect(service.errors).to.deep.equal([]);
    });

    it('that end in the middle of chunks leave nothing', async () => {
      const total = await totalOf(service);
      const head = post(0).replace(/Content-Length: 0/, 'Transfer-Encoding: chunked');
      for (const said of [
        '',
        '5',
        '5\r\n',
        '5\r\nhel',
        `${draft().length.toString(16)}\r\n${draft()}`,
        `${draft().length.toString(16)}\r\n${draft()}\r\n0\r\n`,
      ]) {
        const client = await RawClient.open(service.port);
        client.say(head + said);
        client.end();
        await client.listen({ untilClosed: true });
        client.destroy();
      }
      expect(await totalOf(service)).to.equal(total);
      expect(service.errors).to.deep.equal([]);
    });

    it('take a body that comes in pieces', async () => {
      const body = padded(draft(), 2_000);
      const client = await RawClient.open(service.port);
      client.say(post(2_000));
      for (let i = 0; i < 2_000; i += 100) {
        client.say(body.slice(i, i + 100));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await client.listen()).answers.map(({ status }) => status)).to.deep.equal([201]);
      client.destroy();
    });

    it('name each request as the client did, if it did so legally', async () => {
      for (const legal of ['a', 'A-9', '0'.repeat(64), '0193a3f0-0000-7000-8000-000000000000'])
        expect(await requestId(legal), legal).to.equal(legal);
      for (const illegal of [
        '',
        ' ',
        '0'.repeat(65),
        'a b',
        'a_b',
        'a.b',
        'a/b',
        '<a>',
        'a,b',
        'ä',
        '%0a',
        '{}',
        '"a"',
      ]) {
        const id = await requestId(illegal);
        expect(id, illegal)
          .to.match(/^[A-Za-z0-9-]{1,64}$/)
          .and.not.equal(illegal);
      }
      const fresh = [await requestId(), await requestId(), await requestId('a b')];
      expect(new Set(fresh).size).to.equal(3);
    });

    async function requestId(wanted?: string): Promise<string | null> {
      const named = wanted === undefined ? '' : `X-Request-Id: ${wanted}\r\n`;
      const { answers } = await speak(service.port, get(`Accept: text/html\r\n${named}`));
      return answers[0]?.headers.get('x-request-id') ?? null;
    }

    it('refuse a declared body over the limit before it is sent, and do not wait for it', async () => {
      const { answers, closed } = await speak(service.port, post(70_000), { untilClosed: true });
      expect(answers.map(slugOf)).to.deep.equal(['payload-too-large']);
      expect(closed).to.be.true;
      expect((await offer(service.url, key, padded(draft(), 64 * 1024))).status).to.equal(201);
    });
  });

describe('A client that goes away while its key is looked up', () => {
  for (const body of ['{', '{"a": 7 }'])
    it(`is no failure of ours, with ${body} of its body sent`, () => leaving(body));

  async function leaving(body: string): Promise<void> {
    const opened = overMemory();
    let gone: Promise<void> | undefined;
    const keys = replacing(opened.keys, async (method, run) => {
      if (method === 'findByHash') await gone;
      return run();
    });
    const host = async (listener: RequestListener): Promise<Server> => {
      const server = createHttpServer((request, response) => {
        gone ??= new Promise((resolve) => request.once('close', resolve));
        listener(request, response);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };
    const service = await mountApp({ repositories: { ...opened, keys }, host });
    const key = await service.key();
    const client = await RawClient.open(service.port);
    client.say(
      `POST /api/automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: 9\r\n\r\n${body}`,
    );
    while (gone === undefined) await later(5);
    client.abort();
    await gone;
    expect((await ask(`${service.url}/api/categories`, { key })).status).to.equal(200);
    await service.close();
    expect(service.errors).to.deep.equal([]);
  }
});

describe('The HTTP server', () => {
  it(
    'waits 5 seconds for the headers, 10 for all of a request, and 65 for the next one, ' +
      'longer than the usual balancer',
    () => {
      const server = createHttpServer(() => undefined);
      protectServer(server);
      expect(server).to.include({ headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 });
      expect(server).to.include({ maxRequestsPerSocket: 0 });
    },
  );

  it('with KEEP_ALIVE_SECONDS=1 leaves an idle connection open for that long, and says so', async () => {
    const service = await startService({ settings: { KEEP_ALIVE_SECONDS: '1' } });
    const socket = connect(service.port, '127.0.0.1');
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const answered = performance.now();
    expect(answer.toString()).to.match(/^Keep-Alive: timeout=1\r$/m);
    await once(socket, 'close');
    expect(performance.now() - answered).to.be.above(950);
    await service.close();
  });

  it('refuses a time for idle connections that is no time', () => {
    for (const keepAliveSeconds of [0, -1, NaN, Infinity])
      expect(() =>
        protectServer(
          createHttpServer(() => undefined),
          { keepAliveSeconds },
        ),
      ).to.throw(RangeError, 'keepAliveSeconds must be');
  });

  it('cuts off within a minute who reads nothing of an answer', () => {
    const server = createHttpServer(() => undefined);
    protectServer(server);
    expect(server).to.include({ timeout: 30_000 });
  });
});

describe('A client that asks before it sends its body', () => {
  const read: Readonly<Record<string, (request: IncomingMessage) => Promise<string>>> = {
    'for await': async (request) => {
      let body = '';
      for await (const bytes of request) body += String(bytes);
      return body;
    },
    'a pipeline': async (request) => {
      const through = new PassThrough();
      await pipeline(request, through);
      return String(through.read());
    },
    readable: async (request) => {
      let body = '';
      request.on('readable', () => (body += String(request.read() ?? '')));
      await once(request, 'end');
      return body;
    },
    data: async (request) => {
      let body = '';
      request.on('data', (bytes) => (body += String(bytes)));
      await once(request, 'end');
      return body;
    },
  };
  for (const [name, readBody] of Object.entries(read))
    it(`is told once to go on by a host that reads with ${name}`, async () => {
      const server = createServer(SERVER_OPTIONS, (request, response) => {
        void readBody(request).then((body) => response.end(body));
      });
      protectServer(server);
      const service = await listening(server);
      const client = await RawClient.open(portOf(service));
      client.say(requestText('POST', '/', { Expect: '100-continue', 'Content-Length': '5' }));
      await waitFor(async () => (await client.listen({ answers: 0 })).answers.length === 1);
      client.say('hello');
      const { answers } = await client.listen();
      expect(answers.map(({ status, body }) => `${status} ${body.toString()}`)).to.deep.equal(['100 ', '200 hello']);
      client.destroy();
      await service.close();
    });
});

describe('An HTTP server that stops', () => {
  it('sends the whole of a response to a slow reader', async () => {
    const size = 5 * 1024 * 1024;
    const server = createServer(SERVER_OPTIONS, (_request, response) => response.end(Buffer.alloc(size)));
    const stopping = protectServer(server);
    const { url } = await listening(server);
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    const drained = stopping.drain(0);
    let received = 0;
    for await (const bytes of response) {
      received += (bytes as Buffer).length;
      await later(5);
    }
    expect(received).to.equal(size);
    await drained;
    expect(server.listening).to.equal(false);
  });
});

describe('A connection that was refused', () => {
  it('is answered also when the hook of the host fails', async () => {
    const server = createHttpServer(() => undefined);
    protectServer(server, {
      onRequestCompleted: () => {
        throw new Error('the hook fails');
      },
    });
    const service = await listening(server);
    const { answers } = await converse(portOf(service), 'GARBAGE\r\n\r\n');
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    await service.close();
  });

  it('is cut after a second, when its client does not close it', async () => {
    const server = createHttpServer((_request, response) => response.end());
    protectServer(server);
    const service = await listening(server);
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket
      .on('error', () => undefined)
      .resume()
      .write('GET / HTTP/9.9\r\n\r\n');
    await once(socket, 'end');
    const connections = promisify(server.getConnections.bind(server));
    expect(await connections()).to.equal(1);
    while ((await connections()) > 0) await later(20);
    socket.destroy();
    await service.close();
  });
});

describe('A client that resets its connection after CONNECT', () => {
  it('leaves the service running', async () => {
    const service = await startService();
    for (const waitMs of [0, 0, 30, 30]) {
      const client = await RawClient.open(service.port);
      client.say('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
      await later(waitMs);
      client.abort();
    }
    await later(30);
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
    await service.close();
  });
});

describe('A connection on which the headers do not come', () => {
  let service: LocalService;
  /** The 5 seconds themselves are a row of their own. */
  const shorten = (server: Server): unknown => (server.headersTimeout = 200);

  before(async () => {
    service = await startService();
    shorten(service.server);
  });
  after(() => service.close());

  it('is closed with 408', async () => {
    const slow = await RawClient.open(service.port);
    slow.say('GET /api/automations HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const { answers, closed } = await slow.listen({ untilClosed: true });
    expect(answers.map((answer) => slugOf(judged(answerOf(answer, 'GET /api/automations ', false))))).to.deep.equal([
      'request-timeout',
    ]);
    expect(closed).to.be.true;
  });

  it('is closed without a word when nothing came at all, and is no request', async () => {
    const told: CompletedRequest[] = [];
    const server = createHttpServer(() => undefined);
    protectServer(server, { onRequestCompleted: (request) => told.push(request) });
    shorten(server);
    const silent = await listening(server);
    const client = await RawClient.open(portOf(silent));
    const { answers, closed } = await client.listen({ untilClosed: true });
    expect([answers, closed, told]).to.deep.equal([[], true, []]);
    await silent.close();
  });
});

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await later(10);
}
