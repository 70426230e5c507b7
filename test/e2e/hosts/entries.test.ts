import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../../../domain/errors.js';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { packagesLoadedBy } from '../../support/packages-loaded.js';
import { ENTRIES, ourPackagesOf, PACKAGES, SERVER } from '../../support/packages.js';
import { reachedFrom } from '../../support/reached.js';
import { readmePrograms, ROOT } from '../../support/readme.js';
import { freePort } from '../../support/socket.js';

const HTTP = ['@koa/router', 'accepts', 'ajv', 'eta', 'koa', 'koa-bodyparser', 'lru-cache', 'rate-limiter-flexible'];
const PAGES = ['@koa/router', 'accepts', 'eta', 'koa', 'lru-cache', 'markdown-it', 'rate-limiter-flexible'];

/** What it loads at the first request comes on top: jose, oidc-provider. */
const OWN_SERVER = [...PAGES.filter((name) => name !== 'markdown-it'), 'koa-bodyparser'].sort();

/**
 * Of the packages that are not Node's, those that each entry loads. A host pays for them: a change here is a decision.
 */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  'automation-marketplace': [],
  'automation-marketplace/accounts': [],
  'automation-marketplace/in-memory': [],
  'automation-marketplace/client': [],
  'automation-marketplace-contracts': [],
  'automation-marketplace-conformance': [],
  'automation-marketplace-storage': ['lru-cache'],
  'automation-marketplace-sqlite': ['libsql', 'lru-cache'],
  'automation-marketplace-postgresql': ['lru-cache'],
  'automation-marketplace-mongodb': ['lru-cache', 'mongodb'],
  'automation-marketplace-http': HTTP,
  'automation-marketplace-oauth': ['jose'],
  'automation-marketplace-oauth/authorization-server': OWN_SERVER,
  'automation-marketplace-pages/panel': [...PAGES, '@fastify/busboy', 'koa-bodyparser'].sort(),
  'automation-marketplace-pages/catalogue': [...PAGES, 'koa-bodyparser'].sort(),
  'automation-marketplace-pages/files': ['@koa/router', 'koa', 'lru-cache', 'rate-limiter-flexible'],
  'automation-marketplace-sign-in': ['jose', 'openid-client'],
  'automation-marketplace-mcp': [
    '@modelcontextprotocol/server',
    ...HTTP.filter((name) => !['@koa/router', 'eta'].includes(name)),
  ],
  'automation-marketplace-file-inspection': [],
  'automation-marketplace-n8n': ['@koa/router', 'koa', 'lru-cache', 'rate-limiter-flexible'],
  'automation-marketplace-composition': ['inversify', 'reflect-metadata'],
};
/** Those on whose types an entry leans in addition: it loads them when they are used. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'automation-marketplace-oauth/authorization-server': ['jose'],
};
/** The packages that `createService` loads in addition to those of storage and issuer. */
const SERVICE = [
  '@fastify/busboy',
  '@modelcontextprotocol/server',
  ...HTTP,
  'inversify',
  'markdown-it',
  'prom-client',
  'reflect-metadata',
];

const GUIDE = readFileSync(new URL('docs/embedding.md', ROOT), 'utf8');
const EMBEDDED = ENTRIES.filter(({ packageName }) => packageName !== SERVER);

/** Returns the last cell of each row of the guide's tables, by the code that its first cell begins with. */
function guideRows(): ReadonlyMap<string, string> {
  const rows = GUIDE.matchAll(/^\| `([^`]+)`[^|]*\|.*\| ([^|]+) \|$/gm);
  return new Map(Array.from(rows, ([, name = '', cell = '']) => [name, cell]));
}

/** Returns the last words of the packages whose files a host installs for one, or "core". */
function filesFor(name: string): string {
  const words = ourPackagesOf([name]).map((one) => one.replace(/^automation-marketplace-?/, '') || 'core');
  return words.join(', ');
}

describe('An entry of a package', () => {
  let host: HostProject;
  before(() => {
    host = hostProject({ complete: false });
  });
  afterEach(() => host.unlink());
  after(() => host.remove());

  it('is written here, with what it loads', () =>
    expect(EMBEDDED.map(({ name }) => name)).to.deep.equal(Object.keys(LOADS)));

  for (const [name, packages] of Object.entries(LOADS))
    it(`${name} loads ${packages.join(', ') || 'no other package'}, and needs nothing else`, () => {
      host.link(packages);
      expect(packagesLoadedBy(name, host.folder)).to.deep.equal(packages);
    });

  it('has types that lean on what it loads alone, and on Koa nowhere', () => {
    for (const { name, types } of EMBEDDED) {
      const { packages } = reachedFrom([types], fileURLToPath(new URL('dist', ROOT)), ['.d.ts']);
      expect(packages.has('koa'), name).to.equal(false);
      const others = [...packages].filter((one) => !PACKAGES.has(one));
      const allowed = [...(LOADS[name] ?? []), ...(TYPES[name] ?? [])];
      expect(allowed, name).to.include.members(others);
    }
  });

  it('has errors that another copy recognises', async () => {
    const copy = join(host.folder, 'node_modules/automation-marketplace/domain/errors.js');
    const { DomainError: Copied } = (await import(copy)) as { DomainError: typeof DomainError };
    expect(Copied).to.not.equal(DomainError);
    expect(new Copied('unavailable', 'store-unavailable', 'gone')).to.be.instanceOf(DomainError);
  });

  it('is the only way in: a path of a file, or one without the version, is not there', async () => {
    const paths = ['domain/errors.js', 'internal/domain/errors.js', 'internal/0.1.0/application/look-alikes.js'];
    const tried = paths.map((path) => `import('automation-marketplace/${path}').catch(({ code }) => code)`);
    host.write('closed.mjs', `console.log((await Promise.all([${tried.join(', ')}])).join());`);
    const { stdout } = await host.run('closed.mjs');
    expect(stdout.trim().split(',')).to.deep.equal(paths.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'));
  });

  it('is in docs/embedding.md, with the files that a host installs for it', () => {
    const rows = guideRows();
    for (const { name, packageName } of EMBEDDED) expect(rows.get(name), name).to.equal(filesFor(packageName));
  });
});

describe('`createService` of the packages', () => {
  let host: HostProject;
  before(() => {
    host = hostProject({ packages: ['automation-marketplace-composition'], complete: false });
    host.link(SERVICE);
  });
  after(() => host.remove());

  const runs = async (program: string) => {
    host.write('service.mjs', program.replaceAll('8080', await freePort()));
    const { code, output } = await host.run('service.mjs');
    expect(code, output).to.equal(0);
    return output.trim();
  };

  it('needs no other package than these', async () => {
    const program = readmePrograms().get('The whole service')?.join('') ?? '';
    expect(await runs(program)).to.equal('200');
  });

  it('says at /docs that the package of Swagger UI is missing, and serves the OpenAPI document', async () => {
    const program = `
      import { createService } from 'automation-marketplace-composition';
      import { inMemoryStorage } from 'automation-marketplace/in-memory';
      const service = await createService({ storage: inMemoryStorage() });
      await service.listen(8080);
      for (const path of ['docs', 'docs/swagger-ui.css', 'openapi.json']) {
        const response = await fetch('http://127.0.0.1:8080/' + path);
        console.log(response.status, /The package automation-marketplace-swagger-ui/.test(await response.text()));
      }
      await service.close();`;
    expect(await runs(program)).to.equal('200 true\n404 false\n200 false');
  });
});
