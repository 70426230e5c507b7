import { expect } from 'chai';
import { CORE } from '../../../composition/tokens.js';
import { OPERATOR } from '../../../domain/access.js';
import { describeInBrowser } from '../../support/browser.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { signInSettings } from '../../support/scripted-issuer.js';
import { startSignInIssuer, type SignInIssuer } from '../../support/sign-in-issuer.js';

describeInBrowser('The sign-in at an issuer, in a browser', (browser) => {
  let issuer: SignInIssuer;
  let service: PanelService;
  before(async () => {
    issuer = await startSignInIssuer();
    service = await startPanel(signInSettings(issuer.url));
    issuer.admit(service.url);
    issuer.people.set('ada', { groups: ['sellers'] });
  });
  after(async () => {
    await service.close();
    await issuer.leave();
  });

  it('goes from the page that was asked for to the issuer and back to it, and signs out of both', async () => {
    const page = await (await browser.profile()).newPage();
    await page.goto(`${service.url}/catalogue`);
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.getByPlaceholder('Enter any login').fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/panel/account?**`);
    await page.getByLabel('Public name').fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`${service.url}/catalogue`);
    const { items } = await service.container.get(CORE).accounts.list(OPERATOR);
    expect(items.map(({ publicName, role }) => [publicName, role])).to.deep.equal([['Ada', 'developer']]);
    expect((await page.context().cookies()).map(({ name }) => name)).to.not.include('panel-sign-in');

    await page.goto(`${service.url}/panel/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByRole('link', { name: 'Sign out of Example' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${service.url}/panel/sign-in**`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Sign in');
  });
});
