import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { DEVELOPER_KEYS } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

/** What goes wrong between a person and a page, and must cost neither what was typed nor what was meant. */
export function mishaps(browser: TestBrowser): void {
  let service: PanelService;
  beforeEach(async () => {
    service = await startPanel();
  });
  afterEach(() => service.close());

  async function arrived(options: Parameters<TestBrowser['profile']>[0] = {}): Promise<Page> {
    const page = await (await browser.profile(options)).newPage();
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    return page;
  }

  for (const javaScriptEnabled of [true, false])
    it(`keeps what was typed when one comes back to it, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const page = await arrived({ javaScriptEnabled });
      await page.goto(`${service.url}/panel/automations/new`);
      const typed = { Title: 'Sort my inbox', Description: 'Labels what matters.', Price: '9.99' };
      for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await page.getByLabel('Title').waitFor();
      for (const [label, text] of Object.entries(typed)) expect(await page.getByLabel(label).inputValue(), label).to.equal(text);
    });

  it('shows on a telephone what is wrong with a form that stands below a list', async () => {
    const page = await arrived({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    for (const name of ['One', 'Two', 'Three', 'Four']) await service.container.get(DEVELOPER_KEYS).issue({ developer: 'ada', name });
    await page.goto(`${service.url}/panel/keys`);
    await page.getByLabel('Name').fill('Five');
    for (const scope of SCOPES) await page.getByLabel(scope).uncheck();
    await page.getByRole('button', { name: 'Create key' }).click();
    const place = await page.getByRole('alert').boundingBox();
    expect(place?.y).to.be.within(0, 844 - (place?.height ?? 0));
    expect(await page.getByRole('alert').evaluate('document.activeElement.className')).to.equal('problems');
  });

  it('says in words that nothing was filled in to sign in', async () => {
    const page = await (await browser.profile()).newPage();
    await page.goto(`${service.url}/panel/sign-in`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const message of ['Name is required.', 'Password is required.']) expect(await page.getByText(message).isVisible(), message).to.equal(true);
  });

  it('sends a form again of which the browser stopped the sending', async function () {
    this.timeout(60_000);
    const page = await arrived();
    await page.route('**/panel/keys', () => undefined, { times: 1 });
    await page.getByLabel('Name').fill('Laptop');
    await Promise.all([page.waitForRequest('**/panel/keys'), page.getByRole('button', { name: 'Create key' }).click({ noWaitAfter: true })]);
    await (await page.context().newCDPSession(page)).send('Page.stopLoading');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    expect(await service.container.get(DEVELOPER_KEYS).listOwn(ADA)).to.have.length(1);
  });

  it('makes one key of a page that is loaded again', async () => {
    const page = await arrived({ javaScriptEnabled: false });
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    await page.reload();
    await page.getByText('its key was shown then').waitFor();
    await page.goto(`${service.url}/panel/keys`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.locator('#new-key').waitFor();
    for (let n = 0; n < 2; n += 1) await page.reload();
    expect(await service.container.get(DEVELOPER_KEYS).listOwn(ADA)).to.have.length(2);
  });
}
