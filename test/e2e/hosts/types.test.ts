import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MANIFEST } from '../../support/lock.js';
import { ROOT } from '../../support/readme.js';

const run = promisify(execFile);
const root = fileURLToPath(ROOT);

describe('The packed package, by attw', () => {
  it('has types that every way to resolve an ES module finds, for each entry', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'types-'));
    const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
    });
    const attw = join(root, 'test/e2e/hosts/node_modules/.bin/attw');
    const file = join(folder, stdout.trim());
    const words = ['--profile', 'esm-only', '--format', 'json', file];
    const report = await run(attw, words, { maxBuffer: 64 * 1024 * 1024 });
    const { analysis } = JSON.parse(report.stdout) as { analysis: { entrypoints: object } };
    expect(Object.keys(analysis.entrypoints)).to.have.members(Object.keys(MANIFEST.exports));
    rmSync(folder, { recursive: true });
  });
});
