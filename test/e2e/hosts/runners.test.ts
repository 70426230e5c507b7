import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../support/readme.js';

const built = (path: string) => JSON.stringify(new URL(`dist/${path}`, ROOT).href);

/** Declares all suites, over the storage in memory and over the JSON file. */
const SUITES = `
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyContract } from ${built('test/support/every-contract.js')};
import { inMemoryStorage } from ${built('adapters/in-memory/index.js')};
import { jsonStorage } from ${built('test/integration/own-storage/json-storage.js')};

const folder = mkdtempSync(join(tmpdir(), 'suites-'));
let files = 0;
const STORAGES = [inMemoryStorage, () => jsonStorage(join(folder, (files += 1) + '.json'))];

export function declareAll(runner) {
  for (const unprepared of STORAGES) {
    const empty = async () => {
      const storage = unprepared();
      await storage.prepare({ currency: 'USD' });
      return storage;
    };
    const handles = () => {
      const storage = unprepared();
      return [storage, storage];
    };
    everyContract({ empty, unprepared: handles }, runner);
  }
}`;
const SETTINGS = 'export default { transform: {}, testTimeout: 60000, watchman: false };';

interface Row {
  /** Where it has `describe` and `it`; undefined where these are global. */
  readonly imports?: string;
  readonly run: (bin: string) => readonly string[];
  /** What it prints when all have passed. */
  readonly passed: RegExp;
  readonly options?: string;
}

const RUNNERS: Readonly<Record<string, Row>> = {
  'node:test': {
    imports: `import { describe, it } from 'node:test';`,
    run: () => ['--test', '--test-reporter=tap', 'store.test.js'],
    passed: /^# fail 0$/m,
  },
  vitest: {
    imports: `import { describe, it } from 'vitest';`,
    run: (bin) => [join(bin, 'vitest'), 'run', '--testTimeout', '60000', '--reporter=dot'],
    passed: /Tests +\d{3,} passed/,
  },
  Jest: {
    run: (bin) => [join(bin, 'jest')],
    passed: /Tests: +\d{3,} passed, \d+ total/,
    options: '--experimental-vm-modules',
  },
};

describe('The contract suites, over memory and a JSON file', function () {
  this.timeout(600_000);
  const bin = fileURLToPath(new URL('node_modules/.bin', import.meta.url));

  for (const [name, { imports = '', run, passed, options = '' }] of Object.entries(RUNNERS))
    it(`pass under ${name}, which prints what was left out`, async () => {
      const folder = mkdtempSync(fileURLToPath(new URL('runner-', import.meta.url)));
      const call = imports === '' ? 'declareAll();' : 'declareAll({ describe, it });';
      const test = `${imports}\nimport { declareAll } from './suites.js';\n${call}`;
      const files = { 'package.json': '{ "type": "module" }', 'suites.js': SUITES, 'jest.config.js': SETTINGS };
      for (const [file, text] of Object.entries({ ...files, 'store.test.js': test }))
        writeFileSync(join(folder, file), text);
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, NO_COLOR: '1', CI: 'true', NODE_OPTIONS: options };
      const output = await new Promise<string>((resolve) => {
        const words = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
        execFile(process.execPath, run(bin), words, (_, stdout, stderr) => resolve(stdout + stderr));
      });
      rmSync(folder, { recursive: true });
      expect(output).to.match(passed);
      expect(output).not.to.match(/[1-9]\d* failed/);
      expect(output).to.include('Left out: CatalogueSearch');
    });
});
