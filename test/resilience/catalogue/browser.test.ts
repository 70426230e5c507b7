import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { axeFindings } from '../../support/axe.js';
import { describeInBrowser } from '../../support/browser.js';
import { hiddenControls } from '../../support/hidden-controls.js';
import { startShop, type Shop } from '../../integration/catalogue/stage.js';
import { EXPORTED } from '../../integration/file-inspection/workflow.js';
import { startShopWithFiles, type ShopWithFiles } from '../../support/shop-with-files.js';

describeInBrowser('The catalogue in a browser', (browser) => {
  let shop: Shop;
  before(async () => {
    shop = await startShop();
    for (let n = 1; n <= 60; n += 1)
      await shop.offer({
        title: `Invoice robot ${n}`,
        price: n / 2,
        ...(n % 2 === 0 && { categoryId: 'uncategorized' }),
      });
    await shop.offer({ title: '</script><script>document.title = 1</script>', description: '# Über\n\n- eins' });
  });
  after(() => shop.close());

  for (const javaScriptEnabled of [true, false])
    it(`leads a buyer ${javaScriptEnabled ? 'with' : 'without'} scripts to the line that gets it`, async () => {
      const page = await (await browser.profile({ javaScriptEnabled })).newPage();
      const problems: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
      page.on('pageerror', (error) => void problems.push(error.message));
      await page.goto(shop.url);
      await page.getByRole('heading', { name: 'Catalogue', exact: true }).waitFor();
      await page.getByLabel('Search').fill('invoice robot');
      await page.getByLabel('Category').selectOption('uncategorized');
      await page.getByLabel('Lowest price').fill('2');
      await page.getByLabel('Order').selectOption({ label: 'Lowest price first' });
      await page.getByRole('button', { name: 'Show results' }).click();
      await page.getByRole('heading', { name: '1–24 of 29' }).waitFor();
      const address = 'q=invoice+robot&category=uncategorized&price_min=2&sort=price';
      if (javaScriptEnabled) expect(new URL(page.url()).search).to.equal(`?${address}`);
      expect(await page.getByLabel('Order').inputValue()).to.equal('price');
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('heading', { name: '25–29 of 29' }).waitFor();
      expect(page.url()).to.equal(`${shop.url}/catalogue?${address}&page=2`);
      await page.getByRole('link', { name: 'Invoice robot 60' }).click();
      await page.getByRole('heading', { name: 'For programs' }).waitFor();
      const line = await page.locator('#curl').textContent();
      const [, url = ''] = /^curl -H "Authorization: Bearer KEY" (\S+)$/.exec(line ?? '') ?? [];
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${await shop.key()}` } });
      expect(((await answer.json()) as { readonly title: string }).title).to.equal('Invoice robot 60');
      expect(problems).to.deep.equal([]);
    });

  it('has well-formed feeds and sitemaps, complete for Atom, and data that runs no script', async () => {
    const page = await (await browser.profile()).newPage();
    await page.goto(`${shop.url}/catalogue?q=script`);
    await page.getByRole('link', { name: 'document.title' }).click();
    await page.locator('.prose h2', { hasText: 'Über' }).waitFor();
    expect(await page.title()).to.include('</script>');
    const paths = [
      '/catalogue/feed.atom',
      '/catalogue/feed.atom?category=uncategorized',
      '/catalogue/feed.atom?developer=ada',
    ];
    for (const path of [...paths, '/sitemap.xml'])
      expect(await missingIn(page, (await shop.get(path)).body), path).to.deep.equal([]);
    const feed = (await shop.get('/catalogue/feed.atom')).body;
    expect(await missingIn(page, feed.replace('</feed>', ''))).to.deep.equal(['not well-formed']);
    expect(await missingIn(page, feed.replace('<updated>', '<x>').replace('</updated>', '</x>'))).to.deep.equal([
      'updated',
    ]);
  });
});

describeInBrowser('A workflow on a page of the catalogue', (browser) => {
  const N8N = 'https://n8n.example';
  let shop: ShopWithFiles;
  let address: string;
  /** What is stored: with line ends and characters that a copy could change. */
  let stored: string;
  before(async () => {
    shop = await startShopWithFiles({ n8nUrls: [N8N] });
    const json = JSON.stringify({ ...EXPORTED, name: 'Über 漢字 🤖' }, undefined, '\t').replaceAll('\n', '\r\n');
    const id = await shop.offer({ file: { name: 'notify.json', bytes: Buffer.from(json) } });
    address = `${shop.url}/catalogue/${id}`;
    stored = await (await fetch(`${shop.url}/files/${id}`)).text();
    expect(stored).to.include('\r\n').and.include('Über 漢字 🤖');
  });
  after(() => shop.close());

  it('is copied to the clipboard byte for byte, and the button says so', async () => {
    const profile = await browser.profile();
    await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await profile.newPage();
    await page.goto(address);
    await page.getByRole('link', { name: 'Copy to the clipboard' }).click();
    await page.getByRole('link', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(Buffer.from(copied).equals(Buffer.from(stored))).to.equal(true);
    expect(page.url()).to.equal(address);
  });

  for (const [how, options] of [
    ['without scripts', { javaScriptEnabled: false }],
    ['where the browser gives no clipboard', { javaScriptEnabled: true }],
  ] as const)
    it(`${how}, the button leads to the file`, async () => {
      const page = await (await browser.profile({ acceptDownloads: true, ...options })).newPage();
      await page.addInitScript('delete Navigator.prototype.clipboard');
      await page.goto(address);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Copy to the clipboard' }).click(),
      ]);
      const file = await text(await download.createReadStream());
      expect(file).to.equal(stored);
    });

  it('has nothing that axe would find, and every control within reach at every width', async function () {
    this.timeout(240_000);
    const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
    await page.goto(address);
    expect([...(await axeFindings(page, 'workflow')), ...(await hiddenControls(page, 'workflow'))]).to.deep.equal([]);
  });

  it('opens in n8n, which is not told from where', async () => {
    const page = await (await browser.profile()).newPage();
    const asked: (readonly [url: string, referer: string | undefined])[] = [];
    await page.route(`${N8N}/**`, async (route) => {
      asked.push([route.request().url(), (await route.request().allHeaders())['referer']]);
      await route.fulfill({ body: 'n8n' });
    });
    await page.goto(address);
    await page.getByRole('link', { name: 'Open in n8n' }).click();
    await page.waitForURL(`${N8N}/**`);
    expect(asked).to.deep.equal([[address.replace(/^.*\//, `${N8N}/workflows/templates/`), undefined]]);
  });
});

/** Runs in the page: parses XML, and returns what is missing (RFC 4287, sections 4.1.1 and 4.1.2). */
const CHECK_XML = `(text) => {
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror')) return ['not well-formed'];
  if (xml.documentElement.localName === 'urlset') return xml.querySelectorAll('loc').length > 60 ? [] : ['few'];
  const missing = [];
  const require = (of, names) => {
    for (const name of names)
      if (Array.from(of.children).filter(({ localName }) => localName === name).length !== 1) missing.push(name);
    for (const name of ['updated', 'published']) {
      const date = Array.from(of.children).find(({ localName }) => localName === name);
      if (date && !/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$/.test(date.textContent)) missing.push('date');
    }
  };
  if (xml.documentElement.namespaceURI !== 'http://www.w3.org/2005/Atom') missing.push('namespace');
  require(xml.documentElement, ['id', 'title', 'updated']);
  if (!xml.querySelector('feed > link[rel=self]')) missing.push('self');
  const entries = xml.querySelectorAll('entry');
  if (entries.length === 0) missing.push('entry');
  for (const entry of entries) {
    require(entry, ['id', 'title', 'updated', 'published', 'author', 'content', 'summary']);
    if (!entry.querySelector('author > name').textContent) missing.push('name');
  }
  const ids = new Set(Array.from(xml.querySelectorAll('id'), (id) => id.textContent));
  if (ids.size !== entries.length + 1) missing.push('different ids');
  return missing;
}`;

function missingIn(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${CHECK_XML})(${JSON.stringify(text)})`);
}
