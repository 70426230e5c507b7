import { expect } from 'chai';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { ROOT } from '../../support/readme.js';

const root = fileURLToPath(ROOT);

const MINE = './repository.mjs';

const FINE = `import { InMemoryCategoryRepository } from 'automation-marketplace/in-memory';
export class Repository extends InMemoryCategoryRepository {}`;
const BROKEN = FINE.replace('{}', '{ async find() { return undefined; } }');

const SUITE = `import { categoryRepositoryContract } from 'automation-marketplace-contracts';
import { Repository } from '${MINE}';
`;

/** Every suite of the package, over memory. */
const ALL = `import { describe, it } from 'node:test';
import * as contracts from 'automation-marketplace-contracts';
import * as memory from 'automation-marketplace/in-memory';
import { everyContract } from '${new URL('dist/test/support/every-contract.js', ROOT).href}';
const runner = { describe, it };
const handles = () => {
  const storage = memory.inMemoryStorage();
  return [storage, storage];
};
everyContract({ empty: () => memory.inMemoryStorage(), unprepared: handles }, runner, contracts);
contracts.apiKeyVerifierContract((callers) => {
  const known = callers.map((caller, index) => ['secret-' + index, caller]);
  const credentials = known.map(([credential]) => credential);
  return { verifier: new memory.InMemoryApiKeyVerifier(known), credentials, ended: [] };
}, runner);
`;

/** How each runner is started, and how it is handed to the contract. */
const RUNNERS: Readonly<Record<string, { readonly suite: string; readonly command: readonly string[] }>> = {
  'node:test': {
    suite:
      `import { describe, it } from 'node:test';\n${SUITE}categoryRepositoryContract(() => new Repository(), { ` +
      `describe, it });`,
    command: ['--test', 'contract.test.mjs'],
  },
  mocha: {
    suite: `${SUITE}categoryRepositoryContract(() => new Repository());`,
    command: [join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', 'contract.test.mjs'],
  },
};

describe('A contract suite', () => {
  let host: HostProject;
  before(() => {
    host = hostProject({ packages: ['automation-marketplace-contracts'] });
  });
  after(() => host.remove());

  it('of its package says what it needs where there is no runner', async () => {
    host.write('alone.mjs', `${SUITE}categoryRepositoryContract(() => new Repository());`);
    host.write('repository.mjs', FINE);
    const { code, output } = await host.run('alone.mjs');
    expect(code).to.equal(1);
    expect(output).to.include('TypeError: a contract suite needs describe and it of a test runner');
  });

  it('of every port is run by node:test', async () => {
    host.write('all.test.mjs', ALL);
    const { code, output } = await host.run('--test', '--test-reporter=tap', 'all.test.mjs');
    expect(code, output).to.equal(0);
    expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).to.be.greaterThan(150);
  });

  for (const [name, { suite, command }] of Object.entries(RUNNERS))
    it(`of its package is run by ${name}, which sees a broken promise`, async () => {
      host.write('contract.test.mjs', suite);
      host.write('repository.mjs', FINE);
      const fine = await host.run(...command);
      expect(fine.code, fine.output).to.equal(0);
      expect(fine.output).to.match(/\b(pass|passed|passing)\b|pass \d+/);
      host.write('repository.mjs', BROKEN);
      const broken = await host.run(...command);
      expect(broken.code).not.to.equal(0);
      expect(broken.output).to.include('Returns the category; undefined when there is none with this id');
    });
});
