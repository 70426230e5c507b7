import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './support/readme.js';

const root = fileURLToPath(ROOT);

const MINE = './repository.mjs';

const FINE = `import { InMemoryCategoryRepository } from 'automation-marketplace/in-memory';
export class Repository extends InMemoryCategoryRepository {}`;
const BROKEN = FINE.replace('{}', '{ async find() { return undefined; } }');

const SUITE = `import { categoryRepositoryContract } from 'automation-marketplace/contracts';
import { Repository } from '${MINE}';
`;

/** How each runner is started, and how it is handed to the contract. */
const RUNNERS: Readonly<Record<string, { readonly suite: string; readonly command: readonly string[] }>> = {
  'node:test': {
    suite: `import { describe, it } from 'node:test';\n${SUITE}categoryRepositoryContract(() => new Repository(), { describe, it });`,
    command: ['--test', 'contract.test.mjs'],
  },
  vitest: {
    suite: `import { describe, it } from 'vitest';\n${SUITE}categoryRepositoryContract(() => new Repository(), { describe, it });`,
    command: [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', '.'],
  },
  mocha: {
    suite: `${SUITE}categoryRepositoryContract(() => new Repository());`,
    command: [join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', 'contract.test.mjs'],
  },
};

describe('A contract suite', function () {
  this.timeout(60_000);

  for (const [name, { suite, command }] of Object.entries(RUNNERS))
    it(`is run by ${name}, which sees a broken promise`, async () => {
      const folder = mkdtempSync(join(root, 'dist', 'contract-'));
      try {
        writeFileSync(join(folder, 'contract.test.mjs'), suite);
        writeFileSync(join(folder, 'repository.mjs'), FINE);
        const fine = await run(folder, command);
        expect(fine.code, fine.output).to.equal(0);
        expect(fine.output).to.match(/\b(pass|passed|passing)\b|pass \d+/);
        writeFileSync(join(folder, 'repository.mjs'), BROKEN);
        const broken = await run(folder, command);
        expect(broken.code).not.to.equal(0);
        expect(broken.output).to.include('The category, or undefined when there is none with this id');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});

/** Without what one runner tells another by the environment. */
function run(cwd: string, command: readonly string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
    });
  });
}
