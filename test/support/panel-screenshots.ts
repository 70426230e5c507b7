/** Takes pictures of every page in all looks: `node dist/test/support/panel-screenshots.js [folder]`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestBrowser } from './browser.js';
import { startPanel } from './panel.js';
import { operatorWalk } from './operator-walk.js';
import { walk, type Look } from './panel-walk.js';

const FOLDER = process.argv[2] ?? 'panel-screenshots';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const service = await startPanel();
const browser = new TestBrowser();
await browser.open();
mkdirSync(FOLDER, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of SIZES) {
    const context = await browser.profile({ viewport, colorScheme });
    const name = `${viewport.width}-${colorScheme}`;
    const look: Look = async (page, what) => {
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ width: viewport.width, height: Math.max(height, viewport.height) });
      await page.screenshot({ path: join(FOLDER, `${what}-${name}.png`) });
      await page.setViewportSize(viewport);
    };
    await walk(await context.newPage(), service, `ada-${name}`, look);
    await operatorWalk(await context.newPage(), service, `olga-${name}`, look);
    await browser.clear();
  }
await browser.close();
await service.close();
