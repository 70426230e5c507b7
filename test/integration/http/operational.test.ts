import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { openApiDocument } from '../../../adapters/http/openapi/document.js';
import { createOperationalApp } from '../../../adapters/http/operational.js';
import { PROBLEMS } from '../../../adapters/http/problems.js';
import { parseCurrency } from '../../../domain/currency.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const about = { currency: parseCurrency('EUR'), version: '1.2.3', mountPath: '/market' };
const SLUGS = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];
const HEALTH = ['/livez', '/readyz'];
const PAGES = ['/docs', '/problems', ...SLUGS.map((slug) => `/problems/${slug}`)];
const FILES = ['/openapi.json', '/docs/page.css', '/docs/initializer.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'];

describe('Outside the bases of the API', () => {
  let server: Listening;
  let ready: () => Promise<boolean>;

  before(async () => {
    const answer = createOperationalApp({ ...about, ready: () => ready() }).callback();
    server = await listening(createServer((request, response) => void answer(request, response)));
  });
  beforeEach(() => {
    ready = async () => true;
  });
  after(() => server.close());

  const ask = (path: string, method = 'GET', headers = {}): Promise<Sent> => send(server.url, { method, path, headers });

  describe('health', () => {
    it('is alive as long as it answers, whatever the storage does', async () => {
      ready = () => Promise.reject(new Error('asked'));
      const { status, body } = await ask('/livez');
      expect([status, body]).to.deep.equal([200, '{"status":"alive"}']);
    });

    it('is ready when the service says so', async () => {
      const { status, body, headers } = await ask('/readyz');
      expect([status, body]).to.deep.equal([200, '{"status":"ready"}']);
      expect(headers.get('Cache-Control')).to.equal('no-store');
    });

    const NOT_READY: Readonly<Record<string, () => Promise<boolean>>> = {
      'says no': async () => false,
      fails: () => Promise.reject(new Error('nobody answers at 10.0.0.1')),
      throws: () => {
        throw new Error('nobody answers at 10.0.0.1');
      },
    };
    for (const [what, answer] of Object.entries(NOT_READY))
      it(`is not ready when the service ${what}, and does not say why`, async () => {
        ready = answer;
        const { status, body, headers } = await ask('/readyz');
        expect(status).to.equal(503);
        expect(headers.get('Retry-After')).to.match(/^[1-9][0-9]*$/);
        expect(JSON.parse(body)).to.include({ type: '/market/problems/unavailable', detail: 'The service is not ready.' });
      });
  });

  describe('documentation', () => {
    it('is where / leads', async () => {
      const { status, headers } = await ask('/');
      expect([status, headers.get('Location')]).to.deep.equal([303, '/market/docs']);
    });

    it('is where / leads behind a proxy that has it below a path', async () => {
      const answer = createOperationalApp({ ...about, publicUrl: 'https://proxy.example/base', ready }).callback();
      const behind = await listening(createServer((request, response) => void answer(request, response)));
      expect((await send(behind.url, { method: 'GET', path: '/' })).headers.get('Location')).to.equal('https://proxy.example/base/market/docs');
      await behind.close();
    });

    it('is the OpenAPI document as JSON', async () => {
      const { headers, body } = await ask('/openapi.json');
      expect(headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(body)).to.deep.equal(openApiDocument(about));
    });

    it('is a page that asks nobody else, runs no script of its own text and cannot be framed', async () => {
      const { headers, body } = await ask('/docs');
      const policy = String(headers.get('Content-Security-Policy'));
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'").and.not.include('unsafe');
      expect(headers.get('Referrer-Policy')).to.equal('no-referrer');
      expect(body).not.to.match(/<script(?! src="docs\/)|\son\w+=|https?:/);
      const linked = Array.from(body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g), ([, path]) => `/${String(path)}`);
      for (const path of linked) expect((await ask(path)).status, path).to.equal(200);
    });

    it('keeps no key and asks no validator', async () => {
      const { body } = await ask('/docs/initializer.js');
      expect(body).to.include('validatorUrl: null').and.include('persistAuthorization: false').and.not.match(/https?:/);
    });

    it('serves nothing of its folder but what it names', async () => {
      const paths = ['/docs/', '/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/index.js', '/docs/swagger-ui.css%00', '/docs/x.js'];
      for (const path of paths) expect((await ask(path)).status, path).to.equal(404);
    });
  });

  describe('the page of a problem', () => {
    for (const slug of SLUGS)
      it(`says what ${slug} is and what to do`, async () => {
        const { status, headers, body } = await ask(`/problems/${slug}`);
        expect(status).to.equal(200);
        expect(headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
        expect(body).to.include(`<h1>${PROBLEMS[slug].title}</h1>`).and.include(`${PROBLEMS[slug].status} ${slug}`);
        expect(body).to.include('What to do').and.include(`/market/problems/${slug}`).and.not.include('<script');
      });

    for (const path of PAGES.slice(1))
      it(`asks nobody, runs nothing, has no style but its own and cannot be framed: ${path}`, async () => {
        const { headers, body } = await ask(path);
        const style = createHash('sha256').update(/<style>(.*)<\/style>/s.exec(body)?.[1] ?? '').digest('base64');
        const policy = String(headers.get('Content-Security-Policy'));
        expect(policy).to.include("default-src 'none';").and.include("frame-ancestors 'none'").and.not.include('unsafe');
        expect(policy).to.include(`style-src 'sha256-${style}';`).and.include("base-uri 'none'; form-action 'none'");
        expect(headers.get('Referrer-Policy')).to.equal('no-referrer');
      });

    it('escapes what it says', async () => {
      expect((await ask('/problems/missing-credentials')).body).to.include('Bearer &lt;key&gt;').and.not.include('<key>');
    });

    it('is found from the index, in the order of the statuses', async () => {
      const { body } = await ask('/problems');
      const links = Array.from(body.matchAll(/href="problems\/([\w-]+)"/g), ([, slug]) => slug);
      expect(links).to.have.members(SLUGS).and.to.have.length(SLUGS.length);
      const statuses = Array.from(body.matchAll(/<dt>(\d+)<\/dt>/g), ([, status]) => Number(status));
      expect(statuses.every((status, i) => status >= (statuses[i - 1] ?? 0))).to.equal(true);
    });
  });

  for (const path of [...PAGES.slice(0, 3), ...FILES])
    it(`keeps ${path} fresh in caches`, async () => {
      const { status, headers } = await ask(path);
      expect([status, headers.get('Cache-Control')]).to.deep.equal([200, 'no-cache']);
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff');
      const etag = String(headers.get('ETag'));
      const again = await ask(path, 'GET', { 'If-None-Match': `W/${etag}` });
      expect([again.status, again.body, again.headers.get('ETag')]).to.deep.equal([304, '', etag]);
      expect((await ask(path, 'GET', { 'If-None-Match': '"other"' })).status).to.equal(200);
    });

  for (const path of ['/', ...HEALTH, ...PAGES.slice(0, 3), ...FILES]) {
    it(`answers HEAD to ${path} as GET, without the body`, async () => {
      const [head, whole] = [await ask(path, 'HEAD'), await ask(path)];
      expect([head.status, head.body]).to.deep.equal([whole.status, '']);
      for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control'])
        expect(head.headers.get(name), name).to.equal(whole.headers.get(name));
    });

    it(`takes GET, HEAD and OPTIONS to ${path} and nothing else`, async () => {
      const options = await ask(path, 'OPTIONS');
      expect([options.status, options.body, options.headers.get('Allow')]).to.deep.equal([204, '', 'GET, HEAD, OPTIONS']);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']) {
        const { status, headers } = await ask(path, method);
        expect([status, headers.get('Allow')], method).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      }
    });
  }

  const UNKNOWN = ['/nothing', '/livez/', '/LIVEZ', '//livez', '/%6civez', '/docs/', '/problems/', '/problems/unknown', '/api'];
  for (const path of UNKNOWN)
    it(`knows no ${path}`, async () => {
      const { status, headers, body } = await ask(path);
      expect([status, headers.get('Content-Type')]).to.deep.equal([404, 'application/problem+json']);
      expect(JSON.parse(body)).to.include({ type: '/market/problems/not-found', instance: headers.get('X-Request-Id') });
    });

  it('checks the wire as the API does', async () => {
    expect((await ask(`/docs?${'a'.repeat(9_000)}`)).status).to.equal(414);
    expect((await ask('/livez', 'GET', { 'X-Request-Id': 'mine-1' })).headers.get('X-Request-Id')).to.equal('mine-1');
  });
});
