/**
 * Takes pictures of every page, wide and as on a phone, light and dark, and puts the four of each page side by side in
 * the folder `sheets`: `node dist/test/support/page-pictures.js [folder]`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { parseDeveloperId, SCOPES } from '../../application/index.js';
import { CORE, MARKETPLACE } from '../../composition/tokens.js';
import { TestBrowser } from './browser.js';
import type { Look } from './look.js';
import { operatorWalk } from './operator-walk.js';
import { startPanel, type PanelService } from './panel.js';
import { INBOX, walk } from './panel-walk.js';
import { signedIn } from './signed-in.js';

const FOLDER = process.argv[2] ?? 'page-pictures';
const SCHEMES = ['light', 'dark'] as const;
const LOOKS = [1280, 390].flatMap((width) => SCHEMES.map((colorScheme) => ({ width, colorScheme })));
const HEIGHTS = { shown: 900, most: 1_600 };
const SHEET = { viewport: { width: 1_600, height: 700 } };

const DESCRIPTION = `Reads what arrives, and **files it** where you would.

- labels what matters
- answers what it can, after you have looked at it

| Mailbox | Works |
|:--|:-:|
| IMAP | yes |
| Exchange | from 2019 |`;

const WORKFLOW = 'test/integration/file-inspection/samples/mongodb-ai-agent-intelligent-movie-recommend.json';

mkdirSync(join(FOLDER, 'sheets'), { recursive: true });
const browser = new TestBrowser();
await browser.open();
const pictures = new Map<string, string[]>();
for (const look of LOOKS) await takeAll(look);
const sheet = await (await browser.profile(SHEET)).newPage();
for (const [name, urls] of pictures) await compose(name, urls);
await browser.close();

/** Goes through all pages in one look, in a marketplace of its own. */
async function takeAll({ width, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
  const service = await startPanel({ CATALOGUE: 'public', RATE_LIMIT_PAGES: 'off' });
  const newPage = async () =>
    (await browser.profile({ viewport: { width, height: HEIGHTS.shown }, colorScheme })).newPage();
  const look: Look = async (page, name) => {
    await page.setViewportSize({ width, height: Math.max(HEIGHTS.shown, await heightOf(page)) });
    const picture = await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) });
    await page.setViewportSize({ width, height: HEIGHTS.shown });
    pictures.set(name, [...(pictures.get(name) ?? []), `data:image/png;base64,${picture.toString('base64')}`]);
  };
  await walk(await newPage(), service, 'ada', look);
  await operatorWalk(await newPage(), service, 'olga', look);
  await visitCatalogue(await newPage(), service, look);
  await service.close();
  await browser.clear();
}

async function heightOf(page: Page): Promise<number> {
  return Math.min(HEIGHTS.most, await page.evaluate<number>('document.documentElement.scrollHeight'));
}

async function visitCatalogue(page: Page, { url, container }: PanelService, look: Look): Promise<void> {
  const grace = { developerId: parseDeveloperId('grace'), scopes: SCOPES };
  const profile = { publicName: 'Grace’s workshop', website: 'https://grace.example/' };
  await container.get(CORE).profiles.change(signedIn(grace), profile);
  const marketplace = container.get(MARKETPLACE);
  const { id } = await marketplace.createAutomation(grace, { ...INBOX, description: DESCRIPTION });
  const file = { name: 'movies.json', bytes: readFileSync(WORKFLOW) };
  const free = { ...INBOX, title: 'Recommend a movie', description: DESCRIPTION, price: 0, file };
  const withFile = await marketplace.createAutomation(grace, free);
  const gone = await marketplace.createAutomation(grace, INBOX);
  await marketplace.withdrawAutomation(signedIn(grace), gone.id);
  for (const [name, path] of [
    ['catalogue', ''],
    ['catalogue-search', '?q=invoices&price_max=60&sort=price'],
    ['catalogue-none', '?q=nothing+like+this'],
    ['catalogue-wrong', '?price_min=9&price_max=1'],
    ['catalogue-one', `/${id}`],
    ['catalogue-file', `/${withFile.id}`],
    ['catalogue-report', `/${withFile.id}/report`],
    ['catalogue-withdrawn', `/${gone.id}`],
    ['catalogue-developer', '/developers/grace'],
  ] as const) {
    await page.goto(`${url}/catalogue${path}`);
    await look(page, name);
  }
  for (const path of ['docs', 'problems', 'problems/validation-error']) {
    await page.goto(`${url}/${path}`, { waitUntil: 'networkidle' });
    await look(page, path.replace('/', '-'));
  }
}

/** Puts the pictures of one page side by side. */
async function compose(name: string, urls: readonly string[]): Promise<void> {
  const images = urls.map((url, n) => `<img src="${url}" width="${n < 2 ? 560 : 205}">`).join('');
  await sheet.setContent(`<body style="margin:16px;display:flex;gap:12px;align-items:start;background:#888">${images}`);
  const height = Math.min(HEIGHTS.most, await heightOf(sheet));
  const clip = { x: 0, y: 0, width: SHEET.viewport.width, height };
  const path = join(FOLDER, 'sheets', `${name}.jpg`);
  await sheet.screenshot({ path, clip, fullPage: true, type: 'jpeg', quality: 60 });
}
