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
import { mountApp, startService, type LocalService } from '../../support/service.js';
import { answerOf, ask, judged } from './hostile/ask.js';
import { slugOf } from '../../../adapters/conformance/answer.js';

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
