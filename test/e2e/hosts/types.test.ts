import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ENTRIES, PACKAGES, PACKAGES_FOLDER, SERVER } from '../../support/packages.js';
import { ROOT } from '../../support/readme.js';

const run = promisify(execFile);
const ATTW = join(fileURLToPath(ROOT), 'test/e2e/hosts/node_modules/.bin/attw');
const WITH_ENTRIES = new Set(ENTRIES.map(({ packageName }) => packageName));

describe('By attw', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'types-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const name of PACKAGES.keys())
    if (WITH_ENTRIES.has(name) && name !== SERVER)
      it(`${name} has types that every way to resolve an ES module finds, for each entry`, async () => {
        const pack = ['pack', '--silent', '--pack-destination', folder, fileURLToPath(new URL(name, PACKAGES_FOLDER))];
        const { stdout } = await run('npm', pack);
        const entries = ENTRIES.filter(({ packageName }) => packageName === name);
        const paths = entries.map((entry) => entry.name.replace(name, '.'));
        const words = ['--profile', 'esm-only', '--format', 'json', join(folder, stdout.trim())];
        const report = await run(ATTW, [...words, '--entrypoints', ...paths], { maxBuffer: 64 * 1024 * 1024 });
        const { analysis } = JSON.parse(report.stdout) as { analysis: { entrypoints: object } };
        expect(analysis.entrypoints).to.include.all.keys(...paths);
      });
});
