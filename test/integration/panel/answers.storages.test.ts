import { expect } from 'chai';
import { createServer } from 'node:http';
import type { HttpMiddleware } from '../../../adapters/edge/context.js';
import type { CompletedRequest } from '../../../adapters/api/index.js';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore } from '../../../application/core.js';
import { AUTOMATION_STORE, CORE, SESSION_REPOSITORY } from '../../../composition/tokens.js';
import { DomainError } from '../../../application/index.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

function expectSafe({ headers }: Sent): void {
  for (const [name, value] of Object.entries(SAFE)) expect(headers.get(name), name).to.equal(value);
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('vary')).to.equal('Cookie');
  expect(headers.get('x-request-id')).to.match(/^[\w-]{1,64}$/);
  expect(headers.get('x-powered-by')).to.equal(null);
  expect(headers.get('access-control-allow-origin')).to.equal(null);
}

panelOnEveryStorage('Every answer of the panel', (stage) => {
  it('is safe to show and is not kept, errors and redirections included', async () => {
    const ada = await stage.developer('ada');
    const pages = [
      '',
      '/keys',
      '/automations',
      '/automations/new',
      '/automations/x/revise',
      '/history',
      '/account',
      '/sign-in',
      '/nothing',
      '/welcome/x',
      '/keys/x/rotate',
    ];
    for (const path of pages) expectSafe(await ada.open(`/panel${path}`));
    expectSafe(await ada.submit('/panel/keys', { name: 'Laptop', expires: '7', scopes: 'automations:read' }));
    expectSafe(await ada.submit('/panel/keys', {}));
    expectSafe(await ada.submit('/panel/keys', {}, { headers: { Origin: 'https://evil.example' } }));
    expectSafe(await ada.submit('/panel/sign-out', {}));
  });

  it('has the request id that was asked for, in page, log and history, and the trace in the log', async () => {
    const ada = await stage.developer('ada');
    expect((await ada.open('/panel/nothing', { 'X-Request-Id': 'mine-1' })).body).to.include('<code>mine-1</code>');
    expect((await ada.open('/panel/nothing', { 'X-Request-Id': '<b>' })).headers.get('x-request-id')).to.not.include(
      '<',
    );
    const headers = { 'X-Request-Id': 'mine-2', traceparent: TRACE };
    await ada.submit('/panel/keys', { name: 'K', expires: '7', scopes: 'automations:read' }, { headers });
    expect((await ada.open('/panel/history')).body).to.include('>mine-2</code>');
    const lines = stage.service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ requestId }) => requestId === 'mine-2')).to.include({
      method: 'POST',
      route: '/panel/keys',
      status: 200,
      traceparent: TRACE,
    });
  });

  it('has a template for a route in the log, and nothing of the address', async () => {
    const link = await stage.service.invite('ada');
    await stage.stranger().open(new URL(link).pathname);
    const lines = stage.service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).to.include({ route: '/panel/welcome/:token', status: 200 });
    expect(stage.service.logged.join('')).to.not.include(link.split('/').at(-1));
  });

  it('takes what a path takes, and says what that is', async () => {
    const rows = [
      ['PUT', '/panel/keys', 'GET, HEAD, OPTIONS, POST'],
      ['DELETE', '/panel/keys', 'GET, HEAD, OPTIONS, POST'],
      ['POST', '/panel/history', 'GET, HEAD, OPTIONS'],
      ['GET', '/panel/sign-out', 'OPTIONS, POST'],
      ['PATCH', '/panel/welcome/x', 'GET, HEAD, OPTIONS, POST'],
    ] as const;
    for (const [method, path, allow] of rows) {
      const answer = await fetch(`${stage.service.url}${path}`, { method });
      expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).to.deep.equal([405, allow]);
      const options = await fetch(`${stage.service.url}${path}`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, allow]);
    }
    for (const path of [
      '/panel//',
      '/panel/keys//',
      '/panel/none/',
      '/Panel/keys',
      '/panel/%6Beys',
      '/assets/x/pages.css',
      '/panelx',
    ])
      expect((await fetch(`${stage.service.url}${path}`)).status, path).to.equal(404);
    const head = await fetch(`${stage.service.url}/panel/sign-in`, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
  });

  it('sends a browser on from an address with a slash at its end, and answers no form there', async () => {
    const { url } = stage.service;
    for (const [path, page] of [
      ['/panel/', '/panel'],
      ['/panel/keys/', '/panel/keys'],
      ['/panel/welcome/x/?a=1&b=%2F', '/panel/welcome/x?a=1&b=%2F'],
      ['/panel/automations/..%2f/', '/panel/automations/..%2f'],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(url + path, { method, redirect: 'manual' });
        expect([answer.status, answer.headers.get('location')], `${method} ${path}`).to.deep.equal([308, page]);
      }
    expect((await fetch(`${url}/panel/sign-in/`, { method: 'POST' })).status).to.equal(404);
  });

  it('keeps its connection, but for a body that is not worth reading', async () => {
    const ada = await stage.developer('ada');
    expect((await ada.open('/panel/nothing', { Connection: 'keep-alive' })).headers.get('connection')).to.equal(
      'keep-alive',
    );
    const large = { 'Content-Length': String(10 * 1024 * 1024), Connection: 'keep-alive' };
    const path = '/panel/keys';
    const body = 'x'.repeat(1024);
    for (const headers of [large, { ...large, Origin: 'https://evil.example' }])
      expect((await ada.post(path, body, headers)).headers.get('connection')).to.equal('close');
  });

  it('comes with files that are kept for good, in less than 50 KB in all', async () => {
    const page = await stage.stranger().open('/panel/sign-in');
    const addresses = Array.from(
      page.body.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)"/g),
      ([, address = '']) => address,
    );
    expect(new Set(addresses).size).to.equal(3);
    let size = page.body.length;
    for (const address of new Set(addresses)) {
      const file = await stage.stranger().open(address);
      expect(file.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(file.headers.get('vary')).to.equal(null);
      const etag = file.headers.get('etag') ?? '';
      expect((await stage.stranger().open(address, { 'If-None-Match': etag })).status).to.equal(304);
      size += file.body.length;
    }
    expect(size).to.be.lessThan(50 * 1024);
    expect(page.body).to.not.match(/(?:href|src|action)="(?:https?:)?\/\//);
    expect(page.body).to.not.match(/ style=| on\w+=|<style|<script(?! src)/);
  });
});

