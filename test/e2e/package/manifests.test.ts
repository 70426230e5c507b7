import { expect } from 'chai';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { MANIFEST } from '../../support/lock.js';
import { othersOf, ourPackagesOf, PACKAGES, PACKAGES_FOLDER, SERVER } from '../../support/packages.js';
import { reachedFrom, withoutEnding } from '../../support/reached.js';
import { ROOT } from '../../support/readme.js';

const CORE = 'automation-marketplace';
/** The most that the core may have, unpacked: the size of its files, as npm counts it. */
const MAX_CORE_BYTES = 400_000;

const folderOf = (name: string) => fileURLToPath(new URL(name, PACKAGES_FOLDER));

/** Returns the files of a package by their paths in it. */
function filesOf(name: string): readonly string[] {
  const entries = readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' });
  return entries.filter((path) => statSync(join(folderOf(name), path)).isFile());
}

/** What the modules and the types of our packages import of each other. */
const IMPORTS = [...PACKAGES.keys()].flatMap((name) =>
  filesOf(name)
    .filter((path) => name !== SERVER && /\.(?:js|d\.ts)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folderOf(name), path), 'utf8');
      return Array.from(text.matchAll(/(['"`])(automation-marketplace[^'"`]*\/[^'"`]+)\1/g), ([, , one = '']) => one);
    }),
);

describe('Our packages', () => {
  it('have the version of the workspace, ask for each other by it, and run no script', () => {
    expect(PACKAGES.size).to.be.greaterThan(10);
    for (const { name, version, dependencies, scripts } of PACKAGES.values()) {
      expect([version, scripts], name).to.deep.equal([MANIFEST.version, undefined]);
      const ours = Object.entries(dependencies).filter(([one]) => PACKAGES.has(one));
      for (const [one, wanted] of ours) expect(wanted, `${name} wants ${one}`).to.equal(version);
    }
  });

  it('say where their sources are, where to report a mistake, and what to read', () => {
    const { repository, homepage, bugs } = MANIFEST;
    for (const manifest of PACKAGES.values()) {
      const { name } = manifest;
      expect(manifest, name).to.deep.include({ repository, homepage, bugs });
      expect([repository?.url, homepage, bugs?.url].join(' ')).to.match(/^git\+https:\S+\.git https:\S+ https:\S+$/);
    }
  });

  it('are closed but for their entries and what sibling packages import by version', () => {
    for (const { name, version, exports } of PACKAGES.values()) {
      const paths = Object.keys(exports).filter((path) => typeof exports[path] === 'string');
      const internal = paths.filter((path) => path !== './package.json');
      expect(paths.filter((path) => path.includes('*'))).to.deep.equal([]);
      for (const path of internal) expect(path.startsWith(`./internal/${version}/`), `${name} ${path}`).to.equal(true);
      const imported = new Set(IMPORTS.filter((one) => one.startsWith(`${name}/internal/`)));
      expect(internal.map((path) => name + path.slice(1))).to.have.members([...imported]);
    }
    expect(IMPORTS.filter((one) => one.includes('/internal/'))).to.have.length.above(50);
  });

  it('have each database in the package of its storage alone: the composition brings none', () => {
    const brings = ourPackagesOf([`${CORE}-composition`]);
    expect(brings).to.include(`${CORE}-storage`);
    expect(brings.filter((name) => /-(?:sql|sqlite|postgresql|mongodb)$/.test(name))).to.deep.equal([]);
    expect(othersOf(brings).filter((name) => /libsql|mongodb|^pg$/.test(name))).to.deep.equal([]);
    for (const [driver, storage] of [
      ['libsql', 'sqlite'],
      ['mongodb', 'mongodb'],
    ] as const) {
      const owners = [...PACKAGES.values()].filter(
        ({ name, dependencies }) => name !== SERVER && driver in dependencies,
      );
      expect(owners.map(({ name }) => name)).to.deep.equal([`${CORE}-${storage}`]);
    }
  });

  it('have one command, that of the program', () => {
    const commands = [...PACKAGES.values()].flatMap(({ name, bin }) => (bin ? [name] : []));
    expect(commands).to.deep.equal([SERVER]);
  });

  it('have peers only where a container of the host and ours must be one copy', () => {
    const peers = [...PACKAGES.values()].flatMap(({ name, peerDependencies = {} }) =>
      Object.keys(peerDependencies).flatMap((peer) => (PACKAGES.has(peer) ? [] : [`${name}: ${peer}`])),
    );
    expect(peers).to.deep.equal(['inversify', 'reflect-metadata'].map((peer) => `${CORE}-composition: ${peer}`));
  });

  for (const name of PACKAGES.keys())
    it(`${name} is as publint wants it`, async () => {
      const { messages } = await publint({ pkgDir: folderOf(name), level: 'warning', pack: false });
      expect(messages).to.deep.equal([]);
    });

  it('have no test, no source and no map', () => {
    for (const name of PACKAGES.keys())
      expect(filesOf(name).filter((path) => /\.test\.|\.map$|(?<!\.d)\.ts$/.test(path))).to.deep.equal([]);
  });

  it('have no module that nothing reaches', () => {
    const starts = [...PACKAGES.values()].flatMap(({ exports }) =>
      Object.entries(exports).flatMap(([path, to]) =>
        typeof to === 'string' || path.includes('*') ? [] : [withoutEnding(to.types)],
      ),
    );
    const thread = 'adapters/sql/sqlite/thread-program';
    const { files } = reachedFrom([...starts, thread], fileURLToPath(new URL('dist', ROOT)));
    const modules = [...PACKAGES.keys()].filter((name) => name !== SERVER).flatMap((name) => filesOf(name));
    const programs = modules.filter((path) => /(?<!\/assets\/.*)\.(d\.ts|js)$/.test(path)).map(withoutEnding);
    expect(files.size).to.be.greaterThan(300);
    expect(programs.filter((path) => !files.has(path))).to.deep.equal([]);
  });

  it('have pages of the documentation whose links lead to what is in the same package', () => {
    const pages = filesOf(SERVER).filter((path) => /^[^/]*\.md$|^docs\/[^/]*\.md$/.test(path));
    const links = pages.flatMap((page) =>
      Array.from(readFileSync(join(folderOf(SERVER), page), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)).map(
        ([, path = '']) => join(page, '..', path),
      ),
    );
    expect(links).to.include.members(['docs/settings.md', 'docs/adapters.md']);
    expect(links.filter((path) => !filesOf(SERVER).includes(path))).to.deep.equal([]);
    expect(filesOf(`${CORE}-contracts`)).to.include('docs/adapters.md');
  });
});

describe('The package of the core', () => {
  it('depends on nothing, and has at most 400 kB unpacked', () => {
    expect(PACKAGES.get(CORE)?.dependencies).to.deep.equal({});
    expect(PACKAGES.get(CORE)).to.not.have.property('peerDependencies');
    const sizes = filesOf(CORE).map((path) => statSync(join(folderOf(CORE), path)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.within(200_000, MAX_CORE_BYTES);
  });
});
