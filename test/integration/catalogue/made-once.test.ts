import { expect } from 'chai';
import Koa from 'koa';
import { createServer } from 'node:http';
import { Addresses } from '../../../adapters/catalogue/addresses.js';
import type { CatalogueApp } from '../../../adapters/catalogue/app.js';
import { sendShared, show } from '../../../adapters/catalogue/respond.js';
import { SharedBodies } from '../../../adapters/catalogue/shared-bodies.js';
import type { RequestState } from '../../../adapters/edge/context.js';
import { numbers } from '../../contracts/offers.js';
import { listening, send, type Listening } from '../../support/socket.js';

/** The parts of the catalogue of which a response is made, with a template that shows its data. */
function catalogueOf(fingerprint: string): CatalogueApp {
  const parts: Partial<CatalogueApp> = {
    fingerprint,
    bodies: new SharedBodies(),
    addresses: new Addresses('', ''),
    publicUrl: 'http://m.example',
    visibility: 'public',
    render: (template, data) => `${template} ${JSON.stringify(data)}`,
  };
  return parts as CatalogueApp;
}

describe('A page of the catalogue', () => {
  let server: Listening;
  let made = 0;
  let catalogue = catalogueOf('one');
  beforeEach(async () => {
    made = 0;
    catalogue = catalogueOf('one');
    const app = new Koa<RequestState>();
    app.use(async (ctx) => {
      await show(ctx, catalogue, 'page', { path: ctx.path }, (_catalogue, { path }) => {
        made += 1;
        return { title: path };
      });
    });
    const callback = app.callback();
    server = await listening(createServer((request, response) => void callback(request, response)));
  });
  afterEach(() => server.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.url, { method: 'GET', path, headers });

  it('is not made for a client that has it', async () => {
    const { headers } = await get('/a');
    const etag = headers.get('etag') ?? '';
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect((await get('/a', { 'If-None-Match': value })).status, value).to.equal(304);
    expect(made).to.equal(1);
    expect((await get('/b', { 'If-None-Match': etag })).status).to.equal(200);
    expect(made).to.equal(2);
  });

  it('is made again by another program, and with other options', async () => {
    const etag = (await get('/a')).headers.get('etag') ?? '';
    catalogue = catalogueOf('two');
    const again = await get('/a', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('etag') === etag]).to.deep.equal([200, false]);
  });
});

describe('A feed or sitemap of the catalogue', () => {
  it('is made once for all who ask while it is made and later, and each sends the same buffer', async () => {
    const catalogue = catalogueOf('one');
    let made = 0;
    const app = new Koa<RequestState>();
    const sent: unknown[] = [];
    app.use(async (ctx) => {
      await sendShared(ctx, catalogue, 'text/plain', { path: ctx.path }, async () => {
        made += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return 'x'.repeat(100_000);
      });
      sent.push(ctx.body);
    });
    const callback = app.callback();
    const server = await listening(createServer((request, response) => void callback(request, response)));
    const get = () => send(server.url, { method: 'GET', path: '/' });
    const answers = [...(await Promise.all(numbers(30).map(get))), await get()];
    expect([...new Set(answers.map(({ status, body }) => `${status} ${body.length}`))]).to.deep.equal(['200 100000']);
    expect([made, sent.length, new Set(sent).size]).to.deep.equal([1, 31, 1]);
    await server.close();
  });

  it('is tried again after it could not be made', async () => {
    const bodies = new SharedBodies();
    const failing = async () => {
      throw new Error('no store');
    };
    const failures = await Promise.allSettled([bodies.get('a', failing), bodies.get('a', failing)]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(String(await bodies.get('a', () => 'made'))).to.equal('made');
  });

  it('is made for each who asks when it is too large to be kept', async () => {
    const bodies = new SharedBodies();
    const large = () => 'x'.repeat(33 * 1024 * 1024);
    expect((await bodies.get('a', large)).length).to.equal(33 * 1024 * 1024);
    expect((await bodies.get('a', () => 'other')).length).to.equal(5);
  });
});
