import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readmeExamples, ROOT } from '../../support/readme.js';
import { startProcess } from '../../support/process.js';

const run = promisify(execFile);
const root = fileURLToPath(ROOT);
const examples = readmeExamples();

describe('The README', () => {
  it('begins with the two commands that do everything', () => {
    expect(examples[0]?.code).to.match(/^npm ci && npm start .*\nnpm cit /);
  });

  it('the commands for a running service do what they say', async () => {
    const service = await startProcess();
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    try {
      writeFileSync(join(folder, 'categories.json'), '[{ "id": "email", "name": "Email" }]');
      writeFileSync(join(folder, 'automations.jsonl'), AUTOMATION_LINE);
      const script = examples
        .filter(({ heading, language }) => heading === 'Run the service' && language === 'sh')
        .map(({ code }) => code)
        .join('')
        .replace('amk_...', service.firstKey)
        .replace('http://127.0.0.1:3000', service.url)
        .replace(' exports ', ' test/integration/file-inspection/samples ')
        .replace(/(categories\.json|automations\.jsonl)/g, (name) => join(folder, name));
      const { stdout } = await run('bash', ['-euc', script], {
        cwd: root,
        env: { ...process.env, ...service.environment },
      });
      expect(stdout)
        .to.include('"title":"Sort my inbox"')
        .and.include('1 stored')
        .and.include('20 stored')
        .and.match(/^amk_[0-9A-Za-z]{36}$/m);
    } finally {
      rmSync(folder, { recursive: true });
      await service.stop();
    }
  });
});

const AUTOMATION_LINE = '{ "title": "One", "description": "Two", "price": 3, "category_id": "email" }\n';
