import { expect } from 'chai';
import Koa from 'koa';
import type { RequestState } from '../../../adapters/edge/context.js';
import { requestLog } from '../../../adapters/edge/middleware/request-log.js';
import { startProcess, Workplace, type ServiceProcess } from '../../support/process.js';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { converse, RawClient, requestText } from '../../support/raw.js';
import { listening, portOf, send, type Listening } from '../../support/socket.js';
import { Client } from '../../support/service/client.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('The log of requests', () => {
  let service: ServiceProcess;
  let lines: Record<string, unknown>[];
  let brokenAnswer: readonly unknown[];
  let nameOfNonsense: string;
  let metrics: string;

  before(async () => {
    service = await startProcess({ STORAGE: 'memory' });
    const client = new Client(service.url, service.firstKey);
    await client.get('/automations?page=1', { 'x-request-id': 'one', traceparent: TRACE });
    await client.get('/automations/none%0d%0a%7b', { 'x-request-id': 'two', traceparent: '00-0-0-01' });
    await new Client(service.url, 'amk_wrong').get('/automations', { 'x-request-id': 'three' });
    await client.send('/livez', { headers: { 'x-request-id': 'four' } });
    for (const [n, path] of ['/automations', '/automations/x', '/categories', '/nothing'].entries())
      await fetch(`${service.url}/api${path}`, { headers: { 'x-request-id': `anonymous-${n}` } });
    await fetch(`${service.url}/nothing`, { headers: { 'x-request-id': 'anonymous-4' } });
    const headers = {
      Authorization: `Bearer ${service.firstKey}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'five',
    };
    const gone = await RawClient.open(portOf(service));
    gone.say(requestText('POST', '/api/automations', headers, 'x'.repeat(50)).slice(0, -49));
    const broken = await RawClient.open(portOf(service));
    const chunked = requestText('POST', '/api/automations', {
      ...headers,
      'X-Request-Id': 'six',
      'Transfer-Encoding': 'chunked',
    });
    broken.say(`${chunked}zz\r\n`);
    const [answer] = (await broken.listen({ untilClosed: true })).answers;
    brokenAnswer = [answer?.status, answer?.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1]];
    const [refusal] = (await converse(portOf(service), 'NONSENSE\r\n\r\n', { untilClosed: true })).answers;
    nameOfNonsense = (JSON.parse(refusal?.body.toString() ?? '') as { instance: string }).instance;
    await converse(
      portOf(service),
      'GET /api/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nNONSENSE\r\n\r\n',
      { untilClosed: true },
    );
    const left = await RawClient.open(portOf(service));
    const form = {
      Origin: service.url,
      Host: new URL(service.url).host,
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Request-Id': 'seven',
    };
    left.say(
      requestText('POST', '/panel/sign-in', form, 'x'.repeat(50))
        .replace('application/json', form['Content-Type'])
        .slice(0, -49),
    );
    await setTimeout(200);
    for (const client of [gone, left]) client.abort();
    do metrics = (await client.send('/metrics')).text;
    while (!metrics.includes('\nmarketplace_http_requests_aborted_total 2\n'));
    client.close();
    await service.stop();
    lines = service.logged().map((line) => JSON.parse(line) as Record<string, unknown>);
  });

  const lineOf = (requestId: string) => lines.filter((line) => line['requestId'] === requestId);

  it('has one line a request, with the template of its route', () => {
    const found = ['one', 'two', 'three', 'four'].map((id) =>
      lineOf(id).map(({ method, route, status, msg }) => [method, route, status, msg]),
    );
    expect(found).to.deep.equal([
      [['GET', '/automations', 200, 'request']],
      [['GET', '/automations/:id', 404, 'request']],
      [['GET', '/automations', 401, 'request']],
      [['GET', '/livez', 200, 'request']],
    ]);
  });

  it(
    'says of a request whose client was gone that it was, ' + 'and of one that could not be read what it was answered',
    () => {
      const found = ['five', 'six'].map((id) =>
        lineOf(id).map(({ method, status, aborted }) => [method, status, aborted]),
      );
      expect(found).to.deep.equal([[['POST', 499, true]], [['POST', 400, undefined]]]);
      expect(lineOf('five')[0]?.['route']).to.equal('/automations');
      expect(
        lineOf('seven').map(({ level, method, route, status, aborted }) => [level, method, route, status, aborted]),
      ).to.deep.equal([[30, 'POST', '/panel/sign-in', 499, true]]);
      expect(brokenAnswer).to.deep.equal([400, 'six']);
      expect(lineOf('one')[0]).not.to.have.property('aborted');
      expect(metrics)
        .to.match(/^marketplace_http_requests_aborted_total 2$/m)
        .and.not.match(/route="\/automations",status="404"/);
    },
  );

  it('has a line and a count, also of what was no request, unless nobody was there to be told', () => {
    expect(
      lineOf(nameOfNonsense).map(({ method, route, status, aborted }) => [method, route, status, aborted]),
    ).to.deep.equal([['', 'unknown', 400, undefined]]);
    expect(metrics).to.include('marketplace_http_requests_total{method="",route="unknown",status="400"} 1\n');
  });

  it('has the route of a request without a key, and "unknown" for a path that is none', async () => {
    const routes = ['/automations', '/automations/:id', '/categories', 'unknown', 'unknown'];
    const anonymous = routes.map((route, n) => [route, lineOf(`anonymous-${n}`)[0]?.['status']]);
    expect(anonymous.map(([, status]) => status)).to.deep.equal([401, 401, 401, 401, 404]);
    expect(routes.map((_, n) => lineOf(`anonymous-${n}`)[0]?.['route'])).to.deep.equal(routes);
  });

  it('has a line of each asset at the level debug alone, unless it is not found', async () => {
    const place = await Workplace.open({ STORAGE: 'memory' });
    for (const LOG_LEVEL of ['info', 'debug']) {
      const one = await place.serve({ LOG_LEVEL });
      const page = await (await fetch(`${one.url}/panel/sign-in`)).text();
      const assets = Array.from(
        page.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg))"/g),
        ([, address]) => address ?? '',
      );
      expect(assets).to.have.length.of.at.least(2);
      for (const path of [...assets, '/docs', '/favicon.ico', '/panel/assets/none.css'])
        await (await fetch(one.url + path)).arrayBuffer();
      await one.stop();
      const requests = one.logged().map((line) => JSON.parse(line) as Record<string, unknown>);
      const seen = requests
        .filter(({ msg }) => msg === 'request')
        .map(({ level, status }) => [level, status].join(' '));
      const quiet = LOG_LEVEL === 'debug' ? assets.map(() => '20 200') : [];
      const icon = LOG_LEVEL === 'debug' ? ['20 200'] : [];
      expect(seen).to.deep.equal(['30 200', ...quiet, '30 200', ...icon, '30 404']);
    }
    await place.clear();
  });

  it('says how long it took and which key was shown, if it was valid', () => {
    const [[one], [three]] = [lineOf('one'), lineOf('three')];
    expect(one?.['durationMs']).to.be.a('number').greaterThan(0);
    expect(one?.['keyId']).to.match(/^[0-9a-f-]{36}$/);
    expect(three).not.to.have.property('keyId');
    expect(service.logged().join('\n')).not.to.match(/amk_|none%0d/);
  });

  it('takes the trace of the client over, if it is well-formed', () => {
    expect(lineOf('one')[0]?.['traceparent']).to.equal(TRACE);
    expect(lineOf('two')[0]).not.to.have.property('traceparent');
  });
});

describe('The trace of a request', () => {
  const [, id = '', span = ''] = TRACE.split('-');
  const reported: unknown[] = [];
  let server: Listening;
  before(async () => {
    const app = new Koa<RequestState>().use(requestLog(({ traceparent }) => reported.push(traceparent)));
    server = await listening(createServer((request, response) => void app.callback()(request, response)));
  });
  after(() => server.close());

  /** Returns the trace that is reported for a request with this header. */
  async function taken(traceparent: string): Promise<unknown> {
    await send(server.url, { method: 'GET', path: '/', headers: { traceparent } });
    return reported.pop();
  }

  it('is taken over as it is', async () => expect(await taken(TRACE)).to.equal(TRACE));

  it('of a later version is taken over without what is behind the fields that are known', async () => {
    const later = TRACE.replace(/^00/, 'cc');
    expect(await taken(later)).to.equal(later);
    expect(await taken(`${later}-what-the-future-will-be-like`)).to.equal(later);
    expect(await taken(`${later}.`)).to.equal(undefined);
  });

  for (const [what, sent] of [
    ['of version ff', TRACE.replace(/^00/, 'ff')],
    ['with an id of zeros', TRACE.replace(id, '0'.repeat(32))],
    ['with a span of zeros', TRACE.replace(span, '0'.repeat(16))],
    ['in upper case', TRACE.toUpperCase()],
    ['with more behind it', `${TRACE}-00`],
  ] as const)
    it(`${what} is not taken over`, async () => expect(await taken(sent)).to.equal(undefined));
});
