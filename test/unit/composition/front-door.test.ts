import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Admission } from '../../../adapters/http/admission.js';
import type { Answered } from '../../../adapters/http/index.js';
import { Lines } from '../../../adapters/http/lines.js';
import { createHttpServer } from '../../../adapters/http/server.js';
import { frontDoor, type Applications } from '../../../composition/front-door.js';
import { converse, RawClient } from '../../support/raw.js';
import { listening, type Listening, portOf, send, type Wanted } from '../../support/socket.js';

const FULL = 1_000;
const VITAL = ['/livez', '/livez?x=1', '/readyz', '/metrics'];
const ROWS = [
  ['/api/categories', 'api'],
  ['/v1', 'api'],
  ['/docs', 'operational'],
  ['/nothing', 'operational'],
  ['/livez/x', 'operational'],
  ['/panel', 'panel'],
  ['/panel/keys?notice=new', 'panel'],
  ['/panelled', 'operational'],
] as const;

/** Notes who stood in line. */
class WatchedAdmission extends Admission {
  readonly came: string[] = [];

  override enter(credential: string, serve: () => void, shed: () => void): void {
    this.came.push(credential);
    super.enter(credential, serve, shed);
  }
}

/** Where a test says of itself from which address it comes. */
const addressOf = ({ headers }: IncomingMessage) => String(headers['x-from'] ?? '192.0.2.1');

const named = (name: string) => (_request: unknown, response: { end(text: string): void }) => response.end(name);

