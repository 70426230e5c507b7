import { expect } from 'chai';
import { axeFindings } from '../../support/axe.js';
import type { TestBrowser } from '../../support/browser.js';
import { hiddenControls } from '../../support/hidden-controls.js';
import { startPanel } from '../../support/panel.js';
import { operatorWalk } from '../../support/operator-walk.js';
import { walk } from '../../support/panel-walk.js';

/** Every page, in each look. */
export function accessibility(browser: TestBrowser): void {
  it('has no finding of axe, and every control within reach at every width, on any page', async function () {
    this.timeout(300_000);
    const service = await startPanel();
    const page = await (await browser.profile({ reducedMotion: 'reduce' })).newPage();
    const looked: string[] = [];
    const findings: string[] = [];
    const look = async (_page: unknown, name: string) => {
      looked.push(name);
      findings.push(...(await axeFindings(page, name)), ...(await hiddenControls(page, name)));
    };
    await walk(page, service, 'ada', look);
    await operatorWalk(page, service, 'olga', look);
    await service.close();
    expect(looked).to.have.length(29 + 12 + 21);
    expect(findings).to.deep.equal([]);
  });

  it('would be seen to have something', async () => {
    const page = await (await browser.profile()).newPage();
    await page.setContent('<html lang="en"><title>x</title><body><p style="color:#bbb">pale</p><img src="data:,">');
    const found = await axeFindings(page, 'bad');
    for (const what of ['color-contrast', 'image-alt']) expect(found.join(), what).to.include(what);
  });
}
