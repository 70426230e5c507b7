import { expect } from 'chai';
import { Container } from 'inversify';
import Libsql from 'libsql';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createHttpServer } from '../../../adapters/edge/server/server.js';
import { httpModule } from '../../../composition/modules/http.js';
import { coreModule } from '../../../composition/modules/core.js';
import { inMemoryModule } from '../../../composition/modules/storage.js';
import * as tokens from '../../../composition/tokens.js';
import { captureLog } from '../../support/captured-log.js';
import { Client } from '../../support/service/client.js';
import { replacing } from '../../support/service/spy.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { freePort } from '../../support/socket.js';
import { OPERATOR } from '../../../domain/access.js';

const HOSTILE = [
  '\r\nforged: yes',
  '\n{"level":30,"msg":"forged"}',
  '\u001b[31mred',
  '\u2028\u2029',
  '"},{"',
  '%0d%0a',
  '\0',
  '\u007f',
  '\u202e',
];

/** Sends what no client library would, and waits until the server has closed. */
async function sendRaw(service: ServiceProcess, text: string): Promise<void> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.resume();
  socket.on('error', () => undefined);
  socket.end(text);
  await once(socket, 'close');
}

function rawRequests(key: string): readonly string[] {
  return HOSTILE.flatMap((bytes) => [
    `GET /api/${bytes} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    `GET /api/categories?${bytes} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    `GET /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nUser-Agent: ` +
      `${bytes}\r\nX-Request-Id: ${bytes}\r\nConnection: close\r\n\r\n`,
    `GET /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bytes}${key}\r\nConnection: close\r\n\r\n`,
  ]);
}

describe('The log of the service', () => {
  it('is one JSON object per line, whatever is sent and whatever breaks; no key stands in it', async () => {
    const place = await Workplace.open({ LOG_LEVEL: 'trace' });
    try {
      const service = await place.serve();
      const client = new Client(service.url, service.firstKey);
      for (const request of rawRequests(service.firstKey)) await sendRaw(service, request);
      breakStore(place.database);
      for (const request of rawRequests(service.firstKey)) await sendRaw(service, request);
      const answer = await client.get('/categories');
      expect(answer.status).to.equal(500);
      expect(answer.text).not.to.match(/column|SQL|no such/i);
      client.close();
      expect(await service.stop()).to.equal(0);
      const entries = service.logged().map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(entries.filter(({ level }) => level === 50)).to.have.length.of.at.least(2);
      expect(entries.map(({ requestId }) => requestId)).to.include(answer.headers['x-request-id']);
      expect(entries.map(({ msg }) => msg)).not.to.include('forged');
      expect(service.logged().join('\n')).not.to.include(service.firstKey.slice(4, 34));
      expect(service.stderr).to.deep.equal([]);
    } finally {
      await place.clear();
    }
  });

  it('has the cause of a 500 under the request id, and no key even if the cause has one in it', async () => {
    const captured = captureLog();
    const { log } = captured;
    const container = new Container();
    const onError = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed');
    container.load(coreModule(), inMemoryModule(), await httpModule({ onError }));
    let text = '';
    const store = container.get(tokens.AUTOMATION_STORE);
    const automations = replacing(store.automations, () => {
      throw Object.assign(new Error(`cannot store for ${text}`), { key: text, nested: { text } });
    });
    container.rebind(tokens.AUTOMATION_STORE).toConstantValue({ ...store, automations });
    ({ text } = await container.get(tokens.CORE).keys.issue(OPERATOR, { developer: 'ada' }));
    const handle = container.get(tokens.HTTP_APP).callback();
    const server = createHttpServer((request, response) => void handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, text);
    const answer = await client.get('/automations');
    client.close();
    server.close();
    expect(answer.status).to.equal(500);
    expect(JSON.parse(answer.text)).to.deep.equal({
      type: '/problems/internal-error',
      code: 'internal-error',
      title: 'Internal error',
      status: 500,
      detail: 'Something went wrong on our side.',
      instance: answer.headers['x-request-id'],
    });
    const [written = '', ...more] = captured.lines;
    expect(more).to.deep.equal([]);
    expect(JSON.parse(written)).to.include({ requestId: answer.headers['x-request-id'], msg: 'request failed' });
    expect(written).to.include('cannot store for amk_[redacted]');
    expect(written).not.to.include(text.slice(4, 34));
  });
});

