import { expect } from 'chai';
import { panelOnEveryStorage } from '../../support/panel-on-every-storage.js';
import { expectSafe } from './safe.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

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
