import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ENTRIES, PACKAGES, PACKAGES_FOLDER, SERVER } from '../../support/packages.js';
import { promisedOutput, readmePrograms } from '../../support/readme.js';
import { freePort } from '../../support/socket.js';

const run = promisify(execFile);

/** The major version before the one that our packages use, of each that has one. */
const PREVIOUS: Readonly<Record<string, string>> = {
  '@koa/router': '12',
  ajv: '6',
  eta: '3',
  jose: '5',
  koa: '2',
  'lru-cache': '10',
  'markdown-it': '14',
  mongodb: '6',
  'prom-client': '14',
  'rate-limiter-flexible': '5',
};
const COMPOSITION = 'automation-marketplace-composition';
/** Opens a database of each kind that needs no server, and asks the API that is mounted over it. */
const SQLITE = `
import { sqliteStorage } from 'automation-marketplace-sqlite';
const storage = sqliteStorage('market.db');
await storage.prepare({ currency: 'EUR' });
console.log((await storage.automations.list({ page: { number: 1, limit: 5 } })).total); // → 0
await storage.close();`;

describe('Next to the major versions before of what our packages use', function () {
  this.timeout(600_000);

  let folder: string;
  let files: ReadonlyMap<string, string>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'previous-'));
    const folders = Array.from(PACKAGES.keys(), (name) => fileURLToPath(new URL(name, PACKAGES_FOLDER)));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...folders]);
    const packed = JSON.parse(stdout) as readonly { readonly name: string; readonly filename: string }[];
    files = new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Installs the files of these packages and others from the registry, all in one command, into an empty project. */
  async function install(project: string, names: readonly string[], others: Readonly<Record<string, string>>) {
    const place = join(folder, project);
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    const wanted = Object.entries(others).map(([name, version]) => `${name}@${version}`);
    const ours = names.map((name) => files.get(name) ?? '');
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted, ...ours], { cwd: place });
    for (const [name, version] of Object.entries(others))
      expect(versionOf(join(place, 'node_modules', name)), name).to.match(new RegExp(`^${version}\\.`));
    return place;
  }

  async function prints(place: string, program: string): Promise<void> {
    writeFileSync(join(place, 'program.js'), program.replaceAll('8080', await freePort()));
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: place });
    expect(promisedOutput(program)).to.not.be.empty;
    for (const text of promisedOutput(program)) expect(stdout.replace(/\s+/g, ' ')).to.include(text);
  }

  const programUnder = (heading: string) => readmePrograms().get(heading)?.join('') ?? '';

  /** Loads every entry of these packages. */
  const loads = (names: readonly string[]) => {
    const entries = ENTRIES.filter(({ packageName }) => names.includes(packageName));
    return `${entries.map(({ name }) => `await import('${name}');`).join('\n')}\nconsole.log('loaded'); // → loaded\n`;
  };

  it('all but the composition install beside inversify 6 as well, load, serve and store', async () => {
    const names = [...PACKAGES.keys()].filter((name) => name !== COMPOSITION);
    const place = await install('parts', names, { ...PREVIOUS, inversify: '6', 'reflect-metadata': '0.2' });
    await prints(place, loads(names));
    await prints(place, programUnder('The core alone'));
    await prints(place, programUnder('The HTTP application in a server of yours'));
    await prints(place, SQLITE);
    const { stdout } = await run(join(place, 'node_modules/.bin', SERVER), ['--version']);
    expect(stdout.trim()).to.equal(PACKAGES.get(SERVER)?.version);
  });

  it('the composition installs, and runs the whole service', async () => {
    const names = [...PACKAGES.keys()].filter((name) => name !== SERVER);
    const place = await install('whole', names, PREVIOUS);
    await prints(place, programUnder('The whole service'));
    await prints(place, programUnder('Your own container'));
  });
});

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
