import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { categoryId, OPERATOR, parseDeveloperId, SCOPES, type Category } from '../../../application/index.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { hiddenControls, reachableControls } from '../../support/hidden-controls.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';
import { signedIn } from '../../support/signed-in.js';

/** The longest there are. */
const DEVELOPER = parseDeveloperId('d'.repeat(64));
const CATEGORY = categoryId('c'.repeat(64));
const CALLER = { developerId: DEVELOPER, scopes: SCOPES };

/** Every control of the pages for operators, next to the longest texts and by keyboard. */
export function operatorWidths(browser: TestBrowser): void {
  let service: PanelService;
  beforeEach(async () => {
    service = await startPanel();
  });
  afterEach(() => service.close());

  for (const [kind, character] of [
    ['wide', 'W'],
    ['right-to-left', 'ש'],
  ] as const)
    it(`shows every control of an operator next to the longest texts, of ${kind} characters`, async () => {
      const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
      await arrive(page, character.repeat(100));
      const findings: string[] = [];
      for (const path of await pathsWith(character)) {
        const answer = await page.goto(`${service.url}/panel/operator/${path}`);
        expect(answer?.status(), path).to.equal(200);
        findings.push(...(await hiddenControls(page, path)));
      }
      expect(findings).to.deep.equal([]);
    });

  it('leads an operator through all controls of a page by the key Tab', async () => {
    const page = await (await browser.profile()).newPage();
    await arrive(page, 'olga');
    const paths = (await pathsWith('W')).slice(0, 7);
    for (const width of [320, 768, 1280])
      for (const path of paths) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${service.url}/panel/operator/${path}`);
        const reachable = await reachableControls(page);
        await page.goto(`${service.url}/panel/operator/${path}`);
        expect(await stopsOf(page, reachable + 1), `${path} ${width}`).to.equal(reachable + 1);
      }
  });

  async function arrive(page: Page, name: string): Promise<void> {
    await service.container.get(CORE).accounts.invite(OPERATOR, 'olga', { role: 'operator' });
    await page.goto(await service.invite('olga'));
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  /** Fills the marketplace with the longest texts, and returns the pages that show them. */
  async function pathsWith(character: string): Promise<readonly string[]> {
    const { container } = service;
    const category = { id: CATEGORY, name: character.repeat(100) } as Category;
    await container.get(CORE).categories.import(OPERATOR, [category]);
    await container.get(CORE).accounts.invite(OPERATOR, DEVELOPER);
    const profile = { publicName: character.repeat(60), website: `https://${'w'.repeat(490)}` };
    await container.get(CORE).profiles.change(signedIn(CALLER), profile);
    const request = { developer: DEVELOPER, name: character.repeat(100), lifetime: 90_000_000 };
    const { key } = await container.get(CORE).keys.issue(OPERATOR, request);
    const draft = { title: character.repeat(200), description: 'x', price: 99999999.99, categoryId: String(CATEGORY) };
    const offered = await container.get(MARKETPLACE).createAutomation(CALLER, draft);
    const gone = await container.get(MARKETPLACE).createAutomation(CALLER, draft);
    await container.get(MARKETPLACE).withdrawAutomation(OPERATOR, gone.id, character.repeat(1000));
    const [developer, automation] = [`developers/${DEVELOPER}`, `automations/${offered.id}`];
    return [
      ...['developers', developer, 'categories', 'automations', automation, `${automation}/revise`, 'history'],
      ...[`${developer}/suspend`, 'developers/olga/suspend', `${developer}/keys/${key.id}/revoke`],
      ...[`categories/${CATEGORY}/rename`, 'automations?status=withdrawn', `automations/${gone.id}`],
      ...[`${automation}/withdraw`, `history?developer=${DEVELOPER}`, 'developers?q=nobody'],
    ];
  }
}

/** Returns how many controls take the focus when Tab is pressed a number of times. */
async function stopsOf(page: Page, presses: number): Promise<number> {
  const stops = new Set<number>();
  for (let n = 0; n < presses; n += 1) {
    await page.keyboard.press('Tab');
    stops.add(await page.evaluate<number>('[...document.querySelectorAll("*")].indexOf(document.activeElement)'));
  }
  return stops.size;
}
