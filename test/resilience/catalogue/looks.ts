import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { axeFindings } from '../../support/axe.js';
import type { TestBrowser } from '../../support/browser.js';
import { hiddenControls } from '../../support/hidden-controls.js';
import { startShop, type Shop } from '../../integration/catalogue/stage.js';
import { signedIn } from '../../support/signed-in.js';

/** As long as they may be, without a blank; and Markdown that is wide. */
const LONGEST = [
  {
    title: 'W'.repeat(100),
    description: 'W'.repeat(500),
    price: 99999999.99,
    url: `https://${'w'.repeat(492)}`,
    license: 'W'.repeat(100),
  },
  { title: 'ש'.repeat(100), description: `${'ש'.repeat(250)} [${'ש'.repeat(40)}](https://elsewhere.example/)` },
  { title: 'أتمتة الفواتير', description: '- أرسل **الفواتير**\n- https://elsewhere.example/', price: 0 },
  { title: 'Wide', description: `# ${'W'.repeat(80)}\n\n\`${'w'.repeat(80)}\`\n\n    ${'code '.repeat(40)}` },
];

/** Every kind of page, in each look and at every width. */
export function catalogueLooks(browser: TestBrowser): void {
  for (const [scripts, blocked] of [
    ['with scripts', []],
    ['without scripts', ['**/*.js']],
  ] as const)
    it(`has nothing that axe would find, and every control within reach at every width, ${scripts}`, async function () {
      this.timeout(240_000);
      const shop = await startShop();
      const pages = await stock(shop);
      const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
      // Where a browser runs no script at all, axe cannot run either.
      for (const files of blocked) await page.route(files, (route) => route.abort());
      const findings: string[] = [];
      for (const [name, path, status] of pages) {
        findings.push(...(await open(page, shop.url + path, status)));
        findings.push(...(await axeFindings(page, name)), ...(await hiddenControls(page, name)));
      }
      await shop.close();
      expect(findings).to.deep.equal([]);
    });
}

async function open(page: Page, address: string, expected: number): Promise<readonly string[]> {
  const status = (await page.goto(address))?.status();
  return status === expected ? [] : [`${address}: ${status}`];
}

type Row = readonly [name: string, path: string, status: number];

/** Fills the shop, and returns its pages. */
async function stock(shop: Shop): Promise<readonly Row[]> {
  const developer = 'w'.repeat(64);
  const owner = { developerId: parseDeveloperId(developer), scopes: SCOPES };
  await shop.invite(developer);
  const profile = { publicName: 'W'.repeat(60), website: `https://elsewhere.example/${'w'.repeat(150)}` };
  await shop.container.get(CORE).profiles.change(signedIn(owner), profile);
  for (let n = 1; n <= 60; n += 1) await shop.offer({ title: `Invoice robot ${n}`, price: n / 2 }, developer);
  const ids: string[] = [];
  for (const draft of LONGEST) ids.push(await shop.offer(draft, developer));
  const withdrawn = await shop.offer({}, developer);
  await shop.container.get(MARKETPLACE).withdrawAutomation(signedIn(owner), withdrawn);
  const mistake = 'price_min=9&price_max=1&category=nowhere';
  const pages: readonly Row[] = [
    ['list', '/catalogue', 200],
    ['list with filters', '/catalogue?q=invoice&category=communication-and-messaging&price_min=2&page=2', 200],
    ['empty result', `/catalogue?q=${'W'.repeat(90)}+${encodeURIComponent('ש'.repeat(90))}&free=1`, 200],
    ['mistake', `/catalogue?${mistake}`, 200],
    ['past the end', '/catalogue?page=900', 200],
    ['developer', `/catalogue/developers/${developer}`, 200],
    ['404', `/catalogue/${'0'.repeat(24)}`, 404],
    ['410', `/catalogue/${withdrawn}`, 410],
  ];
  return [...pages, ...ids.map((id, n): Row => [`detail ${n}`, `/catalogue/${id}`, 200])];
}
