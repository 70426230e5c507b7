import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AutomationRepository } from 'automation-marketplace';
import * as contracts from 'automation-marketplace/contracts';
import * as storage from 'automation-marketplace/storage';
import { ROOT } from '../support/readme.js';

const GUIDE = readFileSync(new URL('docs/adapters.md', ROOT), 'utf8');

describe('docs/adapters.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  let example: new () => AutomationRepository;

  before(async () => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(fileURLToPath(ROOT), join(folder, 'node_modules', 'automation-marketplace'));
    const file = join(folder, 'example.mjs');
    writeFileSync(file, /^```js\n(.*?)^```$/ms.exec(GUIDE)?.[1] ?? '');
    const module = (await import(pathToFileURL(file).href)) as { readonly MyAutomationRepository: typeof example };
    example = module.MyAutomationRepository;
  });
  after(() => rmSync(folder, { recursive: true }));

  it('names every contract suite and everything that storages share', () => {
    for (const name of [...Object.keys(contracts), ...Object.keys(storage)].filter((one) => one !== 'BLOCK_SIZE'))
      expect(GUIDE).to.include(`\`${name}`);
  });

  describe('its minimal example', () => contracts.automationRepositoryContract(() => new example()));
});
