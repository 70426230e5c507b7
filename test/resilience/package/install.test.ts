import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PACKAGES_FOLDER, SERVER } from '../../support/packages.js';
import { Workplace } from '../../support/process.js';
import { Client } from '../../support/service/client.js';

const TIMEOUT_MS = 60_000;

/** By npm, from the registry, on a machine that has nothing of it. */
describe('Installed from its tarball', () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open();
  });
  after(() => place.clear());

  /** Returns the folder of a project that has installed this package. */
  function install(name: string): string {
    const folder = fileURLToPath(new URL(name, PACKAGES_FOLDER));
    const pack = ['pack', '--silent', '--pack-destination', place.folder, folder];
    const file = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
    const words = ['install', '--prefix', place.path(name), '--no-audit', '--no-fund', place.path(file)];
    execFileSync('npm', words, { stdio: 'ignore', timeout: TIMEOUT_MS });
    return `${place.path(name)}/node_modules`;
  }

  it('the core is one package', () => {
    const installed = readdirSync(install('automation-marketplace')).filter((name) => !name.startsWith('.'));
    expect(installed).to.deep.equal(['automation-marketplace']);
  });

  it('the program serves, by its command, and needs no file but its own', async () => {
    const command = `${install(SERVER)}/.bin/${SERVER}`;
    const service = await place.serve({}, [command, 'serve']);
    const client = new Client(service.url, service.firstKey);
    expect((await client.get('/categories')).status).to.equal(200);
    client.close();
    expect(await service.stop()).to.equal(0);
  });
});