describe('The setting LOG_FORMAT', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('json has the addresses in each ready line; auto is json where there is no terminal', async () => {
    for (const LOG_FORMAT of ['json', 'auto', 'json']) {
      const service = await place.serve({ LOG_FORMAT });
      const { url } = service;
      const ready = JSON.parse(service.logged()[0] ?? '') as Record<string, unknown>;
      const addresses = { url, panel: `${url}/panel`, api: `${url}/api`, docs: `${url}/docs` };
      const catalogue = { catalogue: `${url}/catalogue`, catalogueFor: 'members' };
      expect(ready).to.include({ msg: 'listening', storage: 'sqlite', ...addresses, ...catalogue });
      await service.stop();
    }
  });

  it('json has the addresses of PUBLIC_URL', async () => {
    const service = await place.serve({ LOG_FORMAT: 'json', PUBLIC_URL: 'https://market.example/shop', PANEL: 'off' });
    const ready = JSON.parse(service.logged()[0] ?? '') as Record<string, unknown>;
    expect(ready)
      .to.include({ api: 'https://market.example/shop/api', docs: 'https://market.example/shop/docs' })
      .and.not.have.any.keys('panel', 'catalogue', 'catalogueFor');
    await service.stop();
  });

  it('pretty has the addresses on lines for people, at every start, and no JSON', async () => {
    for (const isFirst of [true, false]) {
      const port = await freePort();
      const begun = place.begin(['serve'], { LOG_FORMAT: 'pretty', PORT: port });
      let text = '';
      begun.stdout.on('data', (more: string) => (text += more));
      while (!text.includes('/docs\n')) await setTimeout(20);
      await fetch(`http://127.0.0.1:${port}/api/categories`);
      begun.kill('SIGTERM');
      const { code, stdout: all } = await begun.ended;
      for (const name of ['panel', 'api', 'docs'])
        expect(all).to.match(new RegExp(`^  ${name} +http://127\\.0\\.0\\.1:${port}/${name}$`, 'm'));
      expect(all).to.match(/^ {2}catalogue http:.*\/catalogue, for people who sign in to the panel$/m);
      expect([all.includes('keys issue --developer operator'), all.includes('amk_')]).to.deep.equal([isFirst, false]);
      expect(all)
        .to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}request .*status=401/m)
        .and.not.match(/^\{/m);
      expect(code).to.equal(0);
    }
  });

  for (const LOG_LEVEL of ['warn', 'silent'])
    for (const LOG_FORMAT of ['json', 'pretty'])
      it(`${LOG_FORMAT} has the ready line also at LOG_LEVEL=${LOG_LEVEL}, and no line of a request`, async () => {
        const port = await freePort();
        const begun = place.begin(['serve'], { LOG_FORMAT, LOG_LEVEL, PORT: port });
        let text = '';
        begun.stdout.on('data', (more: string) => (text += more));
        while (!text.includes(`http://127.0.0.1:${port}/docs`)) await setTimeout(20);
        await fetch(`http://127.0.0.1:${port}/api/categories`);
        begun.kill('SIGTERM');
        expect((await begun.ended).stdout).not.to.match(/status\W+401|draining|stopped/);
      });

  it('pretty shows the day and the time of this place', () => {
    const captured = captureLog([], 'pretty');
    captured.log.info({}, 'hello');
    const [day = '', time = ''] = (captured.lines[0] ?? '').split(' ');
    const written = new Date(`${day}T${time}`).getTime();
    expect(Date.now() - written).to.be.within(0, 60_000);
  });

  it('tells the reason of a failure once, in msg and err.message; the stack has its cause', () => {
    const captured = captureLog();
    const reason = 'connect ECONNREFUSED 127.0.0.1:1';
    const failure = new Error(`PostgreSQL cannot be reached: ${reason}`, { cause: new Error(reason) });
    captured.log.warn({ err: failure }, `the store is not ready: ${failure.message}`);
    captured.log.error(failure);
    const entries = captured.lines.map((line) => JSON.parse(line) as { msg: string; err: Error });
    expect(entries.map(({ msg }) => msg)).to.deep.equal([
      `the store is not ready: PostgreSQL cannot be reached: ${reason}`,
      `PostgreSQL cannot be reached: ${reason}`,
    ]);
    for (const { err } of entries) {
      expect(err.message).to.equal(`PostgreSQL cannot be reached: ${reason}`);
      expect(err.stack).to.include(`caused by: Error: ${reason}`);
    }
  });

  it('pretty shows the cause of a failure, without secrets', () => {
    const captured = captureLog(['canary-bird'], 'pretty');
    captured.log.error({ err: new Error('no canary-bird here'), requestId: 'mine' }, 'request failed');
    const { lines } = captured;
    expect(lines[0]).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ERROR request failed requestId=mine$/);
    expect(lines[1]).to.equal('Error: no [redacted] here');
  });
});

/** As another program would that has the file open. */
function breakStore(file: string): void {
  const database = new Libsql(file, { timeout: 5_000 });
  database.exec('ALTER TABLE categories RENAME COLUMN name TO title');
  database.close();
}