/** Refuses every request. */
class Full extends Overload {
  override forAll(): HttpMiddleware {
    return () => {
      throw new Problem('overloaded', 'The service is receiving more requests than it can handle. Try again later.');
    };
  }
}

describe('The panel while there are too many requests', () => {
  let service: PanelService;
  let busy: Listening;
  let completed: CompletedRequest[];
  before(async () => {
    service = await startPanel();
    completed = [];
    const onError = () => expect.fail('an overload is no error');
    const onRequestCompleted = (request: CompletedRequest) => completed.push(request);
    const panel = createPanel(newCore(service.repositories), { onError, onRequestCompleted }, new Full());
    busy = await listening(createServer((request, response) => void panel.callback()(request, response)));
  });
  after(async () => {
    await busy.close();
    await service.close();
  });

  it('says so in a page like any other, and when to come again', async () => {
    const answer = await new Visitor(busy.url).open('/panel/keys', { 'X-Request-Id': 'mine' });
    expectSafe(answer);
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-type')]).to.deep.equal([
      503,
      '1',
      'text/html; charset=utf-8',
    ]);
    expect(answer.body).to.include('<h1>The marketplace is busy</h1>').and.include('<code>mine</code>');
    const reported = completed.map(({ requestId, status, problem }) => ({ requestId, status, problem }));
    expect(reported).to.deep.equal([{ requestId: 'mine', status: 503, problem: 'overloaded' }]);
  });

  it('sends no page in response to HEAD, and reads no large body', async () => {
    const head = await send(busy.url, { method: 'HEAD', path: '/panel' });
    expect([head.status, head.body]).to.deep.equal([503, '']);
    const headers = { 'Content-Length': String(10 * 1024 * 1024), Connection: 'keep-alive' };
    const post = await new Visitor(busy.url).post('/panel/keys', 'x'.repeat(1024), headers);
    expect([post.status, post.headers.get('connection')]).to.deep.equal([503, 'close']);
  });
});

describe('The panel of a currency without decimals', () => {
  it('advises no price that it would refuse', async () => {
    const service = await startPanel({ CURRENCY: 'JPY' });
    const ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
    const page = await ada.open('/panel/automations/new');
    const wrong = await ada.submit('/panel/automations/new', {
      title: 'T',
      description: 'D',
      price: '1,000',
      categoryId: 'uncategorized',
    });
    await service.close();
    expect(page.body).to.include('For example 10; 0 is free.').and.not.include('9.99');
    expect(wrong.body)
      .to.include('Price must be a whole amount such as 10, without thousands separators.')
      .and.not.include('9.99');
  });
});

describe('The panel over a storage that is away', () => {
  let service: PanelService;
  let ada: Visitor;
  beforeEach(async () => {
    service = await startPanel();
    ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
  });
  afterEach(() => service.close());

  const away = (kind: 'unavailable' | 'outcome-unknown') => () =>
    Promise.reject(new DomainError(kind, 'store-unavailable', 'mongodb://ada:canary@db'));

  it('says so with 503 and Retry-After, without a word of why, and tells the log', async () => {
    Object.assign(service.container.get(SESSION_REPOSITORY), { findByHash: away('unavailable') });
    const answer = await ada.open('/panel/keys');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '2']);
    expect(answer.body).to.include('The storage is not reachable').and.not.include('canary');
    expect(service.logged.filter((line) => line.includes('"level":50'))).to.have.length(1);
    expect(service.logged.join('')).to.not.include('canary');
  });

  it('says so when too many sign in, and the log has nothing of it', async () => {
    const busy = () =>
      Promise.reject(
        new DomainError(
          'unavailable',
          'too-many-sign-ins',
          'too many are signing in right now; try again in a few seconds',
        ),
      );
    Object.assign(service.container.get(CORE).sessions, { signIn: busy });
    const answer = await ada.signIn('ada');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(answer.body)
      .to.include('The marketplace is busy')
      .and.include('Too many are signing in right now')
      .and.not.include('storage');
    expect(service.logged.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
  });

  it('says of a write whose fate is unknown that it cannot be told', async () => {
    Object.assign(service.container.get(AUTOMATION_STORE).automations, { add: away('outcome-unknown') });
    const fields = { title: 'T', description: 'D', price: '1', categoryId: 'uncategorized' };
    const answer = await ada.submit('/panel/automations/new', fields);
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '2']);
    expect(answer.body).to.include('It is unknown whether this was done.');
  });

  it('answers a defect with 500 and the request id alone', async () => {
    Object.assign(service.container.get(CORE).records, { find: () => Promise.reject(new Error('canary')) });
    const answer = await ada.open('/panel/automations');
    expect(answer.status).to.equal(500);
    expect(answer.body).to.include(answer.headers.get('x-request-id')).and.not.include('canary');
  });
});
