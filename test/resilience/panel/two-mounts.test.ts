import { expect } from 'chai';
import { createServer, type RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import { createCatalogue } from '../../../adapters/catalogue/index.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore } from '../../../application/core.js';
import { OPERATOR } from '../../../domain/access.js';
import { describeInBrowser } from '../../support/browser.js';
import { PASSWORD } from '../../support/panel.js';
import { overMemory } from '../../support/repositories.js';
import { listening, type Listening } from '../../support/socket.js';

/** A marketplace of its own, mounted by a host that takes the mount path off, as Express does. */
function marketplaceAt(mountPath: string) {
  const core = newCore(overMemory());
  const panel = createPanel(core, { mountPath, catalogue: true }).callback();
  const catalogue = createCatalogue(core, { mountPath, panel: true }).callback();
  const serve: RequestListener = (request, response) => {
    request.url = (request.url ?? '').slice(mountPath.length);
    void (request.url.startsWith('/panel') ? panel : catalogue)(request, response);
  };
  return { mountPath, core, serve };
}

describeInBrowser('Two marketplaces on one origin, under /a and /a/b', (browser) => {
  const nested = marketplaceAt('/a/b');
  const outer = marketplaceAt('/a');
  let host: Listening;
  before(async () => {
    const server = createServer((request, response) => {
      ((request.url ?? '').startsWith('/a/b') ? nested : outer).serve(request, response);
    });
    host = await listening(server);
  });
  after(() => host.close());

  async function signIn(page: Page, { core, mountPath }: typeof outer): Promise<void> {
    const { token } = await core.accounts.invite(OPERATOR, 'ada');
    await page.goto(`${host.url}${mountPath}/panel/welcome/${token}`);
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  async function headingOf(page: Page, path: string): Promise<string | null> {
    await page.goto(`${host.url}${path}`);
    return page.locator('h1').textContent();
  }

  it('have sessions of their own: neither signs the other out', async () => {
    const page = await (await browser.profile()).newPage();
    await signIn(page, outer);
    await signIn(page, nested);
    for (const { mountPath } of [outer, nested]) {
      expect(await headingOf(page, `${mountPath}/panel/account`), mountPath).to.equal('Account');
      expect(await headingOf(page, `${mountPath}/catalogue`), mountPath).to.equal('Catalogue');
    }
    const cookies = (await page.context().cookies(`${host.url}/a/b/panel`)).map(({ name, path }) => [name, path]);
    expect(cookies).to.have.deep.members([
      ['panel-session.a', '/a'],
      ['panel-session.a.b', '/a/b'],
    ]);
    await page.goto(`${host.url}/a/panel`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await headingOf(page, '/a/panel/account')).to.equal('Sign in');
    expect(await headingOf(page, '/a/b/panel/account')).to.equal('Account');
  });
});
