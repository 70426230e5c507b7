import { expect } from 'chai';
import type { Page } from 'playwright-core';
import * as oauth from 'openid-client';
import { axeFindings } from '../../support/axe.js';
import { describeInBrowser } from '../../support/browser.js';
import { hiddenControls } from '../../support/hidden-controls.js';
import { OAuthApp } from '../../support/oauth-app.js';
import { askForDevice } from '../../support/oauth-device.js';
import { openAppSite, type AppSite } from '../../support/oauth-site.js';
import { OAuthStage } from '../../support/oauth-stage.js';
import { PASSWORD, startPanel } from '../../support/panel.js';

describeInBrowser('The authorization server in a browser', (browser) => {
  let stage: OAuthStage;
  let problems: string[];
  beforeEach(async () => {
    stage = new OAuthStage(await startPanel());
    problems = [];
  });
  afterEach(() => stage.close());

  /** Returns a page of a new profile, whose console is watched. */
  async function newPage(): Promise<Page> {
    const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    return page;
  }

  async function welcome(page: Page, developer: string): Promise<void> {
    await page.goto(await stage.service.invite(developer));
    await page.getByLabel('Name').fill(`${developer}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  async function signIn(page: Page, developer: string): Promise<void> {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Name').fill(`${developer}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Registers an app in the panel, and returns it as its maker has it. */
  async function register(page: Page, kind: 'web' | 'native', site?: AppSite): Promise<OAuthApp> {
    await page.goto(`${stage.url}/panel/apps`);
    await page.getByLabel('Name').fill('Ledger');
    await page.locator(`#kind-${kind}`).check();
    await page.getByLabel('Redirect addresses').fill(site?.redirectUri ?? 'http://localhost/callback');
    await page.getByRole('button', { name: 'Register app' }).click();
    const id = (await page.locator('#client-id').textContent()) ?? '';
    const secret = kind === 'web' ? ((await page.locator('#new-secret').textContent()) ?? '') : undefined;
    const registered = { app: { id }, ...(secret !== undefined && { secret }) };
    return OAuthApp.of(stage.url, registered, site?.redirectUri);
  }

  for (const [kind, host] of [
    ['web', 'localhost'],
    ['native', '127.0.0.1'],
  ] as const)
    it(`leads a ${kind} app on ${host} through sign-in and consent and back, and ends its access`, async () => {
      const site = await openAppSite(host);
      const maker = await newPage();
      await welcome(maker, 'ada');
      site.serve(await register(maker, kind, site));
      await welcome(await newPage(), 'bob');

      const page = await newPage();
      await page.goto(site.url);
      await page.getByRole('link', { name: 'Connect' }).click();
      await signIn(page, 'bob');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Refused: access_denied').waitFor();
      await page.goto(site.url);
      await page.getByRole('link', { name: 'Connect' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('The app is connected').waitFor();
      const token = String(site.tokens[0]?.access_token);
      expect([await stage.read(token), site.tokens.length]).to.deep.equal([200, 1]);

      await page.goto(`${stage.url}/panel/connected`);
      await page.getByText('Ledger').waitFor();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('heading', { name: 'Disconnect this app?' }).waitFor();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('The app is disconnected.').waitFor();
      expect(await stage.read(token)).to.equal(401);
      expect(problems).to.deep.equal([]);
      await site.close();
    });

  it('connects a device, by a code that is typed and by the address with the code', async () => {
    const page = await newPage();
    await welcome(page, 'ada');
    const app = await register(page, 'native');
    for (const way of ['typed', 'address'] as const) {
      const device = await askForDevice(app);
      await page.goto(way === 'typed' ? device.verification_uri : (device.verification_uri_complete ?? ''));
      if (way === 'typed') await page.getByLabel('Code').fill(device.user_code.toLowerCase().replace('-', ' '));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(device.user_code, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Yes, continue' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      const { access_token: token } = await oauth.pollDeviceAuthorizationGrant(app.config, { ...device, interval: 0 });
      expect(await stage.read(token)).to.equal(200);
    }
    expect(problems).to.deep.equal([]);
  });

  it('tells a device that the person cancelled, at the code and at the question', async () => {
    const page = await newPage();
    await welcome(page, 'ada');
    const app = await register(page, 'native');
    for (const where of ['code', 'question'] as const) {
      const device = await askForDevice(app);
      await page.goto(device.verification_uri_complete ?? '');
      await page.getByRole('button', { name: 'Continue' }).click();
      if (where === 'question') await page.getByRole('button', { name: 'Yes, continue' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('You refused. The program gets nothing.').waitFor();
      const poll = oauth.pollDeviceAuthorizationGrant(app.config, { ...device, interval: 0 });
      expect(await poll.catch((error: unknown) => error)).to.include({ error: 'access_denied' });
    }
    expect(problems).to.deep.equal([]);
  });

  it('has no finding of axe, and every control within reach at every width', async () => {
    const page = await newPage();
    const findings: string[] = [];
    const looked: string[] = [];
    await devicePages(page, async (name) => {
      looked.push(name);
      findings.push(...(await axeFindings(page, name)), ...(await hiddenControls(page, name)));
    });
    expect(looked).to.have.length(5);
    expect(findings).to.deep.equal([]);
  });

  /** Goes through the pages that the server shows itself. */
  async function devicePages(page: Page, look: (name: string) => Promise<unknown>): Promise<void> {
    await welcome(page, 'ada');
    const app = await register(page, 'native');
    const device = await askForDevice(app);
    await page.goto(`${stage.url}/oauth/device`);
    await look('device');
    await page.getByLabel('Code').fill('BBBB-BBBB');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await look('device-wrong');
    await page.getByLabel('Code').fill(device.user_code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Is this the code?' }).waitFor();
    await look('device-confirm');
    await page.getByRole('button', { name: 'Yes, continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await look('device-done');
    await page.goto(`${stage.url}/oauth/auth?client_id=unknown`);
    await page.getByRole('heading', { name: 'The app cannot be connected' }).waitFor();
    await look('refused');
  }
});
