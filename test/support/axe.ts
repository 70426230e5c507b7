import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** As a telephone and as a screen show a page, light and dark. */
const LOOKS = [
  [390, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Returns what axe finds on a page, in each look. */
export async function axeFindings(page: Page, name: string): Promise<readonly string[]> {
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
