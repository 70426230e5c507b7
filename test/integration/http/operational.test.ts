import type { Readiness } from '../../../adapters/edge/probes/health.js';
import { expect } from 'chai';
import { createServer } from 'node:http';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import { createPagesApp } from '../../../adapters/api/documents/site-app.js';
import { PROBLEMS } from '../../../adapters/edge/problems/table.js';
import { parseCurrency } from '../../../domain/currency.js';
import { listening, send, type Listening, type Sent } from '../../support/socket.js';

const about = { currency: parseCurrency('EUR'), version: '1.2.3', mountPath: '/market' };
const SLUGS = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[];
const HEALTH = ['/livez', '/readyz'];
const PAGES = ['/docs', '/problems', ...SLUGS.map((slug) => `/problems/${slug}`)];
const DOCS = ['docs.css', 'docs.js', 'swagger-ui.css', 'swagger-ui-bundle.js', 'oauth2-redirect.js'].map(
  (name) => `/docs/${name}`,
);
const FILES = ['/openapi.json', ...DOCS, '/favicon.ico', '/robots.txt', '/llms.txt', '/.well-known/api-catalog'];
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const unused = { onError: () => undefined, onRequestCompleted: () => undefined, panel: true };

/** Serves the application outside the bases. */
function serve(options: object, readiness: () => Promise<Readiness> = async () => 'ready'): Promise<Listening> {
  const app = createPagesApp({ ...about, ...unused, ...options, readiness }, new Overload());
  const handle = app.callback();
  return listening(createServer((request, response) => void handle(request, response)));
}

