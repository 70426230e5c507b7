import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Workplace } from '../../support/process.js';
import { ROOT } from '../../support/readme.js';
import { Client } from '../../support/service/client.js';

const TIMEOUT_MS = 60_000;

/** By npm, from the registry, on a machine that has nothing of it. */
describe('Installed from its tarball', () => {
  let place: Workplace;
  let tarballs: readonly string[];
  before(async () => {
    place = await Workplace.open();
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place.folder, '.', './dist/server'];
    const names = execFileSync('npm', pack, { cwd: fileURLToPath(ROOT), encoding: 'utf8' });
    tarballs = names
      .trim()
      .split('\n')
      .map((name) => place.path(name));
  });
  after(() => place.clear());

  /** Returns the folder of a project that has installed this package. */
  function install(index: number): string {
    const folder = place.path(`host-${index}`);
    const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', tarballs[index] ?? ''];
    execFileSync('npm', words, { stdio: 'ignore', timeout: TIMEOUT_MS });
    return `${folder}/node_modules`;
  }

  it('the library is one package', () => {
    const installed = readdirSync(install(0)).filter((name) => !name.startsWith('.'));
    expect(installed).to.deep.equal(['automation-marketplace']);
  });

  it('the program serves, by its command, and needs no file but its own', async () => {
    const command = `${install(1)}/.bin/automation-marketplace-server`;
    const service = await place.serve({}, [command, 'serve']);
    const client = new Client(service.url, service.firstKey);
    expect((await client.get('/categories')).status).to.equal(200);
    client.close();
    expect(await service.stop()).to.equal(0);
  });
});
