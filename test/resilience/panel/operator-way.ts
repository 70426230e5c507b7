import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { signedIn } from '../../support/signed-in.js';

const MAIL = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'project-management' };

/** From an invitation to the history of all that was done, as an operator does it, without a shell. */
export function operatorWay(browser: TestBrowser, javaScriptEnabled: boolean): void {
  let service: PanelService;
  beforeEach(async () => {
    service = await startPanel();
  });
  afterEach(() => service.close());

  it(`leads through the daily work, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const page = await (await browser.profile({ javaScriptEnabled })).newPage();
    await service.container.get(CORE).accounts.invite(OPERATOR, 'olga', { role: 'operator' });
    await accept(page, await service.invite('olga'), 'olga');
    const ada = await (await browser.profile({ javaScriptEnabled })).newPage();
    await accept(ada, await invite(page), 'ada');
    await giveRole(page);
    const caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    await service.container.get(MARKETPLACE).createAutomation(caller, MAIL);
    const { text } = await service.container
      .get(CORE)
      .keys.issue(signedIn(caller), { developer: 'ada', name: 'Laptop' });
    expect(await statusOf(text)).to.equal(200);
    await suspend(page);
    expect(await statusOf(text)).to.equal(401);
    await restore(page);
    expect(await statusOf(text)).to.equal(200);
    await revokeKey(page);
    expect(await statusOf(text)).to.equal(401);
    await keepCategories(page);
    await revise(page);
    await withdraw(page);
    await readHistory(page);
    await ada.goto(`${service.url}/panel/sign-in`);
    await signIn(ada);
    await ada.goto(`${service.url}/panel/automations?status=withdrawn`);
    await ada.getByText('Withdrawn by the operator: It promises too much.').waitFor();
  });

  async function accept(page: Page, link: string, name: string): Promise<void> {
    await page.goto(link);
    await page.getByLabel('Name').fill(`${name}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Account' }).waitFor();
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Account' }).waitFor();
  }

  async function invite(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Role').selectOption('buyer');
    await page.getByRole('button', { name: 'Invite' }).click();
    return (await page.locator('#new-link').textContent()) ?? '';
  }

  /** Finds the developer by a part of the sign-in name. */
  async function openAda(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByLabel('Search').fill('ADA@');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await page.getByRole('heading', { name: 'ada' }).waitFor();
  }

  async function giveRole(page: Page): Promise<void> {
    await openAda(page);
    await page.getByLabel('Role').selectOption('developer');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('The role is changed.').waitFor();
  }

  async function suspend(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('heading', { name: 'Suspend ada?' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The account is suspended.').waitFor();
  }

  async function restore(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The account is restored.').waitFor();
  }

  async function revokeKey(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
  }

  async function keepCategories(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Categories' }).click();
    await page.getByRole('heading', { name: 'Categories' }).waitFor();
    await page.getByLabel('Name').fill('Home automation');
    await page.getByLabel('Id').fill('uncategorized');
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.locator('#id[aria-invalid="true"]').waitFor();
    await page.getByLabel('Id').fill('home');
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByText('The category is added.').waitFor();
    await page.getByRole('row', { name: 'Home automation' }).getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('At home');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The category has its new name.').waitFor();
  }

  async function revise(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'All automations' }).click();
    await page.getByLabel('Search').fill('inb');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Revise' }).click();
    await page.getByRole('heading', { name: 'Revise automation' }).waitFor();
    await page.getByLabel('Category').selectOption({ label: 'At home (0)' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your changes are saved.').waitFor();
  }

  async function withdraw(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByLabel('Reason').fill('It promises too much.');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The automation is withdrawn.').waitFor();
    await page.getByRole('link', { name: 'Withdrawn' }).click();
    await page.getByText('Withdrawn by an operator: It promises too much.').waitFor();
  }

  async function readHistory(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Marketplace history' }).click();
    await page.getByRole('heading', { name: 'Marketplace history' }).waitFor();
    const done = await page.locator('.events li > p:first-child').allTextContents();
    expect(done.map((one) => one.trim())).to.deep.equal([
      'Withdrew Sort my inbox',
      'Revised Sort my inbox',
      'Renamed the category "At home"',
      'Added the category "At home"',
      'Revoked the key "Laptop"',
      'Lifted the suspension ada',
      'Suspended the account ada',
      'Created the key "Laptop"',
      'Published Sort my inbox',
      'Changed the role ada',
      'Signed in',
      'Chose name and password',
      'Invited ada',
      'Signed in',
      'Chose name and password',
      'Invited olga',
      'Invited olga',
    ]);
    const own = page.locator('.events li').filter({ hasText: 'Withdrew' }).locator('.subject');
    expect(await own.textContent()).to.match(/^olga · .*· Developer: ada · Reason: It promises too much\.$/s);
  }

  async function statusOf(key: string): Promise<number> {
    return (await fetch(`${service.url}/api/categories`, { headers: { Authorization: `Bearer ${key}` } })).status;
  }
}
