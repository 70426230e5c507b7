import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { broughtBy, LOCK, MANIFEST, type LockedPackage } from '../../support/lock.js';
import { PACKAGES, PACKAGES_FOLDER, SERVER } from '../../support/packages.js';
import { Workplace } from '../../support/process.js';
import { ROOT } from '../../support/readme.js';
import { Client } from '../../support/service/client.js';
import { listening } from '../../support/socket.js';

const FOLDER = fileURLToPath(new URL(SERVER, PACKAGES_FOLDER));
const { dependencies = {}, version } = PACKAGES.get(SERVER) ?? {};
const INSTALLED = Object.keys(dependencies);

/** Where pages for people and steps of an installation are. */
const PLACES = ['', 'docs/', 'deploy/', 'composition/program/'];
const PAGE = /(?:\.md|Dockerfile|\.ya?ml)$/;
/** A command that fetches a package of ours by its name; the path of its file has a slash in front. */
const FETCHES = /\b(?:p?npm|npx|yarn|bunx?)\b(?! publish)[^`\n]*(?<![\w./-])automation-marketplace(?![\w.-]*\.tgz)/;

describe('The package of the program', () => {
  let host: HostProject;
  before(() => {
    host = hostProject({ packages: [SERVER] });
  });
  after(() => host.remove());

  it('has a command that an old Node can read', () => {
    expect(readFileSync(join(FOLDER, 'composition/bin.js'), 'utf8'))
      .to.match(/^#!/)
      .and.not.match(/^import /m);
  });

  it('depends on what is not bundled, in the versions of the workspace', () => {
    expect(dependencies).to.deep.equal(MANIFEST.dependencies);
    expect(INSTALLED).to.include.members(['libsql', 'mongodb', 'pg']);
  });

  it('has the part of the lock that it needs', () => {
    const { packages } = JSON.parse(readFileSync(join(FOLDER, 'npm-shrinkwrap.json'), 'utf8')) as {
      readonly packages: Record<string, LockedPackage>;
    };
    const { '': root, ...others } = packages;
    expect(root?.dependencies).to.deep.equal(dependencies);
    expect(Object.keys(others)).to.have.members([...broughtBy(INSTALLED)]);
    for (const [path, entry] of Object.entries(others)) expect(entry, path).to.deep.equal(LOCK[path]);
  });

  it('is installed from its file, and asks a registry for no package of the project', async () => {
    const asked = new Set<string>();
    const registry = await listening(
      createServer((request, response) => {
        asked.add(decodeURIComponent(request.url?.slice(1) ?? ''));
        response.writeHead(404).end('{}');
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'install-'));
    await npm(folder, 'pack', '--ignore-scripts', '--pack-destination', folder, FOLDER);
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    await npm(folder, 'install', '--registry', registry.url, '--fetch-retries', '0', join(folder, file));
    expect([...asked].filter((name) => PACKAGES.has(name))).to.deep.equal([]);
    expect([...asked]).to.include.members(INSTALLED);
    await registry.close();
    rmSync(folder, { recursive: true });
  });

  it('is named for a registry by no page, as little as another package of the project', () => {
    const pages = PLACES.flatMap((place) => readdirSync(new URL(place, ROOT)).map((file) => `${place}${file}`)).filter(
      (path) => PAGE.test(path),
    );
    expect(pages).to.include.members([
      'README.md',
      'docs/operation.md',
      'deploy/Dockerfile',
      'composition/program/README.md',
    ]);
    const lines = pages.flatMap((page) => readFileSync(new URL(page, ROOT), 'utf8').split('\n'));
    const named = lines.filter((line) => FETCHES.test(line));
    expect(named).to.deep.equal([]);
    for (const command of [
      'npx automation-marketplace serve',
      'npm i -g automation-marketplace-server',
      'npm install x automation-marketplace',
    ])
      expect(command).to.match(FETCHES);
  });

  it('serves, and runs commands, with nothing else installed', async () => {
    const command = [process.execPath, join(host.folder, 'node_modules', SERVER, 'composition/bin.js')];
    const place = await Workplace.open();
    const service = await place.serve({}, [...command, 'serve']);
    const client = new Client(service.url, service.firstKey);
    expect((await client.get('/automations')).status).to.equal(200);
    client.close();
    expect((await fetch(`${service.url}/docs`)).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
    const { stdout } = await host.run(command[1] ?? '', '--version');
    expect(stdout.trim()).to.equal(version);
    await place.clear();
  });
});

/** Runs npm without a user's settings and cache; resolves also when it fails. */
function npm(folder: string, ...args: readonly string[]): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_cache: join(folder, 'cache') };
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: folder, env }, () => resolve());
  });
}
