import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../support/browser.js';
import { IS_FULL_LENGTH } from '../../support/full-length.js';
import { startPanel } from '../../support/panel.js';
import { walk } from '../../support/panel-walk.js';
import { hiddenControls } from './widths.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** As a telephone and as a screen show a page, light and dark. */
const LOOKS = [
  [390, 'light'],
  [1280, 'dark'],
  ...(IS_FULL_LENGTH ? ([[390, 'dark'], [1280, 'light']] as const) : []),
] as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Every page, in each look. */
export function accessibility(browser: TestBrowser): void {
  it('has nothing that axe would find, and every control within reach at every width, on any page', async function () {
    this.timeout(180_000);
    const service = await startPanel();
    const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
    const looked: string[] = [];
    const findings: string[] = [];
    await walk(page, service, 'ada', async (_page, name) => {
      looked.push(name);
      findings.push(...(await lookAt(page, name)), ...(await hiddenControls(page, name)));
    });
    await service.close();
    expect(looked).to.have.length(27);
    expect(findings).to.deep.equal([]);
  });

  it('would be seen to have something', async () => {
    const page = await (await browser.profile()).newPage();
    await page.setContent('<html lang="en"><title>x</title><body><p style="color:#bbb">pale</p><img src="data:,">');
    const found = await lookAt(page, 'bad');
    for (const what of ['color-contrast', 'image-alt']) expect(found.join(), what).to.include(what);
  });
}

async function lookAt(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = [];
  await page.evaluate(AXE);
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<readonly Finding[]>(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
    );
    findings.push(...found.map(({ id, nodes }) => `${name} ${width} ${colorScheme}: ${id} ${nodes[0]?.html ?? ''}`));
  }
  return findings;
}
