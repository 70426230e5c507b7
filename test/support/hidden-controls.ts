import type { Page } from 'playwright-core';

const WIDTHS = [320, 390, 600, 768, 900, 1024, 1100, 1280, 1920];

/**
 * Runs in the page. Finds each control that is not fully visible, or that a keyboard does not reach: no ancestor may
 * clip its box, it must take the focus, and nothing may cover it. The chosen text of a select must fit, but for the
 * name of a category, which an operator writes.
 */
const FIND_HIDDEN_CONTROLS = `(() => {
  const controls = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary');
  const found = [];
  const pen = document.createElement('canvas').getContext('2d');
  const isCutText = (select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    pen.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return pen.measureText(select.selectedOptions[0]?.text ?? '').width > room;
  };
  const isCovered = (control) => {
    const { left, width, bottom } = control.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, bottom - 2);
    return shown !== null && !control.contains(shown) && !shown.contains(control);
  };
  scrollTo(0, 0);
  for (const control of controls)
    if (control.className !== 'skip' && control.checkVisibility() && isCovered(control))
      found.push('covered: ' + control.outerHTML.slice(0, 200));
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
    const isCategory = control.matches('[name=category], [name=categoryId]') && control.value !== '';
    if (control.matches('select') && !isCategory && isCutText(control))
      found.push('text cut off: ' + control.outerHTML.slice(0, 200));
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

/** Returns how many controls the page shows at its present width. */
export async function reachableControls(page: Page): Promise<number> {
  return (await page.evaluate<Finding>(FIND_HIDDEN_CONTROLS)).reachable;
}
