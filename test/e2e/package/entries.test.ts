import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../../domain/errors.js';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { MANIFEST, PEERS } from '../../support/lock.js';
import { packagesLoadedBy } from '../../support/packages-loaded.js';
import { reachedFrom } from '../../support/reached.js';
import { readmePrograms, ROOT } from '../../support/readme.js';
import { freePort } from '../../support/socket.js';

/**
 * Of the packages that are not Node's, those that each entry loads. A host pays for them: a change here is a decision.
 */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  '.': [],
  './in-memory': [],
  './client': [],
  './contracts': [],
  './storage': ['lru-cache'],
  './sqlite': ['libsql', 'lru-cache'],
  './postgresql': ['lru-cache'],
  './mongodb': ['lru-cache', 'mongodb'],
  './oauth': ['jose'],
  './http': ['@koa/router', 'ajv', 'eta', 'koa', 'koa-bodyparser', 'lru-cache', 'rate-limiter-flexible'],
  './panel': ['@koa/router', 'eta', 'koa', 'koa-bodyparser', 'lru-cache', 'rate-limiter-flexible'],
  './catalogue': ['@koa/router', 'eta', 'koa', 'lru-cache', 'rate-limiter-flexible'],
  './composition': ['inversify', 'reflect-metadata'],
  './program': [],
};
/** The packages that a host brings itself: the entry takes an object of theirs, and loads none of them. */
const BROUGHT: Readonly<Record<string, readonly string[]>> = { './postgresql': ['pg'] };
/** The packages that `createService` loads in addition to those of storage and issuer. */
const SERVICE: readonly string[] = [
  ...['@koa/router', 'ajv', 'eta', 'inversify', 'koa', 'koa-bodyparser', 'lru-cache', 'prom-client'],
  ...['rate-limiter-flexible', 'reflect-metadata'],
];

const GUIDE = readFileSync(new URL('docs/embedding.md', ROOT), 'utf8');
const entryPoints = Object.entries(MANIFEST.exports).flatMap(([entry, to]) =>
  typeof to === 'string' ? [] : [{ entry, ...to }],
);
const named = (entry: string) => entry.replace(/^\./, 'automation-marketplace');

/** Returns what a host installs with the library, with the accepted versions. Before 1.0 a minor one is a major one. */
function installed(packages: readonly string[]): string {
  const versions = packages.map((name) => /\d+(?<=^\^0)\.\d+|\d+/.exec(MANIFEST.peerDependencies[name] ?? '')?.[0]);
  return packages.length === 0 ? 'nothing' : `\`${packages.map((name, at) => `${name}@${versions[at]}`).join(' ')}\``;
}

/** Returns the last cell of each row of the guide's tables, by the code that its first cell begins with. */
function guideRows(): ReadonlyMap<string, string> {
  const rows = GUIDE.matchAll(/^\| `([^`]+)`[^|]*\|.*\| ([^|]+) \|$/gm);
  return new Map(Array.from(rows, ([, name = '', cell = '']) => [name, cell]));
}

describe('An entry of the packed package', function () {
  this.timeout(60_000);

  let host: HostProject;
  before(() => {
    host = hostProject([]);
  });
  afterEach(() => host.unlink());
  after(() => host.remove());

  it('is written here, with what it loads', () =>
    expect(entryPoints.map(({ entry }) => entry)).to.have.members(Object.keys(LOADS)));

  for (const [entry, packages] of Object.entries(LOADS))
    it(`${named(entry)} loads ${packages.join(', ') || 'no other package'}, and needs nothing else`, () => {
      host.link(packages);
      expect(packagesLoadedBy(named(entry), host.folder)).to.deep.equal(packages);
    });

  it('says which package is missing', async () => {
    host.write('missing.mjs', 'await import(process.argv[2]).catch((error) => console.log(`${error.code} ${error}`));');
    for (const [entry, packages] of Object.entries(LOADS).filter(([, names]) => names.length > 0)) {
      const { output } = await host.run('missing.mjs', named(entry));
      const [, missing] = /^ERR_MODULE_NOT_FOUND Error.*: Cannot find package '([^']+)'/.exec(output) ?? [];
      expect(packages, output).to.include(missing);
    }
  });

  it('has types that lean on what it loads alone; on Koa where applications are mounted', () => {
    const library = join(host.folder, 'node_modules', 'automation-marketplace');
    for (const { entry, types } of entryPoints) {
      const { packages } = reachedFrom([types], library, ['.d.ts']);
      const allowed = [...(LOADS[entry] ?? []), ...(entry === './composition' ? ['koa'] : [])];
      expect(allowed, entry).to.include.members([...packages]);
    }
  });

  it('is all that `createService` needs, with these packages', async () => {
    host.link(SERVICE);
    const program = readmePrograms().get('The whole service')?.join('') ?? '';
    host.write('service.mjs', program.replaceAll('8080', await freePort()));
    const { code, output } = await host.run('service.mjs');
    expect([code, output.trim()]).to.deep.equal([0, '200']);
  });

  it('has errors that another copy recognises', async () => {
    const copy = join(host.folder, 'node_modules/automation-marketplace/dist/domain/errors.js');
    const { DomainError: Copied } = (await import(copy)) as { DomainError: typeof DomainError };
    expect(Copied).to.not.equal(DomainError);
    expect(new Copied('unavailable', 'store-unavailable', 'gone')).to.be.instanceOf(DomainError);
  });

  it('is in docs/embedding.md, with one line that installs what it needs', () => {
    const rows = guideRows();
    for (const [entry, packages] of Object.entries(LOADS))
      expect(rows.get(named(entry)), entry).to.equal(installed([...packages, ...(BROUGHT[entry] ?? [])]));
    expect(rows.get('createService')).to.equal(installed(SERVICE));
    const used = new Set([...SERVICE, ...Object.values(LOADS).flat(), ...Object.values(BROUGHT).flat(), '@types/koa']);
    expect([...used].sort()).to.deep.equal([...PEERS].sort());
  });
});
