import { expect } from 'chai';
import { DomainError, OPERATOR, parseDeveloperId } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import { signedIn } from '../../support/signed-in.js';
import { startShop, titlesOn, type Shop } from './stage.js';

describe('The list of the catalogue', () => {
  let shop: Shop;
  before(async () => {
    shop = await startShop();
    for (let n = 1; n <= 30; n += 1)
      await shop.offer({ title: `Number ${n}`, price: n, ...(n % 3 === 0 && { categoryId: 'uncategorized' }) });
    await shop.offer({ title: 'Gift', price: 0, description: 'For [nothing](https://x.example).' }, 'bob');
  });
  after(() => shop.close());

  it('shows what is on sale, newest first, on numbered pages', async () => {
    const first = await shop.get('/catalogue');
    expect(first.status).to.equal(200);
    expect(titlesOn(first).slice(0, 2)).to.deep.equal(['Gift', 'Number 30']);
    expect(first.body)
      .to.include('1–24 of 31')
      .and.include('>Free</bdi>')
      .and.include('For nothing.')
      .and.match(/<a[^>]* rel="next" href="\/catalogue\?page=2"/)
      .and.include('href="/catalogue/developers/bob"');
    const second = await shop.get('/catalogue?page=2');
    expect(titlesOn(second)).to.have.length(7);
    expect(second.body)
      .to.include('25–31 of 31')
      .and.match(/rel="prev" href="\/catalogue"/);
    expect((await shop.get('/catalogue?page=9')).body)
      .to.include('This page does not exist')
      .and.include('?page=2');
  });

  it('narrows by all that the address says, and counts each category by all other filters', async () => {
    const page = await shop.get('/catalogue?q=number&category=uncategorized&price_min=10&price_max=20&sort=price');
    expect(titlesOn(page)).to.deep.equal(['Number 12', 'Number 15', 'Number 18']);
    expect(page.body)
      .to.include('1–3 of 3')
      .and.match(/value="uncategorized" selected>[^<]*\(3\)/)
      .and.match(/value="communication-and-messaging">[^<]*\(8\)/)
      .and.match(/value="price" selected/);
    expect(titlesOn(await shop.get('/catalogue?free=1&price_min=5'))).to.deep.equal(['Gift']);
    expect(titlesOn(await shop.get('/catalogue?sort=best&q=&price_min=&category='))[0]).to.equal('Gift');
  });

  it('says what is wrong next to its field, and narrows by the rest', async () => {
    const page = await shop.get('/catalogue?q=...&price_min=abc&price_max=2&sort=worst&category=nowhere&page=x');
    expect(page.status).to.equal(200);
    expect(titlesOn(page)).to.deep.equal(['Gift', 'Number 2', 'Number 1']);
    for (const name of ['q', 'price_min', 'sort', 'category']) {
      const field = new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(page.body)?.[0] ?? '';
      expect(field)
        .to.include('aria-invalid="true"')
        .and.match(new RegExp(`aria-describedby="[^"]*${name}-message`));
      expect(page.body).to.match(new RegExp(`id="${name}-message">[^<]+<`));
    }
    expect(page.body)
      .to.match(/name="price_max" value="2"[^>]*(?<!invalid="true")>/)
      .and.include('noindex');
  });

  it('names the fields of the form in what it says of prices', async () => {
    const typed = (await shop.get('/catalogue?price_min=1,000')).body;
    expect(typed).to.include('Lowest price must be an amount such as 9.99 or 9,99');
    const reversed = (await shop.get('/catalogue?price_min=9,50&price_max=9')).body;
    expect(reversed).to.include('Lowest price must not be higher than the highest price.');
    expect(titlesOn(await shop.get('/catalogue?price_min=9,50&price_max=10.00'))).to.deep.equal(['Number 10']);
  });

  it('offers a way out where nothing is found', async () => {
    const { body } = await shop.get('/catalogue?q=gift&category=uncategorized&price_max=5');
    expect(body).to.include('No automations found');
    for (const way of [
      'category=uncategorized&amp;price_max=5',
      'q=gift&amp;price_max=5',
      'q=gift&amp;category=uncategorized',
    ])
      expect(body).to.include(`href="/catalogue?${way}"`);
  });

  it("writes prices as the visitor's language does", async () => {
    const { body, headers } = await shop.get('/catalogue?sort=-price', { 'Accept-Language': 'de-DE,en;q=0.5' });
    expect(body).to.include('30,00\u00A0$');
    expect(headers.get('vary')).to.include('Accept-Language');
  });

  it('shows one with all that is known of it', async () => {
    const id = await shop.offer({ title: 'One', description: '# Head\n\n<b>raw</b> [x](https://x.example)' });
    const { status, body } = await shop.get(`/catalogue/${id}`);
    expect(status).to.equal(200);
    expect(body)
      .to.include('<h2 dir="auto">Head</h2>')
      .and.include('&lt;b&gt;raw&lt;/b&gt; <a rel="nofollow ugc noopener" href="https://x.example">')
      .and.include(`curl -H &quot;Authorization: Bearer KEY&quot; ${shop.url}/api/automations/${id}`)
      .and.include(`<link rel="canonical" href="${shop.url}/catalogue/${id}">`)
      .and.include('<meta property="og:title" content="One">');
    expect(titlesOn({ body })).to.deep.equal(['Number 30', 'Number 29', 'Number 28']);
  });

  it('leads first of all to where it is to be had, with the host named as browsers read it', async () => {
    const url = 'https://аррӏе.example:8443/sorter?a=1&b="><script>';
    const id = await shop.offer({ title: 'Linked', url, license: 'MIT <& more>' });
    const { body } = await shop.get(`/catalogue/${id}`);
    const [link = ''] = /<a class="button primary"[^>]*>.*?<\/a>/s.exec(body) ?? [];
    expect(link)
      .to.include('rel="nofollow ugc noopener"')
      .and.include('href="https://аррӏе.example:8443/sorter?a=1&amp;b=&quot;&gt;&lt;script&gt;"')
      .and.include('Get it at <bdi>xn--80ak6aa92e.example:8443</bdi>');
    expect(body.indexOf(link)).to.be.below(body.indexOf('Sorts <strong>'));
    expect(body).to.include('<dt>Licence</dt><dd dir="auto">MIT &lt;&amp; more&gt;</dd>');
    expect(body).not.to.include('has not said where to get it');
  });

  it("leads to the developer's website without an address, says when there is neither, and no licence", async () => {
    const profiles = shop.container.get(CORE).profiles;
    const eve = signedIn({ developerId: parseDeveloperId('eve') });
    const id = await shop.offer({ title: 'Unlinked' }, 'eve');
    const page = async () => (await shop.get(`/catalogue/${id}`)).body;
    expect(await page())
      .to.include('The developer has not said where to get it.')
      .and.not.match(/button primary|Licence/);
    await profiles.change(eve, { website: 'https://eve.example/' });
    expect(await page()).to.match(/<a class="button primary"[^>]* href="https:\/\/eve\.example\/">Open the website/);
    await shop.marketplace.reviseAutomation(OPERATOR, id, { url: 'https://shop.example/1' });
    expect(await page())
      .to.include('Get it at <bdi>shop.example</bdi>')
      .and.match(/<a class="website"[^>]* href="https:\/\/eve\.example\/">/);
  });

  it('has a page in place of one that was withdrawn, and of what never was', async () => {
    const id = await shop.offer({ title: 'Secret title' });
    await shop.marketplace.withdrawAutomation(OPERATOR, id, 'Secret reason');
    const gone = await shop.get(`/catalogue/${id}`);
    expect(gone.status).to.equal(410);
    expect(gone.body).to.include('This automation was withdrawn').and.not.include('Secret');
    for (const path of [
      '/catalogue/01900000-0000-7000-8000-000000000000',
      '/catalogue/x',
      '/catalogue/%00',
      '/catalogue/%E0%A4%A',
      '/catalogue/developers/nobody',
      '/catalogue/developers/person-0123456789',
      '/catalogue/feed.atom?category=nowhere',
      '/catalogue/feed.atom?developer=..',
      '/catalogue//',
      '/sitemap-9.xml',
      '/sitemap-00.xml',
    ]) {
      const missing = await shop.get(path);
      expect([missing.status, missing.headers.get('content-type')], path).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
    }
  });

  it('sends a browser on from an address with a slash at its end', async () => {
    for (const [path, page] of [
      ['/catalogue/', '/catalogue'],
      ['/catalogue/?q=a%2Fb&page=2', '/catalogue?q=a%2Fb&page=2'],
      ['/catalogue/x/', '/catalogue/x'],
      ['/catalogue/developers/bob/', '/catalogue/developers/bob'],
      ['/catalogue/%2F%2Fevil.example/', '/catalogue/%2F%2Fevil.example'],
    ]) {
      const { status, headers } = await shop.get(path ?? '');
      expect([status, headers.get('location')], path).to.deep.equal([308, page]);
    }
    for (const path of ['//evil.example/', '/\\evil.example/', '//catalogue/'])
      expect((await shop.get(path)).status, path).to.equal(404);
  });

  it('leads from an id in upper case to the one address of an automation, on sale or withdrawn', async () => {
    const id = await shop.offer();
    const lead = async () => {
      const { status, headers } = await shop.get(`/catalogue/${id.toUpperCase()}?from=mail`);
      return [status, headers.get('location')];
    };
    expect(await lead()).to.deep.equal([308, `/catalogue/${id}?from=mail`]);
    await shop.marketplace.withdrawAutomation(OPERATOR, id);
    expect(await lead()).to.deep.equal([308, `/catalogue/${id}?from=mail`]);
  });

  it('shows what one developer sells', async () => {
    const { status, body } = await shop.get('/catalogue/developers/bob');
    expect([status, titlesOn({ body })]).to.deep.equal([200, ['Gift']]);
    expect(body)
      .to.match(/<h1[^>]*>@bob</)
      .and.include('/catalogue/feed.atom?developer=bob');
  });
});

