import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createHttpApp } from '../../../adapters/api/index.js';
import { createHttpServer } from '../../../adapters/edge/server/server.js';
import { mountApp, startService, type TestService } from '../../support/service.js';
import { ask, offer } from './hostile/ask.js';
import { problemOf, type Answer } from '../../../adapters/conformance/answer.js';
import { DRAFT } from './hostile/row.js';

const BASES = ['/api', '/v1', '/api/v1', '/v1/api'];
const PUBLIC_URL = 'https://market.example';
const HOSTS: readonly {
  readonly prefix: string;
  readonly mountPath?: string;
  readonly start: () => Promise<TestService>;
}[] = [
  { prefix: '', start: () => startService() },
  { prefix: PUBLIC_URL, start: () => startService({ settings: { PUBLIC_URL } }) },
  { prefix: '/market', mountPath: '/market', start: () => mountApp({ host, mountPath: '/market' }) },
  {
    prefix: `${PUBLIC_URL}/market`,
    mountPath: '/market',
    start: () => mountApp({ host, mountPath: '/market', publicUrl: PUBLIC_URL }),
  },
];

async function host(listener: RequestListener): Promise<Server> {
  const server = createHttpServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The targets of a Link header, by relation. */
function linksOf({ headers }: Answer): Readonly<Record<string, string>> {
  const links = Array.from((headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"(?:, |$)/g));
  expect(links.map(([whole]) => whole).join(''), 'Link').to.equal(headers.get('link'));
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]));
}

describe('Addresses of a service whose public URL has a path (I5)', () => {
  const publicUrl = 'https://market.example/shop';
  let service: TestService;
  let key: string;
  before(async () => {
    service = await startService({ settings: { PUBLIC_URL: publicUrl } });
    key = await service.key();
  });
  after(() => service.close());

  it('begin with it in Location and Link, and problem types with its path', async () => {
    const { status, headers } = await offer(service.url, key, DRAFT);
    expect([status, headers.get('location')?.startsWith(`${publicUrl}/api/automations/`)]).to.deep.equal([201, true]);
    const list = await ask(`${service.url}/v1/automations`, { key });
    expect(linksOf(list)['first']).to.equal(`${publicUrl}/v1/automations?page=1`);
    for (const path of ['/api/nothing', '/v1/automations/unknown'])
      expect(JSON.parse((await ask(`${service.url}${path}`, { key })).body)).to.include({
        type: '/shop/problems/not-found',
      });
  });

  it('go with Strict-Transport-Security (I3)', async () => {
    for (const path of ['/api/categories', '/api/nothing'])
      for (const shown of [key, 'wrong'])
        expect(
          (await ask(`${service.url}${path}`, { key: shown })).headers.get('strict-transport-security'),
          path,
        ).to.equal('max-age=31536000');
  });
});

for (const { prefix, mountPath = '', start } of HOSTS)
  describe(`Addresses of a service at "${prefix}"`, () => {
    let service: TestService;
    let key: string;
    /** Where requests go: a proxy in front cuts the mount path off. */
    const at = (target: string) => `${service.url}${target.slice(prefix.length)}`;

    before(async () => {
      service = await start();
      key = await service.key();
      for (let i = 0; i < 7; i += 1)
        await offer(service.url, key, { ...DRAFT, category_id: i === 0 ? 'communication' : 'ai-agents' });
    });
    after(() => service.close());

    for (const base of BASES) {
      it(`under ${base}: Link leads through the list, with its filters`, async () => {
        const start = `${prefix}${base}/automations?category=ai-agents&limit=4&page=1`;
        const first = linksOf(await ask(at(start), { key }));
        expect(first).to.deep.equal({ first: start, next: start.replace(/1$/, '2'), last: start.replace(/1$/, '2') });
        const second = linksOf(await ask(at(first['next'] ?? ''), { key }));
        expect(second).to.deep.equal({ first: start, prev: start, last: first['last'] });
      });

      it(`under ${base}: Link keeps what was asked and adds no limit of its own`, async () => {
        const path = `${prefix}${base}/automations`;
        expect(linksOf(await ask(at(path), { key }))).to.deep.equal({
          first: `${path}?page=1`,
          last: `${path}?page=1`,
        });
        const odd = linksOf(await ask(at(`${path}?category=%C3%A4%26b%3D%3C%3E%22&page=3`), { key }));
        const filter = `${path}?category=%C3%A4%26b%3D%3C%3E%22&page=1`;
        expect(odd).to.deep.equal({ first: filter, prev: filter, last: filter });
      });

      it(`under ${base}: Location leads to what was created`, async () => {
        const created = await ask(at(`${prefix}${base}/automations`), {
          method: 'POST',
          key,
          body: JSON.stringify({ ...DRAFT, category_id: 'data-processing' }),
          headers: { 'Content-Type': 'application/json' },
        });
        const { id } = JSON.parse(created.body) as { id: string };
        expect(created.headers.get('location')).to.equal(`${prefix}${base}/automations/${id}`);
        expect((await ask(at(created.headers.get('location') ?? ''), { key })).body).to.equal(created.body);
      });
    }

    it('problem types stand below the mount path, on the host that was asked', async () => {
      const { type } = problemOf(await ask(`${service.url}/api/x`, { key }));
      expect(type).to.equal(`${mountPath}/problems/not-found`);
    });

    it('a host and a protocol that a stranger names change nothing', async () => {
      const headers = {
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'gopher',
        'X-Forwarded-Prefix': '/evil',
        Forwarded: 'host=evil.example',
      };
      const plain = await ask(`${service.url}/api/automations?limit=2`, { key });
      const spoofed = await ask(`${service.url}/api/automations?limit=2`, { key, headers });
      expect([spoofed.body, spoofed.headers.get('link')]).to.deep.equal([plain.body, plain.headers.get('link')]);
    });
  });

describe('The four bases', () => {
  let service: TestService;
  let key: string;

  before(async () => {
    service = await startService();
    key = await service.key();
    for (let i = 0; i < 3; i += 1) await offer(service.url, key, { ...DRAFT, title: `No. ${i}` });
  });
  after(() => service.close());

  it('answer byte for byte alike, but that addresses keep the base', async () => {
    const { data } = JSON.parse((await ask(`${service.url}/api/automations`, { key })).body) as {
      data: { id: string }[];
    };
    const targets = [
      '/automations',
      '/automations?limit=1&page=2',
      `/automations/${data[0]?.id ?? ''}`,
      '/categories',
      '/automations?page=0',
      '/x',
      '/automations/x',
    ];
    for (const target of targets) {
      const [canonical, ...others] = await Promise.all(BASES.map((base) => essence(base, target)));
      for (const other of others) expect(other, target).to.deep.equal(canonical);
    }
  });

  async function essence(base: string, target: string) {
    const { status, headers, body } = await ask(`${service.url}${base}${target}`, {
      key,
      headers: { 'X-Request-Id': 'bases' },
    });
    const kept = Array.from(headers).filter(([name]) => name !== 'date');
    return { status, body, headers: kept.map(([name, value]) => [name, value.replaceAll(`<${base}/`, '<base/')]) };
  }

  it('make nothing at import, and one application mounts in any server', () => {
    expect(createHttpApp(service.marketplace, { verifier: { verify: async () => undefined } }).callback()).to.be.a(
      'function',
    );
  });
});
