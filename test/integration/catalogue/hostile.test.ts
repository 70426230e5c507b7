import { expect } from 'chai';
import { Identities } from '../../../application/accounts.js';
import { automation } from '../../contracts/offers.js';
import { send } from '../../support/socket.js';
import { startShop, titlesOn, type Shop } from './stage.js';

const HTML = `"><img src=x onerror=alert(1)><script>alert(2)</script>'&amp;<%= 7193*7 %></title></script>`;

describe('Against the catalogue', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await startShop();
  });
  afterEach(() => shop.close());

  it('texts of developers stay texts, on every page', async () => {
    const id = await shop.offer({
      title: HTML,
      description: `${HTML}\n\n[x](javascript:alert(1)) ![y](https://x.example/z.png)`,
    });
    const query = new URLSearchParams({
      q: HTML.slice(0, 100),
      category: HTML,
      price_min: HTML,
      sort: HTML,
    }).toString();
    for (const path of [
      `/catalogue`,
      `/catalogue/${id}`,
      '/catalogue/developers/ada',
      `/catalogue?${query}`,
      '/catalogue/feed.atom',
    ]) {
      const { status, body } = await shop.get(path);
      expect(status, path).to.equal(200);
      expect(body, path).not.to.match(/<img(?! src="\/catalogue\/a)|<script>|<svg on|href="javascript/);
      expect(body, path).not.to.include(String(7193 * 7));
      expect(body, path).to.not.match(/<\/title><\/script>/);
    }
  });

  it('an address of any kind is no error of ours', async () => {
    await shop.offer();
    const queries = [
      `q=${'a'.repeat(7_000)}`,
      `q=${'%F0%9F%98%80'.repeat(300)}`,
      'q=%00%01%1F',
      'q=%FF%FE&category=%E0%A4%A',
      'page=999999999',
      'page=1000000000',
      'page=-1&limit=1000000',
      `price_min=${'9'.repeat(400)}`,
      'price_min=1e308&price_max=NaN',
      'price_min=5&price_max=1',
      '&&&===&q',
      'q=a&q=b&q[]=c&__proto__=d&constructor=e',
      'q=x&'.repeat(1_500),
      'q=a%0d%0aSet-Cookie:x=y',
      'category=__proto__&sort=constructor',
      'developer=__proto__',
    ];
    for (const query of queries)
      for (const path of ['/catalogue', '/catalogue/developers/ada']) {
        const { status, headers } = await shop.get(`${path}?${query}`);
        expect(status, `${path} ${query.slice(0, 40)}`).to.equal(200);
        expect(headers.getSetCookie()).to.deep.equal([]);
      }
    expect(shop.errors).to.deep.equal([]);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await send(shop.url, { method, path: '/catalogue' })).status, method).to.equal(405);
  });

  it('a host that nobody named gets into no address that a shell or a browser could misread', async () => {
    const id = await shop.offer();
    for (const Host of [`x"><b>`, 'x;rm', 'x$(id)', "x'", 'x&y']) {
      const { body } = await shop.get(`/catalogue/${id}`, { Host });
      expect(body, Host).not.to.include(Host);
    }
  });

  it('a person who came with an access token is named by no part of their subject', async () => {
    const subject = 'eve.secret@example.com';
    const identities = new Identities(shop.repositories.developers);
    const developerId = await identities.accountOf({ issuer: 'https://id.example', subject });
    const one = automation(1, { developerId, categoryId: 'uncategorized' as never });
    await shop.repositories.automations.add([{ automation: one }]);
    const paths = [
      '/catalogue',
      `/catalogue/${one.id}`,
      `/catalogue/developers/${developerId}`,
      `/catalogue/feed.atom?developer=${developerId}`,
    ];
    for (const path of paths) {
      const { status, body } = await shop.get(path);
      expect(status, path).to.equal(200);
      expect(body, path)
        .to.include(developerId)
        .and.not.match(/eve\.|secret|id\.example/);
    }
    expect(titlesOn(await shop.get(`/catalogue/developers/${developerId}`))).to.deep.equal(['Automation 1']);
    for (const other of [subject, encodeURIComponent(subject)])
      expect((await shop.get(`/catalogue/developers/${other}`)).status).to.equal(404);
  });
});
