import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { hiddenControls, reachableControls } from '../../support/hidden-controls.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { signedIn } from '../../support/signed-in.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

/** Every control, at every width. Every page is walked through in `accessibility.ts`. */
export function widths(browser: TestBrowser): void {
  let service: PanelService;
  beforeEach(async () => {
    service = await startPanel();
  });
  afterEach(() => service.close());

  for (const [kind, character] of [
    ['wide', 'W'],
    ['right-to-left', 'ש'],
  ] as const)
    it(`shows every control next to the longest texts, of ${kind} characters without a blank`, async () => {
      const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
      await page.goto(await service.invite('ada'));
      await page.getByLabel('Name').fill(character.repeat(100));
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const { key } = await service.container
        .get(CORE)
        .keys.issue(OPERATOR, { developer: 'ada', name: character.repeat(100), lifetime: 90_000_000 });
      const offer = {
        title: character.repeat(100),
        description: character.repeat(500),
        price: 99999999.99,
        categoryId: 'communication-and-messaging',
        url: `https://${'w'.repeat(492)}`,
        license: character.repeat(100),
      };
      const { id } = await service.container.get(MARKETPLACE).createAutomation(ADA, offer);
      const paths = [
        'keys',
        `keys/${key.id}/rename`,
        `keys/${key.id}/rotate`,
        `keys/${key.id}/revoke`,
        'automations',
        'automations/new',
        `automations/${id}`,
        `automations/${id}/revise`,
        `automations/${id}/withdraw`,
        'history',
        ...(await pathsOfApps(character)),
      ];
      const findings: string[] = [];
      for (const path of paths) {
        expect((await page.goto(`${service.url}/panel/${path}`))?.status(), path).to.equal(200);
        findings.push(...(await hiddenControls(page, path)));
      }
      expect(findings).to.deep.equal([]);
    });

  /** Registers and connects an app with the longest texts, and returns the pages that show it. */
  async function pathsOfApps(character: string): Promise<readonly string[]> {
    const { apps, connections } = service.container.get(CORE);
    const name = character.repeat(100);
    const redirectUris = Array<string>(10).fill(`https://${'w'.repeat(60)}.example/${'x'.repeat(420)}`);
    const registered = await apps?.register(signedIn(ADA), { name, kind: 'web', redirectUris });
    const clientId = `https://${'w'.repeat(60)}.example/client.json`;
    const consent = { clientId, name, scopes: SCOPES, audience: 'agents' } as const;
    const connected = await connections?.connect(signedIn(ADA), consent);
    const app = `apps/${registered?.app.id}`;
    return ['apps', app, `${app}/secret`, `${app}/revoke`, 'connected', `connected/${connected?.id}/disconnect`];
  }

  it('walks through all of them by the key Tab', async () => {
    const page = await (await browser.profile()).newPage();
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await service.container.get(CORE).keys.issue(OPERATOR, { developer: 'ada', name: 'Laptop' });
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${service.url}/panel/keys`);
      const reachable = await reachableControls(page);
      await page.goto(`${service.url}/panel/keys`);
      const stops = new Set<string>();
      for (let n = 0; n < reachable + 1; n += 1) {
        await page.keyboard.press('Tab');
        stops.add(await page.evaluate<string>('document.activeElement.outerHTML'));
      }
      expect(stops.size, `${width}`).to.equal(reachable + 1);
      for (const control of ['>Skip to content', width < 1024 ? 'Menu' : 'History', '>Revoke', '>Create key'])
        expect([...stops].join(), control).to.include(control);
    }
  });

  it('would be seen to hide one', async () => {
    const page = await (await browser.profile()).newPage();
    await page.setContent(
      '<body style="margin:0"><div style="width:100px;overflow:hidden"><button style="width:200px">x</button></div>' +
        '<a href="#" tabindex="-1">y</a><p style="width:3000px">z</p>' +
        '<select style="width:60px"><option>a long text</select>' +
        '<button style="position:fixed;bottom:9px">v</button><div style="position:fixed;inset:0;height:2000px"></div>',
    );
    const found = (await hiddenControls(page, 'bad')).join();
    const kinds = ['cut off: <button', 'not by keyboard: <a', 'text cut off: <select', 'covered: <button'];
    for (const what of [...kinds, 'the page is 3000 wide']) expect(found).to.include(what);
  });
}
