import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const OFFER = { Title: 'Sort my inbox', Description: 'Labels what matters.', Price: '9.99', Category: 'uncategorized' };
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
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  }

  async function fill(page: Page, label: string, text: string): Promise<void> {
    const field = page.getByLabel(label);
    if (label === 'Category') await field.selectOption(text);
    else await field.fill(text);
  }

  /** Presses the button of the mouse and releases it at the same place, some frames later. */
  async function clickSlowly(page: Page, name: string, role: 'button' | 'link' = 'button'): Promise<void> {
    const control = page.getByRole(role, { name });
    await control.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await control.boundingBox()) ?? expect.fail(`no ${name}`);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.waitForTimeout(100);
    await page.mouse.up();
  }

  /** Returns the page that follows a form for a new key. */
  async function answerTo(page: Page, form: Readonly<Record<string, string>>): Promise<{ readonly body: string }> {
    const token = await page.locator('input[name="token"]').first().inputValue();
    const answer = await page.request.post(`${service.url}/panel/keys`, {
      form: { ...form, token },
      headers: { Origin: service.url },
    });
    return { body: await answer.text() };
  }

  for (const javaScriptEnabled of [true, false])
    it(`keeps what was typed when one comes back to it, scripts: ${javaScriptEnabled}`, async () => {
      const page = await arrived({ javaScriptEnabled });
      await page.goto(`${service.url}/panel/automations/new`);
      const typed = { Title: 'Sort my inbox', Description: 'Labels what matters.', Price: '9.99' };
      for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await page.getByLabel('Title').waitFor();
      for (const [label, text] of Object.entries(typed))
        expect(await page.getByLabel(label).inputValue(), label).to.equal(text);
    });

  for (const javaScriptEnabled of [true, false])
    it(`takes a price with a comma, and no thousands separator, scripts: ${javaScriptEnabled}`, async () => {
      const page = await arrived({ javaScriptEnabled });
      await page.goto(`${service.url}/panel/automations/new`);
      for (const [label, text] of Object.entries(OFFER)) await fill(page, label, text);
      await fill(page, 'Price', '1,000');
      await page.getByRole('button', { name: 'Publish automation' }).click();
      const rule = 'Price must be an amount such as 9.99 or 9,99, with at most 2 decimals and no thousands separators.';
      await page.locator('#price-message', { hasText: rule }).waitFor();
      await fill(page, 'Price', '100000000,5');
      await page.getByRole('button', { name: 'Publish automation' }).click();
      await page.locator('#price-message', { hasText: 'Price must be from 0 to 99999999.99.' }).waitFor();
      await fill(page, 'Price', '\u200F1000,50 ');
      await page.getByRole('button', { name: 'Publish automation' }).click();
      await page.getByText('$1,000.50').first().waitFor();
    });

  for (const javaScriptEnabled of [true, false])
    it(`keeps what was typed when the session has ended meanwhile, scripts: ${javaScriptEnabled}`, async () => {
      const page = await arrived({ javaScriptEnabled });
      await page.goto(`${service.url}/panel/automations/new`);
      for (const [label, text] of Object.entries(OFFER)) await fill(page, label, text);
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Publish automation' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect((await service.marketplace.listAutomations(ADA)).total).to.equal(0);
      await page.getByLabel('Name').fill('ada@example.com');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Title').waitFor();
      for (const [label, text] of Object.entries(OFFER))
        expect(await page.getByLabel(label).inputValue(), label).to.equal(text);
      expect(await page.getByRole('alert').innerText()).to.include('Nothing was done yet');
      expect((await service.marketplace.listAutomations(ADA)).total).to.equal(0);
      await page.getByRole('button', { name: 'Publish automation' }).click();
      await page.getByText('Sort my inbox').first().waitFor();
      expect((await service.marketplace.listAutomations(ADA)).total).to.equal(1);
    });

  it('shows on a telephone what is wrong with a form that stands below a list', async () => {
    const page = await arrived({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    for (const name of ['One', 'Two', 'Three', 'Four'])
      await service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name });
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
    for (const message of ['Name is required.', 'Password is required.'])
      expect(await page.getByText(message).isVisible(), message).to.equal(true);
  });

  const filled = { Name: 'ada@example.com', Password: PASSWORD };
  const forms = [
    { path: 'keys', button: 'Create key', values: { Name: 'Laptop' }, then: '#new-key' },
    { path: 'sign-in', button: 'Sign in', values: filled, then: 'h1:has-text("Overview")' },
    { path: 'automations/new', button: 'Publish automation', values: OFFER, then: 'text=Your automation is on sale.' },
  ];
  for (const { path, button, values, then } of forms)
    for (const javaScriptEnabled of [true, false])
      it(`takes the first click on "${button}" after a message, scripts: ${javaScriptEnabled}`, async () => {
        const page = await arrived({ javaScriptEnabled });
        if (path === 'sign-in') await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await page.goto(`${service.url}/panel/${path}`);
        await page.getByRole('button', { name: button }).click();
        await page.locator('.message:visible, .problems').first().waitFor();
        for (const [label, text] of Object.entries(values)) await fill(page, label, text);
        await clickSlowly(page, button);
        await page.locator(then).waitFor();
      });

  it('moves nothing while the mouse button is down, when what was typed is wrong', async () => {
    const page = await arrived();
    await page.goto(`${service.url}/panel/automations/new`);
    await page.getByLabel('Title').fill('\u202Ex');
    await page.getByLabel('Price').fill('1.999');
    await clickSlowly(page, 'Cancel', 'link');
    await page.getByRole('heading', { name: 'Your automations' }).waitFor();
  });

  it('takes a message away as soon as its field is right, and leaves the others', async () => {
    const page = await arrived({ javaScriptEnabled: false });
    const wrong = { name: '', expires: '9' };
    const { body } = await answerTo(page, wrong);
    const scripted = await (await browser.profile()).newPage();
    await scripted.context().addCookies(await page.context().cookies());
    await scripted.route('**/panel/keys', (route) => route.fulfill({ status: 422, contentType: 'text/html', body }));
    await scripted.goto(`${service.url}/panel/keys`);
    const seen = async () => scripted.locator('.message:visible').allTextContents();
    expect(await seen()).to.have.length(3);
    expect(await scripted.locator('.problems li:visible').count()).to.equal(3);
    await scripted.getByLabel('automations:read').check();
    expect((await seen()).join(), 'after a scope was chosen').to.not.include('scope');
    await scripted.getByLabel('Name').fill('Laptop');
    expect((await seen()).join(), 'after a name was typed').to.match(/^Expires/);
    expect(await scripted.locator('.problems li:visible').count()).to.equal(1);
    await scripted.getByLabel('Expires').selectOption('7');
    expect(await seen()).to.deep.equal([]);
    expect(await scripted.locator('.problems:visible, [aria-invalid]').count()).to.equal(0);
  });

  it('says that an account is suspended, and only to someone who has its password', async () => {
    const page = await arrived();
    await service.container.get(CORE).accounts.suspend(OPERATOR, 'ada');
    await page.goto(`${service.url}/panel/keys`);
    await page.getByText('Your session has ended.').waitFor();
    for (const [password, problem] of [
      ['not-the-password', 'Name or password is wrong.'],
      [PASSWORD, 'This account is suspended. Ask the operator of the marketplace.'],
    ] as const) {
      await page.getByLabel('Name').fill('ada@example.com');
      await page.getByLabel('Password').fill(password);
      await clickSlowly(page, 'Sign in');
      await page.getByText(problem).waitFor();
    }
    expect(await page.getByText('is wrong').count()).to.equal(0);
  });

  it('sends a form again of which the browser stopped the sending', async () => {
    const page = await arrived();
    await page.goto(`${service.url}/panel/keys`);
    await page.route('**/panel/keys', () => undefined, { times: 1 });
    await page.getByLabel('Name').fill('Laptop');
    await Promise.all([
      page.waitForRequest('**/panel/keys'),
      page.getByRole('button', { name: 'Create key' }).dispatchEvent('click'),
    ]);
    await (await page.context().newCDPSession(page)).send('Page.stopLoading');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#new-key').waitFor();
    expect(await issuedKeys(service.container.get(CORE).keys, signedIn(ADA))).to.have.length(1);
  });

  it('makes one key of a page that is loaded again', async () => {
    const page = await arrived({ javaScriptEnabled: false });
    await page.goto(`${service.url}/panel/keys`);
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
    expect(await issuedKeys(service.container.get(CORE).keys, signedIn(ADA))).to.have.length(2);
  });
}
