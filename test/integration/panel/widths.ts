import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { DEVELOPER_KEYS, MARKETPLACE } from '../../../composition/tokens.js';
import type { TestBrowser } from '../../support/browser.js';
import { IS_FULL_LENGTH } from '../../support/full-length.js';
import { PASSWORD, startPanel, type PanelService } from '../../support/panel.js';

const WIDTHS = IS_FULL_LENGTH ? [320, 390, 600, 768, 900, 1024, 1100, 1280, 1920] : [320, 768, 1100, 1280];
const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

/**
 * Runs in the page. Finds each control that is not fully visible, or that a keyboard does not reach: no ancestor may
 * clip its box, and it must take the focus.
 */
const FIND_HIDDEN_CONTROLS = `(() => {
  const controls = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary');
  const found = [];
  let reachable = 0;
  for (const control of controls) {
    if (control.className === 'skip' || !control.checkVisibility()) continue;
    reachable += 1;
    const box = control.getBoundingClientRect();
    let [left, right, top, bottom] = [0, document.documentElement.clientWidth, -Infinity, Infinity];
    for (let at = control.parentElement; at; at = at.parentElement) {
      const isClipping = getComputedStyle(at).overflow !== 'visible';
      if (at === document.documentElement || at === document.body || !isClipping) continue;
      const clip = at.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    }
    const isCut = box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1;
    if (isCut) found.push('cut off: ' + control.outerHTML.slice(0, 200));
    control.focus();
    if (document.activeElement !== control || control.tabIndex < 0) found.push('not by keyboard: ' + control.outerHTML);
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push('the page is ' + scrollWidth + ' wide');
  return { found, reachable };
})()`;

interface Finding {
  readonly found: readonly string[];
  readonly reachable: number;
}

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
    it(`shows every control next to the longest texts, of ${kind} characters without a blank`, async function () {
      this.timeout(60_000);
      const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
      await page.goto(await service.invite('ada'));
      await page.getByLabel('Name').fill(character.repeat(100));
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      const { key } = await service.container
        .get(DEVELOPER_KEYS)
        .issue({ developer: 'ada', name: character.repeat(100), lifetime: 90_000_000 });
      const offer = {
        title: character.repeat(100),
        description: character.repeat(500),
        price: 99999999.99,
        categoryId: 'communication-and-messaging',
      };
      const { id } = await service.container.get(MARKETPLACE).createAutomation(ADA, offer);
      const paths = [
        'keys',
        `keys/${key.id}/rotate`,
        `keys/${key.id}/revoke`,
        'automations',
        `automations/${id}`,
        `automations/${id}/revise`,
        `automations/${id}/withdraw`,
        'history',
      ];
      const findings: string[] = [];
      for (const path of paths) {
        await page.goto(`${service.url}/panel/${path}`);
        findings.push(...(await hiddenControls(page, path)));
      }
      expect(findings).to.deep.equal([]);
    });

  it('walks through all of them by the key Tab', async () => {
    const page = await (await browser.profile()).newPage();
    await page.goto(await service.invite('ada'));
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await service.container.get(DEVELOPER_KEYS).issue({ developer: 'ada', name: 'Laptop' });
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${service.url}/panel/keys`);
      const { reachable } = await page.evaluate<Finding>(FIND_HIDDEN_CONTROLS);
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
        '<a href="#" tabindex="-1">y</a><p style="width:3000px">z',
    );
    const found = (await hiddenControls(page, 'bad')).join();
    for (const what of ['cut off: <button', 'not by keyboard: <a', 'the page is 3000 wide'])
      expect(found).to.include(what);
  });
}

/** Returns the controls that are cut off or not reachable by keyboard, at any width. */
export async function hiddenControls(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const { found } = await page.evaluate<Finding>(FIND_HIDDEN_CONTROLS);
    findings.push(...found.map((one) => `${name} ${width}: ${one}`));
  }
  return findings;
}
