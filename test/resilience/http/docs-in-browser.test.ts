import { expect } from 'chai';
import { CORE } from '../../../composition/tokens.js';
import { describeInBrowser } from '../../support/browser.js';
import { Visitor } from '../../support/panel-visitor.js';
import { startService, type LocalService } from '../../support/service.js';
import { signedIn } from '../../support/signed-in.js';
import { ada } from '../../unit/application/people.js';

describeInBrowser('The page of the API, in a browser', (browser) => {
  let service: LocalService;
  let visitor: Visitor;
  before(async () => {
    service = await startService();
    visitor = new Visitor(service.url);
    await visitor.accept(await service.invite('ada'), 'ada@example.com');
  });
  after(() => service.close());

  /** Opens the page as ada, who is signed in, and the part of its dialog for a flow. */
  async function flow(name: string) {
    const profile = await browser.profile();
    await profile.addCookies(Array.from(visitor.cookies, ([key, value]) => ({ name: key, value, url: service.url })));
    const page = await profile.newPage();
    await page.goto(`${service.url}/docs`);
    await page.click('button.authorize');
    return page.locator('.auth-container', { hasText: `Flow: ${name}` });
  }

  async function register(kind: 'native' | 'machine') {
    const redirectUris = kind === 'native' ? [`${service.url}/docs/oauth2-redirect.html`] : [];
    const registered = await service.container
      .get(CORE)
      .apps?.register(signedIn(ada), { name: 'Docs', kind, redirectUris });
    return { id: registered?.app.id ?? '', secret: registered?.secret ?? '' };
  }

  it('gets a token for a machine by its id and its secret', async () => {
    const { id, secret } = await register('machine');
    const form = await flow('clientCredentials');
    await form.getByLabel('client_id:').fill(id);
    await form.getByLabel('client_secret:').fill(secret);
    await form.getByText('select all').click();
    await form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    await form.getByText('Logout').waitFor();
  });

  it('gets a token for an app by a code, PKCE and the consent of the person, in a second window', async () => {
    const { id } = await register('native');
    const form = await flow('authorizationCode');
    await form.getByLabel('client_id:').fill(id);
    await form.getByText('select all').click();
    const opened = form.page().waitForEvent('popup');
    await form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await form.getByText('Logout').waitFor();
    const connected = await service.container.get(CORE).connections?.list(signedIn(ada));
    expect(connected?.items.map(({ name, scopes }) => [name, scopes])).to.deep.equal([
      ['Docs', ['automations:read', 'automations:write']],
    ]);
  });
});
