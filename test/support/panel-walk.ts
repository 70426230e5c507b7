import type { Page } from 'playwright-core';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../application/index.js';
import { MARKETPLACE } from '../../composition/tokens.js';
import { SECRETS } from '../integration/file-inspection/secrets.js';
import { walkApps } from './apps-walk.js';
import type { Look } from './look.js';
import { PASSWORD, type PanelService } from './panel.js';

export const INBOX = {
  title: 'Sort my inbox',
  description:
    'Labels what matters, files the rest, and tells you once a day what it did.\n\nWorks with any IMAP mailbox.',
  price: 9.99,
  categoryId: 'communication-and-messaging',
  url: 'https://grace.example/inbox',
  license: 'MIT',
};
export const OFFERS = [
  INBOX,
  {
    title: 'Invoices from e-mails to the ledger',
    description: 'Reads attachments, finds amount, date and supplier, and books them. Asks when it is not sure.',
    price: 49,
    categoryId: 'financial-and-accounting',
  },
  {
    title: 'Weekly report for the whole team, with a summary of every project that moved since last Friday',
    description: 'Every Monday at eight.',
    price: 0,
    categoryId: 'project-management',
  },
];

/** Goes through every page of the panel as a new developer, in every state that a page can be in. */
export async function walk(page: Page, service: PanelService, developer: string, look: Look): Promise<void> {
  await arrive(page, service, developer, look);
  await useKeys(page, service, look);
  await walkApps(page, service, developer, look);
  await publish(page, service, look);
  await revise(page, service, look);
  await withdraw(page, service, developer, look);
  await leave(page, service, look);
}

async function arrive(page: Page, { url, invite }: PanelService, developer: string, look: Look): Promise<void> {
  await page.goto(await invite(developer));
  await look(page, 'welcome');
  await page.getByLabel('Name').fill(`${developer}@example.com`);
  await page.getByLabel('Password').fill('password1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'welcome-wrong');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${url}/panel`);
  await look(page, 'overview-new');
  await page.goto(`${url}/panel/keys`);
  await look(page, 'keys-empty');
}

async function useKeys(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Name is required').waitFor();
  await look(page, 'keys-wrong');
  const keys = [
    ['Build server', '90'],
    ['Ada’s laptop', '7'],
    ['Old laptop', '365'],
    ['Nightly import of the catalogue', 'none'],
  ] as const;
  for (const [name, expires] of keys) {
    await page.goto(`${url}/panel/keys`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Expires').selectOption(expires);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
  }
  await look(page, 'new-key');
  const key = (await page.locator('#new-key').textContent()) ?? '';
  await fetch(`${url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } });
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Rename' }).first().click();
  await page.getByLabel('Name').waitFor();
  await look(page, 'rename');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Rotate' }).first().click();
  await page.getByRole('heading', { name: 'Rotate' }).waitFor();
  await look(page, 'rotate');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Revoke' }).nth(1).click();
  await page.getByRole('heading', { name: 'Revoke' }).waitFor();
  await look(page, 'revoke');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key is revoked').waitFor();
  await look(page, 'keys');
}

async function publish(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.goto(`${url}/panel/automations`);
  await look(page, 'automations-empty');
  await page.getByRole('button', { name: 'Publish automation' }).click();
  await page.getByLabel('Title').waitFor();
  await look(page, 'publish');
  await page.getByLabel('Title').fill(INBOX.title);
  await page.getByLabel('Price').fill('9.999');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('at most 2 decimals').waitFor();
  await look(page, 'publish-wrong');
  await page.getByLabel('Description').fill(INBOX.description);
  await page.getByLabel('Price').fill(String(INBOX.price));
  await page.getByLabel('Category').selectOption(INBOX.categoryId);
  await page.getByLabel('Link').fill(INBOX.url);
  await page.getByLabel('Licence').fill(INBOX.license);
  await page.getByLabel('Price').fill('0');
  const buffer = Buffer.from(`The key is ${SECRETS[1]?.secret ?? ''}.`);
  await page.getByLabel('File').setInputFiles({ name: 'inbox.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Publish automation' }).click();
  await page.getByText('must contain no secret').first().waitFor();
  await look(page, 'publish-file-wrong');
  await page.getByLabel('Price').fill(String(INBOX.price));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('not published yet').waitFor();
  await look(page, 'publish-preview');
  await page.getByRole('button', { name: 'Publish automation' }).click();
  await page.getByText('is on sale').waitFor();
  await look(page, 'automation');
}

/** Meets the revision of the operator, who was faster. */
async function revise(page: Page, { container }: PanelService, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'Revise' }).click();
  await page.getByRole('heading', { name: 'Revise automation' }).waitFor();
  await look(page, 'revise');
  const id = /automations\/([^/]+)\/revise/.exec(page.url())?.[1] ?? '';
  await container.get(MARKETPLACE).reviseAutomation(OPERATOR, id, { description: 'Another text.', price: 7 });
  await page.getByLabel('Price').fill('12.50');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'Both versions' }).waitFor();
  await look(page, 'revise-conflict');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes are saved.').waitFor();
}

async function withdraw(page: Page, { url, container }: PanelService, developer: string, look: Look): Promise<void> {
  const caller = { developerId: parseDeveloperId(developer), scopes: SCOPES };
  for (let n = 0; n < 24; n += 1)
    await container.get(MARKETPLACE).createAutomation(caller, OFFERS[n % OFFERS.length] ?? INBOX);
  await page.goto(`${url}/panel/automations`);
  await page.getByRole('link', { name: 'Older' }).waitFor();
  await look(page, 'automations');
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await page.getByLabel('Reason').waitFor();
  await look(page, 'withdraw');
  await page.goto(`${url}/panel/automations?status=withdrawn`);
  await look(page, 'automations-withdrawn');
  await page.goto(`${url}/panel/history`);
  await look(page, 'history');
  await page.goto(`${url}/panel`);
  await look(page, 'overview');
  await page.goto(`${url}/panel/account`);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await look(page, 'account');
}

async function leave(page: Page, { url }: PanelService, look: Look): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await look(page, 'menu');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You are signed out').waitFor();
  await look(page, 'sign-in');
  await page.getByLabel('Name').fill('nobody');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('is wrong').waitFor();
  await look(page, 'sign-in-wrong');
  await page.goto(`${url}/panel/nothing`);
  await look(page, 'error');
  await page.goto(`${url}/panel/welcome/${'a'.repeat(32)}`);
  await look(page, 'welcome-used');
}
