import { expect } from 'chai';
import { CORE } from '../../../composition/tokens.js';
import { Visitor } from '../../support/panel-visitor.js';
import { OFFER, startShop, type Shop } from './stage.js';
import { OPERATOR } from '../../../domain/access.js';

const FEED = '/catalogue/feed.atom';
const PAGES = ['/catalogue', '/catalogue?q=inbox', '/catalogue/developers/ada'];
const PATHS = [...PAGES, FEED];

describe('The visibility of the catalogue', () => {
  let shop: Shop;
  afterEach(() => shop.close());

  it('is for members by default: others are led to the sign-in, and back', async () => {
    shop = await startShop({ CATALOGUE: '' });
    const id = await shop.offer();
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    for (const path of [...PAGES, `/catalogue/${id}`, '/catalogue/nothing']) {
      const refused = await shop.get(path);
      expect([refused.status, refused.body], path).to.deep.equal([303, 'See Other']);
      expect(refused.headers.get('location')).to.equal(
        `/panel/sign-in?next=${encodeURIComponent(path).replaceAll('%20', '+')}`,
      );
      expect(refused.headers.get('cache-control')).to.equal('no-store');
      const shown = await ada.open(path);
      expect(shown.status, path).to.equal(path.endsWith('nothing') ? 404 : 200);
      if (shown.status === 200) expect(shown.headers.get('cache-control')).to.equal('private, no-cache');
      expect(shown.headers.get('vary')).to.include('Cookie');
    }
    expect((await ada.open('/catalogue')).body)
      .to.include(OFFER.title)
      .and.include('noindex')
      .and.include('Sign out');
    const stranger = new Visitor(shop.url);
    const form = await stranger.open(`/panel/sign-in?next=/catalogue/${id}`);
    expect(form.body).to.include(`name="next" value="/catalogue/${id}"`);
    const fields = { name: 'ada', password: 'violin-crater-7-moss', next: `/catalogue/${id}` };
    const signedIn = await stranger.submit('/panel/sign-in', fields, { withToken: false });
    expect(signedIn.headers.get('location')).to.equal(`/catalogue/${id}`);
  });

  it('tells a feed reader that the feeds are for members, and offers them to nobody', async () => {
    shop = await startShop({ CATALOGUE: 'members' });
    const id = await shop.offer();
    for (const path of [FEED, `${FEED}?developer=ada`, `${FEED}?category=nowhere`]) {
      const refused = await shop.get(path, { Accept: 'application/atom+xml, */*;q=0.5' });
      expect([refused.status, refused.headers.get('location')], path).to.deep.equal([401, null]);
      expect(refused.headers.get('www-authenticate'), path).to.match(/^Cookie realm="/);
      expect(refused.body, path).to.include('only for people who are signed in').and.not.include('API key');
    }
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    expect((await ada.open(FEED)).status).to.equal(200);
    for (const path of [...PAGES, `/catalogue/${id}`])
      expect((await ada.open(path)).body, path).not.to.include('feed.atom');
  });

  it('gives robots nothing where it is not public', async () => {
    shop = await startShop({ CATALOGUE: 'members' });
    expect((await shop.get('/robots.txt')).body)
      .to.include('Disallow: /catalogue\n')
      .and.not.include('Sitemap');
    for (const path of ['/sitemap.xml', '/sitemap-0.xml']) expect((await shop.get(path)).status, path).to.equal(404);
  });

  it('is where / leads, and what /docs and /problems link to, for members and for the public', async () => {
    for (const CATALOGUE of ['members', 'public'] as const) {
      shop = await startShop({ CATALOGUE });
      expect((await shop.get('/')).headers.get('location'), CATALOGUE).to.equal('/catalogue');
      for (const path of ['/docs', '/problems', '/problems/not-found'])
        expect((await shop.get(path)).body, path).to.include('href="/catalogue"');
      await shop.close();
    }
    shop = await startShop({ CATALOGUE: 'members' });
    expect((await shop.get('/catalogue')).headers.get('location')).to.match(/^\/panel\/sign-in\?next=/);
  });

  it('leaves / to /docs, which has no link to it, where it is off', async () => {
    shop = await startShop({ CATALOGUE: 'off' });
    expect((await shop.get('/')).headers.get('location')).to.equal('/docs');
    expect((await shop.get('/docs')).body).not.to.include('/catalogue"');
  });

  it('marks one entry of the header as the current one, in the catalogue and in the panel', async () => {
    shop = await startShop({ CATALOGUE: 'members' });
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    const currentIn = ({ body }: { readonly body: string }) =>
      Array.from(
        /<nav class="main"[^]*?<\/nav>/.exec(body)?.[0].matchAll(/href="([^"]*)" aria-current/g) ?? [],
        ([, href]) => href,
      );
    expect(currentIn(await ada.open('/catalogue'))).to.deep.equal(['/catalogue']);
    expect(currentIn(await ada.open('/panel/keys'))).to.deep.equal(['/panel']);
  });

  it('leads back from the sign-in to no other site', async () => {
    shop = await startShop({ CATALOGUE: 'members' });
    await new Visitor(shop.url).accept(await shop.invite('ada'), 'ada');
    const elsewhere = [
      'https://evil.example',
      '//evil.example',
      '/catalogue\\evil',
      '/cataloguex',
      '/catalogue/\r\nX: y',
    ];
    for (const next of elsewhere) {
      const fields = { name: 'ada', password: 'violin-crater-7-moss', next };
      const { headers } = await new Visitor(shop.url).submit('/panel/sign-in', fields, { withToken: false });
      expect(headers.get('location'), next).to.equal('/panel');
      expect((await shop.get(`/panel/sign-in?next=${encodeURIComponent(next)}`)).body).not.to.include('name="next"');
    }
  });

  it('leads a buyer to the keys where it is off', async () => {
    shop = await startShop({ CATALOGUE: 'off' });
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    await shop.container.get(CORE).accounts.setRole(OPERATOR, 'ada', 'buyer');
    expect((await ada.open('/panel')).headers.get('location')).to.equal('/panel/keys');
  });

  it('may be off: then there is none, for members neither', async () => {
    shop = await startShop({ CATALOGUE: 'off' });
    const id = await shop.offer();
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    for (const path of [...PATHS, `/catalogue/${id}`, '/sitemap.xml'])
      for (const answer of [await shop.get(path), await ada.open(path)]) expect(answer.status, path).to.equal(404);
  });

  it("leads to it from the start where it is public; members' pages stay out of shared caches", async () => {
    shop = await startShop();
    await shop.offer();
    expect((await shop.get('/')).headers.get('location')).to.equal('/catalogue');
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    for (const path of PATHS) {
      expect((await shop.get(path)).headers.get('cache-control'), path).to.equal('public, no-cache');
      const shown = await ada.open(path);
      expect(shown.headers.get('cache-control'), path).to.equal('private, no-cache');
      const revalidated = await shop.get(path, { 'If-None-Match': shown.headers.get('etag') ?? '' });
      expect(revalidated.status, path).to.equal(path.includes('feed') ? 304 : 200);
      expect(revalidated.body).not.to.include('Sign out');
    }
  });

  it('limits the pages of each address, but not those of members there', async () => {
    shop = await startShop({ RATE_LIMIT_PAGES: '3', TRUSTED_PROXY_HOPS: '1' });
    await shop.offer();
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    for (const path of PAGES) expect((await shop.get(path, from('192.0.2.1'))).status).to.equal(200);
    const refused = await shop.get('/catalogue', from('192.0.2.1'));
    expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([429, 'text/html; charset=utf-8']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.body).to.include('Too many requests');
    expect((await shop.get('/sitemap.xml', from('192.0.2.1'))).status).to.equal(429);
    expect((await shop.get('/catalogue', from('192.0.2.2'))).status).to.equal(200);
    const ada = new Visitor(shop.url);
    await ada.accept(await shop.invite('ada'), 'ada');
    expect((await ada.open('/catalogue', from('192.0.2.1'))).status).to.equal(200);
  });
});
