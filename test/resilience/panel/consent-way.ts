import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { requestOfApp, startLoopbackApp } from '../../support/apps-walk.js';
import type { TestBrowser } from '../../support/browser.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import type { Listening } from '../../support/socket.js';

/** From an app on this machine to the question and back, which a browser refuses if the policy does not allow it. */
export function consentWay(browser: TestBrowser): void {
  let service: PanelService;
  let app: Listening;
  beforeEach(async () => {
    service = await startPanel();
    app = await startLoopbackApp();
  });
  afterEach(async () => {
    await app.close();
    await service.close();
  });

  async function arrive(page: Page): Promise<void> {
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  for (const javaScriptEnabled of [true, false])
    for (const [button, query] of [
      ['Allow', 'code'],
      ['Cancel', 'error'],
    ] as const)
      it(`leads back to an app by ${button}, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
        const page = await (await browser.profile({ javaScriptEnabled })).newPage();
        await arrive(page);
        await page.goto(await requestOfApp(service, 'ada', `${app.url}/back`));
        await page.getByText('Did you just start this app yourself?').waitFor();
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('heading', { name: 'Back at /back' }).waitFor();
        expect(new URL(page.url()).searchParams.has(query)).to.equal(true);
      });

  it('leads from an app through sign-in and consent back to the app, which is then listed', async () => {
    await arrive(await (await browser.profile()).newPage());
    const page = await (await browser.profile()).newPage();
    await page.goto(await requestOfApp(service, 'ada', `${app.url}/back`));
    await page.getByLabel('Name').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at /back' }).waitFor();
    await page.goto(`${service.url}/panel`);
    await page.getByRole('link', { name: 'Connected apps' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'Disconnect this app?' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('The app is disconnected.').waitFor();
  });
}
