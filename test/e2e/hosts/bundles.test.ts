import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { othersOf } from '../../support/packages.js';
import { startService, type TestService } from '../../support/service.js';

const HTTP = 'automation-marketplace-http';

const CLIENT = `
  import { createClient, ProblemError } from 'automation-marketplace/client';
  export const run = async (baseUrl, key) => {
    const { automations } = createClient({ baseUrl, key });
    await automations.create({ title: 'Sort 📥', description: 'x', price: 1, category_id: 'communication' });
    const titles = [];
    for await (const { title } of automations.list()) titles.push(title);
    const code = await automations.get('unknown').catch((error) => error instanceof ProblemError && error.code);
    return [...titles, code].join();
  };`;

const HOST = `
  import { newCore } from 'automation-marketplace';
  import { createHttpApp } from 'automation-marketplace-http';
  import { inMemoryStorage } from 'automation-marketplace/in-memory';
  const { marketplace, verifier } = newCore(inMemoryStorage());
  export const app = createHttpApp(marketplace, { verifier, documents: false });`;

/** The globals of a runtime of the web that is not Node. */
const WEB = { fetch, URL, URLSearchParams, AbortController, setTimeout, clearTimeout, crypto };

/** The program in one file, with everything that it imports. */
async function bundled(
  host: HostProject,
  program: string,
  platform: 'browser' | 'node',
  format: 'iife' | 'esm',
): Promise<string> {
  host.write('entry.js', program);
  const build = await rolldown({ input: join(host.folder, 'entry.js'), platform, logLevel: 'silent' });
  const { output } = await build.generate({ format, name: 'bundle' });
  expect(output).to.have.length(1);
  return output[0].code;
}

describe('A bundle of the library', () => {
  let service: TestService;
  let host: HostProject;
  before(async () => {
    service = await startService();
    host = hostProject({ packages: [HTTP], complete: false });
    host.link(othersOf([HTTP]));
  });
  after(async () => {
    host.remove();
    await service.close();
  });

  it('of the client runs where there is no Node', async () => {
    const code = await bundled(host, CLIENT, 'browser', 'iife');
    expect(code).not.to.match(/\brequire\(|node:|\bprocess\b/);
    const context = createContext({ ...WEB });
    runInContext(code, context);
    const run = runInContext('bundle.run', context) as (baseUrl: string, key: string) => Promise<string>;
    expect(await run(`${service.url}/api`, await service.key())).to.equal('Sort 📥,not-found');
  });

  it('of the API without its documents loads far from the files of the package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    try {
      writeFileSync(join(folder, 'host.mjs'), await bundled(host, HOST, 'node', 'esm'));
      const { app } = (await import(pathToFileURL(join(folder, 'host.mjs')).href)) as { readonly app: object };
      expect(app).to.have.property('callback').that.is.a('function');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
