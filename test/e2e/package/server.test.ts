import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProject, unpack, type HostProject } from '../../support/host-project.js';
import { broughtBy, LOCK, MANIFEST, type LockedPackage } from '../../support/lock.js';
import { Workplace } from '../../support/process.js';
import { ROOT } from '../../support/readme.js';
import { Client } from '../../support/service/client.js';
import { listening } from '../../support/socket.js';

const SERVER = fileURLToPath(new URL('dist/server/', ROOT));
const NAME = 'automation-marketplace-server';
const LIBRARY = 'automation-marketplace';
/** Where the package has the library. */
const IN_IT = `node_modules/${LIBRARY}/`;

/** Where pages for people and steps of an installation are. */
const PLACES = ['', 'docs/', 'deploy/', 'composition/program/'];
const PAGE = /(?:\.md|Dockerfile|\.ya?ml)$/;
/** A command that fetches a package of ours by its name; the path of its file has a slash in front. */
const FETCHES = /\b(?:p?npm|npx|yarn|bunx?)\b(?! publish)[^`\n]*(?<![\w./-])automation-marketplace(?![\w.-]*\.tgz)/;

const read = (file: string) => JSON.parse(readFileSync(join(SERVER, file), 'utf8')) as unknown;
const { dependencies, bin, scripts, version } = read('package.json') as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts?: object;
  readonly version: string;
};
const INSTALLED = Object.keys(dependencies).filter((name) => name !== LIBRARY);

describe('The package of the program', function () {
  this.timeout(60_000);

  let host: HostProject;
  let files: readonly string[];
  before(() => {
    host = hostProject(INSTALLED);
    files = unpack(SERVER, join(host.folder, 'node_modules', NAME));
    rmSync(join(host.folder, 'node_modules', LIBRARY), { recursive: true });
  });
  after(() => host.remove());

  it('is a command that an old Node can read, a lock, the library as it is packed, and no script', () => {
    const ofLibrary = files.filter((path) => path.startsWith(IN_IT)).map((path) => path.slice(IN_IT.length));
    const others = files.filter((path) => !path.startsWith(IN_IT));
    expect(others.sort()).to.deep.equal(['LICENSE', 'README.md', 'bin.js', 'npm-shrinkwrap.json', 'package.json']);
    expect(ofLibrary.sort()).to.deep.equal([...host.files].sort());
    expect(bin).to.deep.equal({ [NAME]: 'bin.js', [LIBRARY]: 'bin.js' });
    expect(readFileSync(join(SERVER, 'bin.js'), 'utf8'))
      .to.match(/^#!/)
      .and.not.match(/^import /m);
    expect(scripts).to.equal(undefined);
  });

  it('depends on the library of its version, and on others as the repository has them', () => {
    expect([version, dependencies[LIBRARY]]).to.deep.equal([MANIFEST.version, MANIFEST.version]);
    expect(INSTALLED).to.include.members(['libsql', 'mongodb', 'pg']);
    for (const name of INSTALLED) expect(dependencies[name], name).to.equal(MANIFEST.devDependencies[name]);
  });

  it('has the part of the lock that it needs', () => {
    const { packages } = read('npm-shrinkwrap.json') as { readonly packages: Record<string, LockedPackage> };
    const { '': root, [`node_modules/${LIBRARY}`]: library, ...others } = packages;
    expect(root?.dependencies).to.deep.equal(dependencies);
    expect(library).to.include({ version, inBundle: true }).and.not.have.property('resolved');
    expect(Object.keys(others)).to.have.members([...broughtBy(INSTALLED)]);
    for (const [path, { integrity, ...entry }] of Object.entries(others)) {
      expect(integrity, path).to.equal(LOCK[path]?.integrity);
      expect(entry, path).to.include({ version: LOCK[path]?.version }).and.not.have.property('dev');
    }
  });

  it('is installed from its file, and asks a registry for no package of ours, which may be of a stranger', async () => {
    const asked = new Set<string>();
    const registry = await listening(
      createServer((request, response) => {
        asked.add(decodeURIComponent(request.url?.slice(1) ?? ''));
        response.writeHead(404).end('{}');
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'install-'));
    await npm(folder, 'pack', '--ignore-scripts', '--pack-destination', folder, SERVER);
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    await npm(folder, 'install', '--registry', registry.url, '--fetch-retries', '0', join(folder, file));
    expect([...asked].filter((name) => name.startsWith(LIBRARY))).to.deep.equal([]);
    expect([...asked]).to.include.members(INSTALLED);
    await registry.close();
    rmSync(folder, { recursive: true });
  });

  it('is named for a registry by no page, and neither is the library, until the names are ours', () => {
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
    const command = [process.execPath, join(host.folder, 'node_modules', NAME, 'bin.js')];
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
