import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProject, unpack, type HostProject } from '../../support/host-project.js';
import { broughtBy, LOCK, MANIFEST, type LockedPackage } from '../../support/lock.js';
import { Workplace } from '../../support/process.js';
import { ROOT } from '../../support/readme.js';
import { Client } from '../../support/service/client.js';

const SERVER = fileURLToPath(new URL('dist/server/', ROOT));
const NAME = 'automation-marketplace-server';
const LIBRARY = 'automation-marketplace';

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
  });
  after(() => host.remove());

  it('is a command of three lines under two names, a lock, and no script', () => {
    expect([...files].sort()).to.deep.equal(['LICENSE', 'README.md', 'bin.js', 'npm-shrinkwrap.json', 'package.json']);
    expect(bin).to.deep.equal({ [NAME]: 'bin.js', [LIBRARY]: 'bin.js' });
    expect(readFileSync(join(SERVER, 'bin.js'), 'utf8').trim().split('\n')).to.have.length(3);
    expect(scripts).to.equal(undefined);
  });

  it('depends on the library of its version, and on others as the repository has them', () => {
    expect([version, dependencies[LIBRARY]]).to.deep.equal([MANIFEST.version, MANIFEST.version]);
    expect(INSTALLED).to.include.members(['libsql', 'mongodb']);
    for (const name of INSTALLED) expect(dependencies[name], name).to.equal(MANIFEST.devDependencies[name]);
  });

  it('has the part of the lock that it needs', () => {
    const { packages } = read('npm-shrinkwrap.json') as { readonly packages: Record<string, LockedPackage> };
    const { '': root, [`node_modules/${LIBRARY}`]: library, ...others } = packages;
    expect(root?.dependencies).to.deep.equal(dependencies);
    expect(library).to.include({ version });
    expect(Object.keys(others)).to.have.members([...broughtBy(INSTALLED)]);
    for (const [path, { integrity, ...entry }] of Object.entries(others)) {
      expect(integrity, path).to.equal(LOCK[path]?.integrity);
      expect(entry, path).to.include({ version: LOCK[path]?.version }).and.not.have.property('dev');
    }
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
