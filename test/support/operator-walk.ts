import type { Page } from 'playwright-core';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../application/index.js';
import { CORE, MARKETPLACE } from '../../composition/tokens.js';
import { PASSWORD, type PanelService } from './panel.js';
import type { Look } from './look.js';
import { INBOX, OFFERS } from './panel-walk.js';
import { issuedKeys } from './lists.js';

/** Goes through every page for operators, in every state that a page can be in. */
export async function operatorWalk(page: Page, service: PanelService, operator: string, look: Look): Promise<void> {
  await arrive(page, service, operator);
  await fill(service);
  await keepDevelopers(page, service, operator, look);
  await keepCategories(page, service, look);
  await keepAutomations(page, service, look);
  await readHistory(page, service, look);
}

async function arrive(page: Page, { invite, container }: PanelService, operator: string): Promise<void> {
  await page.goto(await invite(operator));
  await container.get(CORE).accounts.setRole(OPERATOR, operator, 'operator');
  await page.getByLabel('Name').fill(`${operator}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Lets two developers offer something, and gives one of them keys. */
async function fill({ container }: PanelService): Promise<void> {
  const [accounts, keys] = [container.get(CORE).accounts, container.get(CORE).keys];
  for (const developer of ['grace', 'linus']) {
    await accounts.invite(OPERATOR, developer);
    const caller = { developerId: parseDeveloperId(developer), scopes: SCOPES };
    for (let n = 0; n < 12; n += 1) {
      const offer = OFFERS[n % OFFERS.length] ?? INBOX;
      await container.get(MARKETPLACE).createAutomation(caller, offer);
    }
  }
  if ((await issuedKeys(keys, OPERATOR, 'grace')).length > 0) return;
  await keys.issue(OPERATOR, { developer: 'grace', name: 'Build server', lifetime: 90_000_000 });
  await keys.issue(OPERATOR, { developer: 'grace', name: 'Grace’s laptop' });
  const { key } = await keys.issue(OPERATOR, { developer: 'grace', name: 'Old laptop' });
  await keys.revoke(OPERATOR, key.id);
}

async function keepDevelopers(page: Page, { url }: PanelService, operator: string, look: Look): Promise<void> {
  const list = `${url}/panel/operator/developers`;
  await page.goto(list);
  await look(page, 'operator-developers');
  await page.goto(`${list}?q=nobody`);
  await look(page, 'operator-developers-none');
  await page.goto(list);
  await page.getByLabel('Name').fill('No slug');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'operator-developers-wrong');
  await page.getByLabel('Name').fill('linus');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.locator('#new-link').waitFor();
  await look(page, 'operator-link');
  await page.goto(`${list}/grace`);
  await look(page, 'operator-developer');
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
  await look(page, 'operator-revoke');
  await page.goto(`${list}/grace/suspend`);
  await look(page, 'operator-suspend');
  await page.goto(`${list}/${operator}/suspend`);
  await look(page, 'operator-suspend-own');
  await page.goto(`${list}/${operator}`);
  await page.getByLabel('Role').selectOption('buyer');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('heading', { name: 'Give up' }).waitFor();
  await look(page, 'operator-own-role');
}

async function keepCategories(page: Page, { url }: PanelService, look: Look): Promise<void> {
  const list = `${url}/panel/operator/categories`;
  await page.goto(list);
  await look(page, 'operator-categories');
  await page.getByLabel('Name').fill('uncategorized');
  await page.getByLabel('Id').fill('uncategorized');
  await page.getByRole('button', { name: 'Add category' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'operator-categories-wrong');
  await page.goto(`${list}/uncategorized/rename`);
  await look(page, 'operator-category');
}

async function keepAutomations(page: Page, { url }: PanelService, look: Look): Promise<void> {
  const list = `${url}/panel/operator/automations`;
  await page.goto(`${list}?developer=nobody`);
  await look(page, 'operator-automations-none');
  await page.goto(list);
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await page.getByLabel('Reason').fill('A duplicate of another automation.');
  await look(page, 'operator-withdraw');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('The automation is withdrawn.').waitFor();
  await look(page, 'operator-automations');
  await page.getByRole('button', { name: 'Revise' }).first().click();
  await page.getByRole('heading', { name: 'Revise automation' }).waitFor();
  await look(page, 'operator-revise');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'On sale' }).waitFor();
  await look(page, 'operator-automation');
  await page.goto(`${list}?status=withdrawn`);
  await look(page, 'operator-automations-withdrawn');
  await page.locator('a.name').first().click();
  await page.getByRole('heading', { name: 'Withdrawn' }).waitFor();
  await look(page, 'operator-automation-withdrawn');
}

async function readHistory(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.goto(`${url}/panel/operator/history`);
  await look(page, 'operator-history');
  await page.goto(`${url}/panel/operator/history?kind=keys&developer=linus`);
  await look(page, 'operator-history-none');
}
