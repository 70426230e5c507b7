import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';

const run = promisify(execFile);

/** From a welcome link to an automation on sale and away again, as a developer does it. */
export function wholeWay(browser: TestBrowser, javaScriptEnabled: boolean): void {
  let service: PanelService;
  beforeEach(async () => {
    service = await startPanel();
  });
  afterEach(() => service.close());

  it(`leads from link to automation on sale, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const page = await (await browser.profile({ javaScriptEnabled })).newPage();
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const key = await createKey(page);
    await runCurl(page);
    expect(await statusOf('/api/categories', key)).to.equal(200);
    const address = await publish(page);
    expect(await statusOf(new URL(address).pathname, key)).to.equal(200);
    await revise(page);
    await rename(page);
    const successor = await rotate(page);
    expect([await statusOf('/api/categories', key), await statusOf('/api/categories', successor)]).to.deep.equal([
      401, 200,
    ]);
    await withdraw(page);
    expect(await statusOf(new URL(address).pathname, successor)).to.equal(404);
    await revoke(page);
    expect(await statusOf('/api/categories', successor)).to.equal(401);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signInAgain(page);
  });

  if (!javaScriptEnabled) return;

  it('copies a key, and checks a form before it is sent, where a script may run', async () => {
    const context = await browser.profile();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    const page = await context.newPage();
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Password').fill('short');
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Password must have 12 to 128 characters.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    expect(await page.getByText('must have 12 to 128').isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByLabel('Password').getAttribute('type')).to.equal('text');
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await page.getByLabel('Password').getAttribute('type')).to.equal('password');
    await page.getByLabel('Password').fill('x');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(
      await page.evaluate('[document.activeElement.id, document.activeElement.getAttribute("aria-invalid")].join()'),
    ).to.equal('password,true');
    await page.getByLabel('Password').fill(`  ${'x'.repeat(8)}  `);
    expect(await page.getByText('must have 12 to 128').isVisible(), 'blanks count').to.equal(false);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const key = await createKey(page);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.locator('[role=status]#told').textContent()).to.equal('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(key);
    await page.goto(`${service.url}/panel/automations/new`);
    await page.getByLabel('Title').fill('\u202Ex');
    await page.getByLabel('Price').fill('1.999');
    await page.getByLabel('Description').fill('d'.repeat(10_001));
    await page.getByRole('button', { name: 'Publish automation' }).click();
    for (const message of [
      'Title contains a character that is not allowed.',
      'at most 2 decimals',
      'it has 10,001',
      '10,001 / 10,000',
    ])
      await page.getByText(message).waitFor();
    await page.getByLabel('Price').fill('100000000');
    await page.getByText('Price must be from 0 to').waitFor();
  });

  it('sends a form once however often it is clicked, copies an address and shows local times', async () => {
    const page = await (await browser.profile({ timezoneId: 'Asia/Tokyo' })).newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    let sendings = 0;
    page.on('request', (request) => (sendings += request.method() === 'POST' ? 1 : 0));
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.locator('#new-key').waitFor();
    expect(sendings).to.equal(1);
    expect(await publish(page)).to.match(/\/api\/automations\//);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    const time = page.locator('time').first();
    await time.waitFor();
    const inTokyo = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' });
    expect(await time.textContent()).to.include(inTokyo.format(new Date((await time.getAttribute('datetime')) ?? '')));
    expect(errors).to.deep.equal([]);
  });

  async function createKey(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByLabel('Name').fill('Laptop');
    await page.getByLabel('Expires').selectOption({ label: '30 days' });
    await page.getByLabel('automations:read').check();
    await page.getByLabel('automations:write').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    return (await page.locator('#new-key').textContent()) ?? '';
  }

  /** The line as it stands on the page. */
  async function runCurl(page: Page): Promise<void> {
    const { stdout } = await run('bash', [
      '-c',
      `${(await page.locator('#curl').textContent()) ?? ''} --fail --silent`,
    ]);
    expect(JSON.parse(stdout)).to.have.property('total', 16);
  }

  async function publish(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Your automations' }).click();
    await page.getByRole('heading', { name: 'Your automations' }).waitFor();
    await page.getByRole('button', { name: 'Publish automation' }).click();
    await page.getByLabel('Title').fill('Sort my inbox');
    await page.getByLabel('Description').fill('Labels what matters.\nFiles the rest.');
    await page.getByLabel('Price').fill('9.99');
    await page.getByLabel('Category').selectOption({ label: 'Communication & Messaging (0)' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('not published yet').waitFor();
    await page.getByRole('button', { name: 'Publish automation' }).click();
    await page.getByText('Your automation is on sale.').waitFor();
    return (await page.locator('#address').textContent()) ?? '';
  }

  async function revise(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Revise' }).click();
    await page.getByRole('heading', { name: 'Revise automation' }).waitFor();
    await page.getByLabel('Price').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Price').fill('7.50');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your changes are saved.').waitFor();
    await page.getByText('$7.50').waitFor();
  }

  async function rename(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Name is required.').first().waitFor();
    await page.getByLabel('Name').fill('Laptop at home');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The key has its new name.').waitFor();
    await page.getByText('Laptop at home').waitFor();
  }

  async function rotate(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The old key ends').selectOption({ label: 'At once' });
    await page.getByRole('button', { name: 'Rotate' }).click();
    return (await page.locator('#new-key').textContent()) ?? '';
  }

  async function withdraw(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Your automations' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByLabel('Reason').fill('A mistake in the price.');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The automation is withdrawn.').waitFor();
  }

  async function revoke(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
  }

  async function signInAgain(page: Page): Promise<void> {
    await page.getByLabel('Name').fill('Ada@Example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  async function statusOf(path: string, key: string): Promise<number> {
    return (await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })).status;
  }
}
