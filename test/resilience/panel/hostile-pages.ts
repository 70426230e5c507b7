import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { listening } from '../../support/socket.js';
import { newCertificate } from '../../support/certificate.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const HTML = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

/** What a browser has to refuse, or must not be made to do. */
export function hostilePages(browser: TestBrowser): void {
  let service: PanelService;
  let context: BrowserContext;
  let page: Page;
  beforeEach(async () => {
    service = await startPanel();
    context = await browser.profile();
    page = await context.newPage();
  });
  afterEach(() => service.close());

  it('runs nothing that was typed into a field, and has nothing to report', async () => {
    const reports = reportsOf(page);
    await arrive(HTML);
    await service.container.get(CORE).keys.issue(signedIn(ADA), { developer: 'ada', name: HTML });
    const offer = { title: HTML, description: HTML, price: 1, categoryId: 'uncategorized' };
    const { id } = await service.container.get(MARKETPLACE).createAutomation(ADA, offer);
    for (const path of [
      'keys',
      'automations',
      `automations/${id}`,
      `automations/${id}/revise`,
      `automations/${id}/withdraw`,
      'history',
      encodeURIComponent(HTML),
    ]) {
      await page.goto(`${service.url}/panel/${path}`);
      expect(await page.title(), path)
        .to.match(/ · Automation Marketplace$/)
        .and.not.equal('owned');
      expect(await page.locator('img[src="x"], main script').count(), path).to.equal(0);
    }
    await page.goto(`${service.url}/panel/automations/new`);
    for (const field of ['Title', 'Description', 'Price']) await page.getByLabel(field).fill(HTML);
    await page.evaluate('document.querySelector("[data-form]").submit()');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal(HTML);
    expect(reports).to.deep.equal([]);
    const reported = page.waitForEvent('console', { timeout: 10_000 });
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="1">')`);
    await page.locator('img[onerror]').waitFor({ state: 'attached' });
    await reported;
    expect(reports).not.to.be.empty;
  });

  it('runs nothing on the pages for operators, either', async () => {
    const reports = reportsOf(page);
    await arrive(HTML);
    const { container } = service;
    await container.get(CORE).accounts.setRole(OPERATOR, 'ada', 'operator');
    await container.get(CORE).categories.add(OPERATOR, { id: 'html', name: HTML });
    await container.get(CORE).keys.issue(signedIn(ADA), { developer: 'ada', name: HTML });
    const offer = { title: HTML, description: HTML, price: 1, categoryId: 'html' };
    const { id } = await container.get(MARKETPLACE).createAutomation(ADA, offer);
    const gone = await container.get(MARKETPLACE).createAutomation(ADA, offer);
    await container.get(MARKETPLACE).withdrawAutomation(OPERATOR, gone.id, HTML);
    for (const path of [
      ...['developers', 'developers/ada', 'developers/ada/suspend', 'categories', 'categories/html/rename'],
      ...['automations', 'automations?status=withdrawn', `automations/${id}`, `automations/${gone.id}`, 'history'],
    ]) {
      const answer = await page.goto(`${service.url}/panel/operator/${path}`);
      expect([answer?.status(), await page.locator('img[src="x"], main script').count()], path).to.deep.equal([200, 0]);
      expect(await page.title(), path).to.not.equal('owned');
    }
    expect(reports).to.deep.equal([]);
  });

  it('loads a list of keys again that the browser kept, when the session has ended meanwhile', async () => {
    await arrive('ada');
    await service.keys.issue(OPERATOR, { developer: 'ada' });
    await page.goto(`${service.url}/panel/keys`);
    await page.getByText('1 active key').waitFor();
    await context.clearCookies();
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 5_000 });
  });

  it('shows nothing by the button back after sign-out, nor with the cookie of before', async () => {
    await arrive('ada');
    const cookies = await context.cookies();
    await page.goto(`${service.url}/panel/history`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Signed in').count()).to.equal(0);
    expect(await context.cookies()).to.deep.equal([]);
    await context.addCookies(cookies);
    await page.goto(`${service.url}/panel/keys`);
    await page.getByText('Your session has ended').waitFor();
  });

  it('keeps its session from scripts', async () => {
    await arrive('ada');
    expect(await page.evaluate('document.cookie')).to.equal('');
    expect((await context.cookies())[0]).to.include({
      name: 'panel-session',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
  });

  it('does nothing for a form on another site, and stands in no frame of it', async () => {
    await arrive('ada');
    const evil = await listening(
      createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(trap(service.url))),
    );
    try {
      for (const form of ['keys', 'sign-out', 'sign-in']) {
        await page.goto(evil.url.replace('127.0.0.1', 'localhost'));
        await page.locator(`#${form}`).click();
        await page.getByText('This form cannot be accepted').waitFor();
      }
      await page.goto(evil.url.replace('127.0.0.1', 'localhost'));
      const frame = page.frames().find((one) => one !== page.mainFrame());
      expect(frame?.url()).to.not.include('/panel');
    } finally {
      await evil.close();
    }
    expect(await issuedKeys(service.container.get(CORE).keys, signedIn(ADA))).to.deep.equal([]);
    await page.goto(`${service.url}/panel/keys`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('has a session for encrypted connections alone, where it has one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marketplace-tls-'));
    const { cert, key } = newCertificate(folder);
    const encrypted = await startPanel({ TLS_CERT: cert, TLS_KEY: key });
    try {
      await arrive('ada', encrypted);
      expect((await context.cookies())[0]).to.include({
        name: '__Host-panel-session',
        httpOnly: true,
        secure: true,
        path: '/',
      });
      await page.goto(`${encrypted.url}/panel/keys`);
      await page.getByLabel('Name').fill('Laptop');
      await page.getByRole('button', { name: 'Create key' }).click();
      expect(await page.locator('#curl').textContent())
        .to.include(` ${encrypted.url}/api/categories`)
        .and.include(' https://');
    } finally {
      await encrypted.close();
      rmSync(folder, { recursive: true });
    }
  });

  async function arrive(name: string, { invite } = service): Promise<void> {
    await page.goto(await invite('ada'));
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }
}

/** What the browser says against the policy of the pages. */
function reportsOf(page: Page): readonly string[] {
  const reports: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) reports.push(message.text());
  });
  page.on('pageerror', (error) => reports.push(error.message));
  page.on('dialog', (dialog) => reports.push(dialog.message()));
  return reports;
}

function trap(target: string): string {
  const form = (action: string) => `<form method="post" action="${target}/panel/${action}">
<input name="name" value="stolen"><input name="password" value="x"><input name="expires" value="none">
<input name="scopes" value="automations:read">
<button id="${action}">Win</button></form>`;
  const forms = ['keys', 'sign-out', 'sign-in'].map(form).join('');
  return `<!doctype html>${forms}<iframe src="${target}/panel/keys"></iframe>`;
}