describe('The catalogue without a search by words', () => {
  it('says so, and filters and orders by all else', async () => {
    const shop = await startShop({ SEARCH: 'off' });
    await shop.offer({ title: 'Dear', price: 9 });
    await shop.offer({ title: 'Cheap', price: 1 });
    const plain = await shop.get('/catalogue?sort=price');
    expect(titlesOn(plain)).to.deep.equal(['Cheap', 'Dear']);
    expect(plain.body).not.to.include('name="q"');
    const asked = await shop.get('/catalogue?q=dear&price_min=5');
    expect([asked.status, titlesOn(asked)]).to.deep.equal([200, ['Dear']]);
    expect(asked.body).to.include('no search by words');
    await shop.close();
  });

  it('says so while its index is not complete', async () => {
    const shop = await startShop();
    await shop.offer();
    const { search } = shop.repositories;
    if (search === undefined) throw new Error('there is no search');
    const searching = search.search.bind(search);
    search.search = (query) => {
      if (query.terms !== undefined)
        throw new DomainError('unavailable', 'search-incomplete', 'the search index is being built');
      return searching(query);
    };
    const page = await shop.get('/catalogue?q=inbox');
    expect([page.status, page.headers.get('retry-after'), page.headers.get('etag')]).to.deep.equal([503, '2', null]);
    expect(page.body).to.include('The search is being prepared').and.include('Sort my inbox');
    expect((await shop.get('/catalogue')).status).to.equal(200);
    await shop.close();
  });
});
