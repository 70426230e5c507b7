import { expect } from 'chai';
import { OPERATOR } from '../../../application/index.js';
import { startShop, type Shop } from './stage.js';

const texts = (body: string, element: string) =>
  Array.from(body.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g')), ([, text = '']) => text);

describe('The catalogue for programs', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await startShop();
  });
  afterEach(() => shop.close());

  it('has feeds of the newest 50: a revision changes the date of an entry, not its place', async () => {
    const ids: string[] = [];
    for (let n = 1; n <= 52; n += 1) ids.push(await shop.offer({ title: `Number ${n}` }));
    await shop.marketplace.reviseAutomation(OPERATOR, ids[30] ?? '', { title: 'Revised' });
    const { body, headers } = await shop.get('/catalogue/feed.atom');
    expect(headers.get('content-type')).to.equal('application/atom+xml; charset=utf-8');
    const expected = ids.slice(2).toReversed();
    expect(texts(body, 'id').slice(1)).to.deep.equal(expected.map((id) => `urn:uuid:${id}`));
    const [published, [feedUpdated, ...updated]] = [texts(body, 'published'), texts(body, 'updated')];
    const revised = expected.indexOf(ids[30] ?? '');
    expect(published.filter((date, index) => date !== updated[index])).to.have.length(1);
    expect(updated[revised]).to.equal(feedUpdated).and.not.equal(published[revised]);
    expect(texts(body, 'title')[revised + 1]).to.equal('Revised');
  });

  it('has feeds of a category, of a developer, and of both', async () => {
    await shop.offer({ title: 'A' });
    await shop.offer({ title: 'B', categoryId: 'uncategorized' }, 'bob');
    await shop.offer({ title: 'C' }, 'bob');
    const entriesOf = async (query: string) =>
      texts((await shop.get(`/catalogue/feed.atom${query}`)).body, 'title').slice(1);
    expect(await entriesOf('')).to.deep.equal(['C', 'B', 'A']);
    expect(await entriesOf('?category=communication-and-messaging&developer=')).to.deep.equal(['C', 'A']);
    expect(await entriesOf('?developer=bob')).to.deep.equal(['C', 'B']);
    expect(await entriesOf('?developer=bob&category=uncategorized')).to.deep.equal(['B']);
  });

  it('links to a feed only from a list that has the same: all, or a category', async () => {
    await shop.offer();
    const feedOf = async (query: string) => {
      const { body } = await shop.get(`/catalogue${query}`);
      const links = Array.from(body.matchAll(/href="([^"]*feed\.atom[^"]*)"/g), ([, link = '']) => link);
      return [...new Set(links)];
    };
    const category = 'category=communication-and-messaging';
    expect(await feedOf('')).to.deep.equal(['/catalogue/feed.atom']);
    expect(await feedOf('?page=1')).to.deep.equal(['/catalogue/feed.atom']);
    expect(await feedOf(`?${category}`)).to.deep.equal([`/catalogue/feed.atom?${category}`]);
    for (const query of ['?q=inbox', '?price_max=50', '?free=1', '?sort=price', `?${category}&q=inbox`])
      expect(await feedOf(query), query).to.deep.equal([]);
    for (const query of ['?price_min=abc', '?category=nowhere', '?sort=worst', '?q=...'])
      expect(await feedOf(query), `${query}, of which the list shows everything`).to.deep.equal([]);
  });

  it('has no feed of a narrower list: a feed is never wider than its address says', async () => {
    await shop.offer();
    for (const query of ['q=slack', 'price_max=5', 'price_min=1', 'free=1', 'sort=price', 'developer=ada&q=slack'])
      expect((await shop.get(`/catalogue/feed.atom?${query}`)).status, query).to.equal(404);
    for (const query of ['q=', 'free=0', 'page=1', 'utm_source=x'])
      expect((await shop.get(`/catalogue/feed.atom?${query}`)).status, query).to.equal(200);
  });

  it('names each feed by what it has, not by the page that links to it', async () => {
    const id = await shop.offer();
    const titleOf = async (path: string) =>
      /<link rel="alternate" type="application\/atom\+xml" title="([^"]*)"/.exec((await shop.get(path)).body)?.[1];
    const feedTitleOf = async (query: string) =>
      texts((await shop.get(`/catalogue/feed.atom${query}`)).body, 'title')[0];
    for (const [page, query] of [
      ['/catalogue', ''],
      ['/catalogue?category=communication-and-messaging', '?category=communication-and-messaging'],
      ['/catalogue/developers/ada', '?developer=ada'],
      [`/catalogue/${id}`, '?developer=ada'],
    ] as const)
      expect(await titleOf(page), page).to.equal(await feedTitleOf(query));
    expect(await titleOf(`/catalogue/${id}`)).to.equal('New automations · @ada');
  });

  it('sends what the client has not got yet, and 304 for what it has', async () => {
    const id = await shop.offer();
    for (const path of ['/catalogue', `/catalogue/${id}`, '/catalogue/developers/ada', '/catalogue/feed.atom']) {
      const etag = (await shop.get(path)).headers.get('etag') ?? '';
      const again = await shop.get(path, { 'If-None-Match': etag });
      expect([again.status, again.body, again.headers.get('etag')], path).to.deep.equal([304, '', etag]);
    }
    const { headers } = await shop.get('/catalogue');
    await shop.offer();
    expect((await shop.get('/catalogue', { 'If-None-Match': headers.get('etag') ?? '' })).status).to.equal(200);
  });

  it('has a sitemap of the lists and of all that is on sale', async () => {
    const ids = [await shop.offer(), await shop.offer({ categoryId: 'uncategorized' })];
    const { body, headers } = await shop.get('/sitemap.xml');
    expect(headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    const lists = ['', '?category=communication-and-messaging', '?category=uncategorized'];
    const paths = [...lists, ...ids.toReversed().map((id) => `/${id}`)];
    expect(texts(body, 'loc')).to.deep.equal(paths.map((path) => `${shop.url}/catalogue${path}`));
    expect(texts(body, 'lastmod')).to.have.length(2);
    const part = await shop.get('/sitemap-1.xml');
    expect(texts(part.body, 'loc')).to.have.length(2);
  });

  it('tells robots where it is, and that filters show nothing new', async () => {
    const { body } = await shop.get('/robots.txt');
    expect(body).to.include(`Sitemap: ${shop.url}/sitemap.xml\n`).and.include('Disallow: /catalogue?\n');
  });

  it('describes an automation by schema.org', async () => {
    const id = await shop.offer();
    const { body } = await shop.get(`/catalogue/${id}`);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
    const { '@graph': graph } = JSON.parse(json) as { readonly '@graph': readonly Readonly<Record<string, unknown>>[] };
    expect(graph.map((one) => one['@type'])).to.deep.equal(['Product', 'BreadcrumbList']);
    expect(graph[0]?.['offers']).to.include({ price: '9.90', priceCurrency: 'USD' });
  });
});

describe('The catalogue at another public address', () => {
  it('has every address there', async () => {
    const shop = await startShop({ PUBLIC_URL: 'https://market.example/shop' });
    const id = await shop.offer();
    const paths = [
      '/catalogue',
      `/catalogue/${id}`,
      '/catalogue/developers/ada',
      '/catalogue/feed.atom',
      '/sitemap.xml',
    ];
    for (const path of paths) {
      const { body } = await shop.get(path, { Host: 'evil.example' });
      expect(body, path).to.include('https://market.example/shop/catalogue').and.not.include('evil.example');
      expect(body, path).not.to.match(/(?:href|src|action)="\/(?!shop\/)/);
    }
    const robots = (await shop.get('/robots.txt')).body;
    expect(robots).to.include('Sitemap: https://market.example/shop/sitemap.xml').and.include('Disallow: /shop/panel/');
    await shop.close();
  });
});
