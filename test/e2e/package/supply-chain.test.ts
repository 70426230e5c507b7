import { expect } from 'chai';
import { broughtBy, LOCK, MANIFEST, placesOfProgram } from '../../support/lock.js';

const INSTALLED = Object.entries(LOCK).filter(([path]) => path !== '');
const PRODUCTION = Array.from(placesOfProgram(), (path) => [path, LOCK[path] ?? {}] as const);

/** Where a package comes from whose address the lockfile leaves out. */
const REGISTRY = 'https://registry.npmjs.org/';

/** The lowest versions that have no known hole that matters here. */
const FLOORS: Readonly<Record<string, string>> = { koa: '3.1.2', '@koa/router': '15.0.0', ajv: '8.18.0', qs: '6.14.1' };

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

  it('has at most 109 packages in production beyond what koa-bodyparser and libsql bring', () => {
    const excused = broughtBy(['koa-bodyparser', 'libsql']);
    const counted = PRODUCTION.filter(([path]) => !excused.has(path));
    expect(excused.size).to.be.greaterThan(20);
    expect(counted.length, counted.map(([path]) => path).join(' ')).to.be.within(20, 109);
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
