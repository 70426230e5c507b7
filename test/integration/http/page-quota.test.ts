import { expect } from 'chai';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore } from '../../../application/index.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import { send } from '../../support/socket.js';

/** Of every application that serves pages. */
const PAGES = [
  '/nothing',
  '/docs',
  '/panel/nothing',
  '/panel/sign-in',
  '/catalogue',
  '/catalogue/feed.atom',
  '/sitemap.xml',
];

describe('The quota of pages', () => {
  let service: PanelService;
  afterEach(() => service.close());

  const start = async (limit: string, settings = {}) => {
    const limits = { RATE_LIMIT_PAGES: limit, TRUSTED_PROXY_HOPS: '1', ...settings };
    service = await startPanel({ CATALOGUE: 'public', ...limits });
  };
  const get = (path: string, address = '192.0.2.1') =>
    send(service.url, { method: 'GET', path, headers: { 'X-Forwarded-For': address } });
  const statusOf = async (path: string, address?: string) => (await get(path, address)).status;

  it('counts pages, feeds, sitemaps, documents and unknown paths of an address together', async () => {
    await start(String(PAGES.length));
    for (const path of PAGES) expect(await statusOf(path), path).to.be.oneOf([200, 404]);
    for (const path of PAGES) expect(await statusOf(path), path).to.equal(429);
    expect(Number((await get('/nothing')).headers.get('Retry-After'))).to.be.within(1, 60);
    expect(await statusOf('/docs', '192.0.2.2')).to.equal(200);
  });

  it('is ten times as high for SHARED_NETWORKS, and so are failed authentications', async () => {
    await start('2', { RATE_LIMIT_FAILED_AUTH: '1', SHARED_NETWORKS: '203.0.113.0/24, 2001:db8::/32' });
    const failing = async (address: string) => {
      const headers = { 'X-Forwarded-For': address, Authorization: 'Bearer wrong' };
      return (await send(service.url, { method: 'GET', path: '/api/categories', headers })).status;
    };
    for (const [address, factor] of [
      ['192.0.2.1', 1],
      ['203.0.113.7', 10],
      ['2001:db8:1:2::3', 10],
    ] as const) {
      const pages = [];
      for (let n = 0; n < 2 * factor; n += 1) pages.push(await statusOf('/catalogue', address));
      expect(new Set(pages), address).to.deep.equal(new Set([200]));
      expect(await statusOf('/catalogue', address), address).to.equal(429);
      for (let n = 0; n < factor; n += 1) expect(await failing(address), address).to.equal(401);
      expect(await failing(address), address).to.equal(429);
    }
  });

  it('counts neither probes, nor what pages load, nor the API', async () => {
    await start('1');
    const { body } = await get('/catalogue');
    const files = Array.from(body.matchAll(/(?:href|src)="(\/[^"]*\/assets\/[^"]*)"/g), ([, path = '']) => path);
    expect(files).to.have.length.above(1);
    for (const path of ['/livez', '/readyz', '/metrics', ...files]) expect(await statusOf(path), path).to.equal(200);
    expect(await statusOf('/api/automations')).to.equal(401);
    expect(await statusOf('/catalogue')).to.equal(429);
  });

  it('counts who is signed in by account, wherever they are', async () => {
    await start('4');
    const ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const path = n % 2 === 0 ? '/panel/keys' : '/catalogue';
      statuses.push((await ada.open(path, { 'X-Forwarded-For': `192.0.2.${n}` })).status);
    }
    expect(statuses).to.include(200).and.include(429);
    expect(await statusOf('/catalogue')).to.equal(200);
  });
});

describe('The option for a quota of pages', () => {
  for (const pageRateLimit of [0, -1, 1.5, NaN, '300', null, {}])
    it(`is refused when it is ${JSON.stringify(pageRateLimit)}`, () => {
      const options = { pageRateLimit } as object;
      for (const create of [createCatalogue, createPanel])
        expect(() => create(newCore(inMemoryStorage()), options)).to.throw(TypeError, 'pageRateLimit must be');
    });
});
