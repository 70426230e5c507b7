import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const LOCK = (JSON.parse(readProjectFile('package-lock.json')) as { packages: Record<string, LockedPackage> }).packages;
const MANIFEST = JSON.parse(readProjectFile('package.json')) as Manifest;
const INSTALLED = Object.entries(LOCK).filter(([path]) => path !== '');
const PRODUCTION = INSTALLED.filter(([, { dev }]) => dev !== true);

/** Where a package comes from whose address the lockfile leaves out. */
const REGISTRY = 'https://registry.npmjs.org/';

/** The lowest versions that have no known hole that matters here. */
const FLOORS: Readonly<Record<string, string>> = { koa: '3.1.2', '@koa/router': '15.0.0', ajv: '8.18.0', qs: '6.14.1' };

/** The file in the nearest folder above that has it: the build's own folder has none. */
function readProjectFile(name: string): string {
  for (let folder = new URL('..', import.meta.url); ; folder = new URL('..', folder)) {
    if (existsSync(new URL(name, folder))) return readFileSync(new URL(name, folder), 'utf8');
    if (folder.pathname === '/') throw new Error(`there is no ${name} above the tests`);
  }
}

/** The packages that a package brings, itself included, found as Node finds them. */
function broughtBy(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const { dependencies, optionalDependencies, peerDependencies } = LOCK[path] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const place = resolve(path, name);
    if (place !== undefined) broughtBy(place, found);
  }
  return found;
}

function resolve(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (LOCK[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}

function isAtLeast(version: string, floor: string): boolean {
  return version.localeCompare(floor, 'en', { numeric: true }) >= 0;
}

describe('The supply chain', () => {
  it('is locked by SHA-512, every package of it, and comes from the registry alone', () => {
    expect(INSTALLED).to.have.length.of.at.least(100);
    for (const [path, { integrity, resolved, link }] of INSTALLED) {
      expect(integrity, path).to.match(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(resolved ?? REGISTRY, path).to.match(new RegExp(`^${REGISTRY}`));
      expect(link, path).to.equal(undefined);
    }
  });

  it('is asked for by version, never by address, file or range', () => {
    for (const [name, wanted] of Object.entries({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies }))
      expect(wanted, name).to.match(/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+$/);
    for (const [path, { dependencies, optionalDependencies }] of INSTALLED)
      for (const [name, wanted] of Object.entries({ ...dependencies, ...optionalDependencies }))
        expect(wanted, `${path} wants ${name}`).not.to.match(/^(git|https?|file|link|github|ssh)\b|\//);
  });

  it('is locked as the manifest asks', () => {
    expect(LOCK['']).to.deep.include({
      dependencies: MANIFEST.dependencies,
      devDependencies: MANIFEST.devDependencies,
    });
  });

  it('runs no script at the install of what is used in production', () => {
    expect(PRODUCTION.filter(([, { hasInstallScript }]) => hasInstallScript === true)).to.deep.equal([]);
  });

  it('has at most 100 packages in production beyond what koa-bodyparser and libsql bring', () => {
    const excused = new Set([...broughtBy('node_modules/koa-bodyparser'), ...broughtBy('node_modules/libsql')]);
    const counted = PRODUCTION.filter(([path]) => !excused.has(path));
    expect(excused.size).to.be.greaterThan(20);
    expect(counted.length, counted.map(([path]) => path).join(' ')).to.be.within(20, 100);
  });

  it('has nothing in production that nothing in production brings', () => {
    const brought = new Set(
      Object.keys(MANIFEST.dependencies).flatMap((name) => [...broughtBy(`node_modules/${name}`)]),
    );
    expect(PRODUCTION.map(([path]) => path).filter((path) => !brought.has(path))).to.deep.equal([]);
  });

  it('is above the floors', () => {
    for (const [name, floor] of Object.entries(FLOORS))
      for (const [path, { version = '' }] of PRODUCTION)
        if (path.endsWith(`node_modules/${name}`))
          expect(isAtLeast(version, floor), `${path} ${version}`).to.equal(true);
    expect(LOCK['node_modules/koa']?.version).to.be.a('string');
    expect(isAtLeast(MANIFEST.engines['node']?.replace('>=', '') ?? '', '20.19')).to.equal(true);
  });
});
