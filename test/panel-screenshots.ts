/** Takes a picture of every page of the panel, at two widths, light and dark: `node dist/test/panel-screenshots.js [folder]`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { MARKETPLACE } from '../composition/tokens.js';
import { parseDeveloperId, SCOPES } from '../application/index.js';
import { TestBrowser } from './support/browser.js';
import { PASSWORD, startPanel, type PanelService } from './support/panel.js';

const FOLDER = process.argv[2] ?? 'panel-screenshots';
const WIDTHS = [1280, 390];
const SCHEMES = ['light', 'dark'] as const;

const OFFERS = [
  { title: 'Sort my inbox', description: 'Labels what matters, files the rest, and tells you once a day what it did.\n\nWorks with any IMAP mailbox.', price: 9.99, categoryId: 'communication-and-messaging' },
  { title: 'Invoices from e-mails to the ledger', description: 'Reads attachments, finds amount, date and supplier, and books them. Asks when it is not sure.', price: 49, categoryId: 'financial-and-accounting' },
  { title: 'Weekly report for the whole team, with a summary of every project that moved since last Friday', description: 'Every Monday at eight.', price: 0, categoryId: 'project-management' },
];

const service = await startPanel();
const browser = new TestBrowser();
await browser.open();
mkdirSync(FOLDER, { recursive: true });
for (const scheme of SCHEMES) for (const width of WIDTHS) await takeAll(scheme, width);
await browser.close();
await service.close();

async function takeAll(scheme: 'light' | 'dark', width: number): Promise<void> {
  const context = await browser.profile({ viewport: { width, height: width > 500 ? 800 : 844 }, colorScheme: scheme });
  const take = (page: Page, name: string) => page.screenshot({ path: join(FOLDER, `${name}-${width}-${scheme}.png`), fullPage: true });
  await walk(await context.newPage(), service, `ada-${scheme}-${width}`, take);
  await failures(context, take);
  await context.close();
}

type Take = (page: Page, name: string) => Promise<unknown>;

async function walk(page: Page, { url, invite, container }: PanelService, developer: string, take: Take): Promise<void> {
  await page.goto(await invite(developer));
  await take(page, 'welcome');
  await page.getByLabel('Name').fill(`${developer}@example.com`);
  await page.getByLabel('Password').fill('password1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await take(page, 'welcome-wrong');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await take(page, 'keys-empty');
  await page.getByRole('button', { name: 'Create key' }).click();
  await take(page, 'keys-wrong');
  for (const [name, expires] of [['Build server', '90'], ['Ada’s laptop', '7'], ['Nightly import of the catalogue', 'none']] as const) {
    await page.goto(`${url}/panel/keys`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Expires').selectOption(expires);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
  }
  await take(page, 'new-key');
  const key = (await page.locator('#new-key').textContent()) ?? '';
  await fetch(`${url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } });
  await page.getByRole('link', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Rotate' }).last().click();
  await take(page, 'rotate');
  await page.goBack();
  await page.getByRole('button', { name: 'Revoke' }).last().click();
  await take(page, 'revoke');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key is revoked').waitFor();
  await take(page, 'keys');
  await page.goto(`${url}/panel/automations`);
  await take(page, 'automations-empty');
  await page.getByRole('button', { name: 'Publish automation' }).click();
  await take(page, 'publish');
  await page.getByLabel('Price').fill('9.999');
  await page.getByLabel('Title').fill('Sort my inbox');
  await page.getByRole('button', { name: 'Preview' }).click();
  await take(page, 'publish-wrong');
  await page.getByLabel('Description').fill(OFFERS[0]?.description ?? '');
  await page.getByLabel('Price').fill('9.99');
  await page.getByLabel('Category').selectOption('communication-and-messaging');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('not published yet').waitFor();
  await take(page, 'publish-preview');
  await page.getByRole('button', { name: 'Publish automation' }).click();
  await page.getByText('is on sale').waitFor();
  await take(page, 'automation');
  const caller = { developerId: parseDeveloperId(developer), scopes: SCOPES };
  for (let n = 0; n < 24; n += 1) await container.get(MARKETPLACE).createAutomation(caller, OFFERS[n % 3] ?? (OFFERS[0] as never));
  await page.goto(`${url}/panel/automations`);
  await take(page, 'automations');
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await take(page, 'withdraw');
  await page.goto(`${url}/panel/history`);
  await take(page, 'history');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  await take(page, 'sign-in');
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('is wrong').waitFor();
  await take(page, 'sign-in-wrong');
}

async function failures(context: BrowserContext, take: Take): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${service.url}/panel/nothing`);
  await take(page, 'error');
  await page.goto(`${service.url}/panel/welcome/${'a'.repeat(32)}`);
  await take(page, 'welcome-used');
}
