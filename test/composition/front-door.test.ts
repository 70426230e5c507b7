import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Admission } from '../../adapters/http/admission.js';
import type { Answered } from '../../adapters/http/index.js';
import { createHttpServer } from '../../adapters/http/server.js';
import { frontDoor } from '../../composition/front-door.js';
import { portOf } from '../soak/scrape.js';
import { converse, RawClient } from '../support/raw.js';
import { listening, send, type Listening, type Wanted } from '../support/socket.js';

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

const named = (name: string) => (_request: unknown, response: { end(text: string): void }) => response.end(name);

describe('The front door', () => {
  let admission: WatchedAdmission;
  let service: Listening;
  let shed: Answered[];

  beforeEach(async () => {
    admission = new WatchedAdmission();
    shed = [];
    const panel = { answer: named('panel'), busy: named('busy panel') };
    const onShed = (answered: Answered) => void shed.push(answered);
    service = await listening(createHttpServer(frontDoor(admission, { api: named('api'), operational: named('operational'), panel, onShed })));
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
    const over = frontDoor(admission, { api: (_request, response) => response.writeHead(429).end(), operational: named('operational'), onShed: () => undefined });
    const limited = await listening(createHttpServer(over));
    const askAs = (key: string) => send(limited.url, { method: 'GET', path: '/api/x', headers: { Authorization: key } });
    await askAs('noisy');
    const requestOf = (authorization: string) => ({ url: '/api/x', headers: { authorization } }) as IncomingMessage;
    const before = admission.came.length;
    over(requestOf('noisy'), { destroyed: true } as ServerResponse);
    expect(admission.came.slice(before)).to.deep.equal([]);
    over(requestOf('quiet'), { destroyed: true } as ServerResponse);
    expect(admission.came.slice(before)).to.deep.equal(['quiet']);
    while (admission.came.length < before + 2) await setImmediate();
    expect(admission.came.at(-1)).to.equal('noisy');
    await limited.close();
    expect(admission.underWay, 'with those who were gone before their turn').to.equal(0);
  });

  it('has who sends a body under way from when it came, whether its length was told or it comes in chunks', async () => {
    const waiting: ServerResponse[] = [];
    const before: number[] = [];
    const api = (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      waiting.push(response);
    };
    const slow = await listening(createHttpServer(frontDoor(admission, { api, operational: named('operational'), onShed: () => undefined })));
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

  it('has visitors of the panel wait by their sessions, apart from keys, and readers of pages as one', async () => {
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
    expect(admission.came).to.deep.equal(['panel panel-session=a', 'panel panel-session=b', 'panel ', 'pages', 'pages', 'Bearer a']);
  });
});
