import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readmeExamples, ROOT } from './support/readme.js';
import { startProcess } from './support/process.js';

const run = promisify(execFile);
const root = fileURLToPath(ROOT);
const examples = readmeExamples();

/** Runs a module inside the package, so that it can import the package by its name, and answers what it printed. */
async function runModule(code: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root });
  return stdout;
}

describe('README', () => {
  it('begins with the two commands that do everything', () => {
    expect(examples[0]?.code).to.match(/^npm ci && npm start .*\nnpm cit /);
  });

  const sections = new Map<string, string>();
  for (const { heading, language, code } of examples)
    if (language === 'js' && !code.includes('./my-')) sections.set(heading, (sections.get(heading) ?? '') + code);

  it('has an example for each way to embed the core', () => expect(sections.size).to.equal(6));
  for (const [heading, code] of sections)
    it(`the example under "${heading}" prints what it says`, async () => {
      const expected = Array.from(code.matchAll(/\/\/ → (.+)$/gm), ([, text]) => text ?? '');
      const printed = (await runModule(code.replaceAll('8080', String(await freePort())))).replace(/\s+/g, ' ');
      expect(expected).to.not.be.empty;
      for (const text of expected) expect(printed).to.include(text);
    });

  it('the example of a contract suite runs it', async () => {
    const example = examples.find(({ code }) => code.includes('./my-automation-repository.js'));
    const folder = mkdtempSync(join(root, 'dist', 'readme-'));
    try {
      writeFileSync(join(folder, 'my-automation-repository.js'), MY_REPOSITORY);
      writeFileSync(join(folder, 'example.test.js'), example?.code ?? '');
      const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
      const options = ['--no-config', '--reporter', 'json', join(folder, 'example.test.js')];
      const { stdout } = await run(process.execPath, [mocha, ...options], { cwd: root });
      const { stats } = JSON.parse(stdout) as { stats: { passes: number; failures: number } };
      expect(stats.passes).to.be.greaterThan(40);
      expect(stats.failures).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
        .replace(/(categories\.json|automations\.jsonl)/g, (name) => join(folder, name));
      const { stdout } = await run('bash', ['-euc', script], { cwd: root, env: { ...process.env, ...service.environment } });
      expect(stdout).to.include('"title":"Sort my inbox"').and.include('1 stored').and.match(/^amk_[0-9A-Za-z]{36}$/m);
    } finally {
      rmSync(folder, { recursive: true });
      await service.stop();
    }
  });
});

const AUTOMATION_LINE = '{ "title": "One", "description": "Two", "price": 3, "category_id": "email" }\n';

const MY_REPOSITORY = `
import { InMemoryAutomationRepository } from 'automation-marketplace/in-memory';
export class MyAutomationRepository extends InMemoryAutomationRepository {}
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