/** Returns the addresses that a page names. */
function addressesIn(html: string): readonly string[] {
  return Array.from(html.matchAll(/(?:src|href)="([^"#]+)"/g), ([, address = '']) => address);
}

describe('Outside the bases of the API', () => {
  let server: Listening;
  let state: Readiness;

  before(async () => {
    server = await serve({}, async () => state);
  });
  beforeEach(() => {
    state = 'ready';
  });
  after(() => server.close());

  const ask = (path: string, method = 'GET', headers = {}): Promise<Sent> =>
    send(server.url, { method, path, headers });

  describe('health', () => {
    it('is alive as long as it answers, whatever the storage does', async () => {
      state = 'storage';
      const { status, body } = await ask('/livez');
      expect([status, body]).to.deep.equal([200, '{"status":"alive"}']);
    });

    it('is ready when the service says so', async () => {
      const { status, body, headers } = await ask('/readyz');
      expect([status, body]).to.deep.equal([200, '{"status":"ready"}']);
      expect(headers.get('Cache-Control')).to.equal('no-store');
    });

    it('is ready, and says so, when writes have no room', async () => {
      state = 'read-only';
      const { status, body } = await ask('/readyz');
      expect([status, body]).to.deep.equal([200, '{"status":"read-only"}']);
    });

    for (const word of ['starting', 'storage', 'draining'] as const)
      it(`is not ready, and names what is missing: ${word}`, async () => {
        state = word;
        const { status, body, headers } = await ask('/readyz');
        expect(status).to.equal(503);
        expect(headers.get('Retry-After')).to.match(/^[1-9][0-9]*$/);
        expect(JSON.parse(body)).to.include({
          type: '/market/problems/unavailable',
          detail: `The service is not ready: ${word}.`,
        });
      });
  });

  describe('documentation', () => {
    it('is where / leads', async () => {
      const { status, headers } = await ask('/');
      expect([status, headers.get('Location')]).to.deep.equal([303, '/market/docs']);
    });

    it('is where / leads behind a proxy that has it below a path', async () => {
      const behind = await serve({ publicUrl: 'https://proxy.example/base' });
      expect((await send(behind.url, { method: 'GET', path: '/' })).headers.get('Location')).to.equal(
        'https://proxy.example/base/market/docs',
      );
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
      expect(body).not.to.match(/<script(?! src="\/market\/docs\/)|<style| style=|\son\w+=|https?:/);
      const linked = addressesIn(body).filter((address) => !/panel$|\/$/.test(address));
      expect(linked.length).to.be.greaterThan(5);
      for (const path of linked) expect((await ask(path.replace(/^\/market/, ''))).status, path).to.equal(200);
    });

    it('keeps no key and asks no validator', async () => {
      const { body } = await ask('/docs/docs.js');
      expect(body)
        .to.include('validatorUrl: null')
        .and.include('persistAuthorization: false')
        .and.not.match(/https?:/);
    });

    it('serves nothing of its folder but what it names', async () => {
      const paths = [
        '/docs//',
        '/docs/..%2f..%2fpackage.json',
        '/docs/%2e%2e/index.js',
        '/docs/swagger-ui.css%00',
        '/docs/x.js',
      ];
      for (const path of paths) expect((await ask(path)).status, path).to.equal(404);
    });
  });

  describe('what is made from the OpenAPI document', () => {
    it('is the catalog of APIs of RFC 9727: links to the API, and from there to what describes it', async () => {
      const { headers, body } = await ask('/.well-known/api-catalog');
      expect(headers.get('Content-Type')).to.equal(
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      );
      expect(headers.get('Link')).to.equal('</market/.well-known/api-catalog>; rel="api-catalog"');
      const { linkset } = JSON.parse(body) as { readonly linkset: readonly Readonly<Record<string, unknown>>[] };
      expect(linkset).to.deep.equal([
        {
          anchor: '/market/.well-known/api-catalog',
          item: [{ href: '/market/api', title: 'Automation Marketplace API' }],
        },
        {
          anchor: '/market/api',
          'service-desc': [{ href: '/market/openapi.json', type: 'application/json' }],
          'service-doc': [{ href: '/market/docs', type: 'text/html' }],
          status: [{ href: '/market/readyz', type: 'application/json' }],
        },
      ]);
      for (const address of body.matchAll(/"href":"\/market(\/(?!api")[^"]+)"/g))
        expect((await ask(String(address[1]))).status, address[1]).to.equal(200);
    });

    it('is a page for language models: each operation, and links that lead somewhere', async () => {
      const { headers, body } = await ask('/llms.txt');
      expect(headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
      expect(body).to.match(/^# Automation Marketplace API\n\n> List, search, read and create automations\.\n\n/);
      const document = JSON.parse((await ask('/openapi.json')).body) as Readonly<Record<string, object>>;
      const links = Array.from(body.matchAll(/\]\(\/market([^)#]+)(?:#([^)]+))?\)/g));
      expect(links).to.have.length(7);
      for (const [link, path = '', pointer = ''] of links) {
        expect((await ask(path)).status, link).to.equal(200);
        const steps = decodeURI(pointer).split('/').slice(1);
        const names = steps.map((step) => step.replaceAll('~1', '/'));
        const found = names.reduce((at: unknown, step) => (at as Record<string, unknown>)[step], document);
        expect(found, link).to.be.an('object');
      }
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
        expect(body).not.to.match(/<style| style=|<script|\son\w+=/);
        const policy = String(headers.get('Content-Security-Policy'));
        expect(policy)
          .to.include("default-src 'none';")
          .and.include("frame-ancestors 'none'")
          .and.not.include('unsafe');
        expect(policy).to.include("style-src 'self';").and.include("form-action 'none'; base-uri 'none'");
        expect(headers.get('Referrer-Policy')).to.equal('no-referrer');
      });

    it('escapes what it says', async () => {
      expect((await ask('/problems/missing-credentials')).body)
        .to.include('Bearer &lt;key&gt;')
        .and.not.include('<key>');
    });

    it('is found from the index, in the order of the statuses', async () => {
      const { body } = await ask('/problems');
      const links = Array.from(body.matchAll(/href="\/market\/problems\/([\w-]+)"/g), ([, slug]) => slug);
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
      expect([options.status, options.body, options.headers.get('Allow')]).to.deep.equal([
        204,
        '',
        'GET, HEAD, OPTIONS',
      ]);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']) {
        const { status, headers } = await ask(path, method);
        expect([status, headers.get('Allow')], method).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      }
    });
  }

  const UNKNOWN = [
    '/nothing',
    '/livez/',
    '/LIVEZ',
    '//livez',
    '/%6civez',
    '/docs//',
    '/problems/unknown',
    '/problems/unknown/',
    '/openapi.json/',
    '//evil.example/',
    '/api',
  ];
  for (const path of ['/docs/', '/problems/', '/problems/not-found/'])
    it(`sends a browser on from ${path}`, async () => {
      const { status, headers } = await ask(path, 'GET', BROWSER);
      expect([status, headers.get('Location')]).to.deep.equal([308, `/market${path.slice(0, -1)}`]);
    });

  for (const path of UNKNOWN)
    it(`knows no ${path}`, async () => {
      const { status, headers, body } = await ask(path);
      expect([status, headers.get('Content-Type')]).to.deep.equal([404, 'application/problem+json']);
      expect(JSON.parse(body)).to.include({
        type: '/market/problems/not-found',
        instance: headers.get('X-Request-Id'),
      });
    });

  for (const path of ['/nothing', '/problems/nope', '/docs/x.js', '/panel'])
    it(`shows a page at ${path} to a browser, and a problem document to any other client`, async () => {
      const page = await ask(path, 'GET', { ...BROWSER, 'X-Request-Id': 'mine-2' });
      expect([page.status, page.headers.get('Content-Type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(page.headers.get('X-Request-Id')).to.equal('mine-2');
      expect(page.headers.get('Cache-Control')).to.equal('no-store');
      expect(page.headers.get('Vary')).to.match(/\bAccept\b/);
      expect(page.headers.get('Content-Security-Policy')).to.include("default-src 'none'");
      expect(page.body).to.include('<h1>Not found</h1>').and.include('404').and.include('<code>mine-2</code>');
      expect(addressesIn(page.body)).to.include('/market/docs').and.include('/market/panel');
      for (const Accept of [
        undefined,
        '*/*',
        'application/json',
        'application/json, text/html',
        'text/html;q=0.5, application/json',
      ]) {
        const { status, headers, body } = await ask(path, 'GET', { ...(Accept !== undefined && { Accept }) });
        expect([status, headers.get('Content-Type'), headers.get('Vary')], Accept).to.deep.equal([
          404,
          'application/problem+json',
          page.headers.get('Vary'),
        ]);
        expect(JSON.parse(body)).to.include({ type: '/market/problems/not-found' });
      }
    });

  it('shows a page to a browser for any other error as well, with its headers', async () => {
    const { status, headers, body } = await ask('/docs', 'POST', BROWSER);
    expect([status, headers.get('Allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
    expect(body).to.include('<h1>Method not allowed</h1>');
    const head = await ask('/nothing', 'HEAD', BROWSER);
    expect([head.status, head.body]).to.deep.equal([404, '']);
  });

  it('escapes a name that a page of an error repeats', async () => {
    const { body } = await ask('/%3Cscript%3E?<script>', 'GET', BROWSER);
    expect(body).not.to.include('<script');
  });

  it('has an icon, and tells crawlers to leave the API and the panel alone', async () => {
    const icon = await ask('/favicon.ico');
    expect([icon.status, icon.headers.get('Content-Type')]).to.deep.equal([200, 'image/svg+xml']);
    const robots = await ask('/robots.txt');
    expect([robots.status, robots.headers.get('Content-Type')]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    expect(robots.body)
      .to.match(/^User-agent: \*\n/)
      .and.include('Disallow: /panel/')
      .and.include('Disallow: /api/');
  });

  it('leads password managers to the account where there is a panel', async () => {
    const { status, headers } = await ask('/.well-known/change-password');
    expect([status, headers.get('Location')]).to.deep.equal([302, '/market/panel/account']);
    const without = await serve({ panel: false });
    const missing = await send(without.url, { method: 'GET', path: '/.well-known/change-password' });
    await without.close();
    expect(missing.status).to.equal(404);
  });

  it('links the panel where there is one', async () => {
    const without = await serve({ panel: false });
    for (const path of ['/docs', '/problems', '/problems/not-found']) {
      expect(addressesIn((await ask(path)).body), path).to.include('/market/panel');
      const { body } = await send(without.url, { method: 'GET', path });
      expect(body, path).not.to.include('panel"');
    }
    await without.close();
  });

  it('has every address below the path of the public URL (I5)', async () => {
    const behind = await serve({ publicUrl: 'https://proxy.example/base' });
    const open = (path: string, headers = {}) => send(behind.url, { method: 'GET', path, headers });
    for (const path of ['/docs', '/problems', '/problems/not-found', '/nothing'])
      for (const address of addressesIn((await open(path, BROWSER)).body))
        expect(address, path).to.match(/^\/base\/market\//);
    expect((await open('/problems/not-found')).body).to.include('/base/market/problems/not-found');
    expect(JSON.parse((await open('/nothing')).body)).to.include({ type: '/base/market/problems/not-found' });
    const { servers } = JSON.parse((await open('/openapi.json')).body) as {
      readonly servers: readonly { readonly url: string }[];
    };
    expect(servers[0]?.url).to.equal('https://proxy.example/base/market/api');
    await behind.close();
  });

  it('tells browsers to keep to HTTPS where the public URL does, errors included (I3)', async () => {
    for (const [publicUrl, told] of [
      ['https://a.example', 'max-age=31536000'],
      ['http://a.example', null],
      ['', null],
    ] as const) {
      const behind = await serve({ publicUrl });
      for (const path of ['/livez', '/docs', '/nothing', '/openapi.json'])
        expect(
          (await send(behind.url, { method: 'GET', path })).headers.get('Strict-Transport-Security'),
          publicUrl + path,
        ).to.equal(told);
      await behind.close();
    }
  });

  it('checks the wire as the API does', async () => {
    expect((await ask(`/docs?${'a'.repeat(9_000)}`)).status).to.equal(414);
    expect((await ask('/livez', 'GET', { 'X-Request-Id': 'mine-1' })).headers.get('X-Request-Id')).to.equal('mine-1');
  });
});