describe('The front door', () => {
  let admission: WatchedAdmission;
  let service: Listening;
  let shed: Answered[];
  let gone: Answered[];
  let lines: Lines;

  const doorTo = (api: Applications['api'], more: Partial<Applications> = {}) => {
    const onShed = (answered: Answered) => void shed.push(answered);
    const onAnswer = (answered: Answered) => void gone.push(answered);
    return frontDoor(admission, { lines, api, operational: named('operational'), onShed, onAnswer, ...more });
  };

  beforeEach(async () => {
    admission = new WatchedAdmission();
    [shed, gone, lines] = [[], [], new Lines(addressOf)];
    const panel = { answer: named('panel'), busy: named('busy panel') };
    service = await listening(createHttpServer(doorTo(named('api'), { panel })));
  });
  afterEach(async () => {
    await service.close();
    admission.close();
  });

  const ask = (path: string, wanted: Partial<Wanted> = {}) => send(service.url, { method: 'GET', path, ...wanted });

  /** As many requests are under way as may be, and stay. */
  const fill = async () => {
    for (let n = 0; n < FULL; n += 1) admission.enter('other', () => undefined, () => undefined);
    while (admission.underWay < FULL) await setImmediate();
  };

  it('leads each to its application', async () => {
    for (const [path, name] of ROWS) expect((await ask(path)).body, path).to.equal(name);
    for (const path of VITAL) expect((await ask(path)).body, path).to.equal('operational');
  });

  it('sheds whatever it is under overload, but for the questions of operators', async () => {
    await fill();
    for (const [path, name] of ROWS) {
      const { status, headers, body } = await ask(path);
      if (name === 'panel') expect(body, path).to.equal('busy panel');
      else expect([status, headers.get('retry-after'), body.includes('/problems/overloaded')], path).to.deep.equal([503, '1', true]);
    }
    expect(shed).to.have.length(ROWS.filter(([, name]) => name !== 'panel').length);
    for (const path of VITAL) expect((await ask(path)).body, path).to.equal('operational');
  });

  it('names the request to whom it sheds, and reads no large body on: then it closes the connection', async () => {
    await fill();
    const { headers, body } = await ask('/api/categories', { headers: { 'X-Request-Id': 'mine' } });
    expect([headers.get('x-request-id'), (JSON.parse(body) as { instance: string }).instance]).to.deep.equal(['mine', 'mine']);
    for (const [length, isClosed] of [[70_000, true], [1_000, false]] as const) {
      const said = `POST /api/automations HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
      const { answers, closed } = await converse(portOf(service), said, { untilClosed: isClosed });
      const connection = answers[0]?.headers.find(([name]) => name === 'Connection')?.[1];
      expect([answers[0]?.status, connection, closed], String(length)).to.deep.equal([503, isClosed ? 'close' : 'keep-alive', isClosed]);
    }
  });

  it('has who was refused for their quota wait before they come in again, and nobody else', async () => {
    for (const key of ['noisy', 'quiet']) lines.note(key, () => key);
    const over = doorTo((_request, response) => response.writeHead(429).end());
    const limited = await listening(createHttpServer(over));
    const askAs = (key: string) => send(limited.url, { method: 'GET', path: '/api/x', headers: { Authorization: key } });
    await askAs('noisy');
    const requestOf = (authorization: string, method = 'GET') => ({ url: '/api/x', method, headers: { authorization } }) as IncomingMessage;
    const before = admission.came.length;
    over(requestOf('noisy'), { destroyed: true } as ServerResponse);
    expect(admission.came.slice(before)).to.deep.equal([]);
    over(requestOf('quiet'), { destroyed: true } as ServerResponse);
    expect(admission.came.slice(before)).to.deep.equal(['quiet']);
    over(requestOf('noisy', 'POST'), { destroyed: true } as ServerResponse);
    expect(admission.came.slice(before), 'the quota of reads is none of creates').to.deep.equal(['quiet', 'noisy']);
    while (admission.came.length < before + 3) await setImmediate();
    expect(admission.came.at(-1)).to.equal('noisy');
    await limited.close();
    expect(admission.underWay, 'with those who were gone before their turn').to.equal(0);
    expect(gone.map(({ method, status, aborted }) => [method, status, aborted])).to.deep.equal([['GET', 499, true], ['POST', 499, true], ['GET', 499, true]]);
  });

  it('has who sends a body under way from when it came, whether its length was told or it comes in chunks', async () => {
    const waiting: ServerResponse[] = [];
    const before: number[] = [];
    const api = async (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      waiting.push(response);
      await once(response, 'finish');
    };
    const slow = await listening(createHttpServer(doorTo(api)));
    for (const [framing, body] of [['Content-Length: 1', 'x'], ['Transfer-Encoding: chunked', '1\r\nx\r\n0\r\n\r\n']] as const) {
      const sender = await RawClient.open(portOf(slow));
      sender.say(`POST /api/automations HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
      while (waiting.length === 0) await setImmediate();
      before.push(admission.underWay);
      sender.say(body);
      while (admission.underWay === 0) await setImmediate();
      waiting.pop()?.end();
      await sender.listen();
      sender.destroy();
    }
    await slow.close();
    expect(before).to.deep.equal([0, 0]);
  });

  it('has nobody under way when all are answered, those with a body and those that gave up included', async () => {
    for (const [path] of ROWS) await ask(path, { method: 'POST', body: 'x'.repeat(1_000) });
    const controller = new AbortController();
    const gone = fetch(`${service.url}/panel`, { signal: controller.signal }).catch(() => undefined);
    controller.abort();
    await gone;
    for (let n = 0; n < 100 && admission.underWay > 0; n += 1) await setImmediate();
    expect(admission.underWay).to.equal(0);
  });

  it('has nobody under way who asked for much and is gone without an answer, and tells of each', async () => {
    const over = new Set<ServerResponse>();
    let came = 0;
    const api = async (_request: IncomingMessage, response: ServerResponse) => {
      response.once('close', () => over.add(response));
      came += 1;
      await setTimeout(20);
      response.end('answered');
    };
    const slow = await listening(createHttpServer(doorTo(api)));
    const client = await RawClient.open(portOf(slow));
    client.say('GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    while (came < 2) await setImmediate();
    client.destroy();
    const ended = () => over.size + gone.length;
    for (let n = 0; n < 200 && (admission.underWay > 0 || ended() < 50); n += 1) await setTimeout(5);
    expect([admission.underWay, ended()]).to.deep.equal([0, 50]);
    await slow.close();
  });

  it('has nobody under way who does not read their answer', async () => {
    let answered: ServerResponse | undefined;
    const api = (_request: IncomingMessage, response: ServerResponse) => {
      answered = response.end(Buffer.alloc(16 * 1024 * 1024));
    };
    const big = await listening(createHttpServer(doorTo(api)));
    const reader = connect(portOf(big), '127.0.0.1').pause();
    reader.write('GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n');
    while (answered === undefined) await setImmediate();
    await setImmediate();
    expect([answered.writableFinished, admission.underWay]).to.deep.equal([false, 0]);
    reader.destroy();
    await big.close();
  });

  it('has visitors of the panel wait by who is signed in, apart from keys, and readers of pages as one', async () => {
    lines.note('panel-session=a', () => 'ada');
    const asked = [
      ['/panel', { Cookie: 'panel-session=a' }],
      ['/panel', { Cookie: 'panel-session=b' }],
      ['/panel', { Authorization: 'Bearer a' }],
      ['/docs', { Cookie: 'panel-session=a', Authorization: 'Bearer a' }],
      ['/nothing', {}],
      ['/api/categories', { Authorization: 'Bearer a' }],
      ['/livez', {}],
    ] as const;
    for (const [path, headers] of asked) await ask(path, { headers });
    expect(admission.came).to.deep.equal(['panel ada', 'panel 192.0.2.1', 'panel 192.0.2.1', 'pages', 'pages', '192.0.2.1']);
  });

  it('has a credential wait by itself once it was good, however it is written, and all others by their address', async () => {
    const good = await listening(createHttpServer(doorTo(({ headers }, response) => response.writeHead(headers.authorization?.endsWith('good') ? 200 : 401).end())));
    const shown = ['Bearer made-up-1', 'Bearer made-up-1', 'Bearer made-up-2', 'Bearer good', 'Bearer good', 'bearer  good', 'bearer  good'];
    for (const Authorization of shown) await send(good.url, { method: 'GET', path: '/api/x', headers: { Authorization, 'X-From': '2001:db8::1:2' } });
    const network = '2001:db8:0:0::/64';
    expect(admission.came).to.deep.equal([network, network, network, network, 'good', network, 'good']);
    await good.close();
  });
});
