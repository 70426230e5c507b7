import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProject, type HostProject } from '../../support/host-project.js';
import { describeMongo } from '../../support/mongodb.js';
import { ENTRIES, SERVER } from '../../support/packages.js';
import { describePostgres } from '../../support/postgres.js';
import { promisedOutput, readmePrograms, ROOT } from '../../support/readme.js';
import { freePort } from '../../support/socket.js';

const root = fileURLToPath(ROOT);
const TSC = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
const MOCHA = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');

/** The frameworks of the examples. */
const FRAMEWORKS = [
  'express',
  'fastify',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@types/koa-compose',
  'koa-mount',
  '@types/koa-mount',
  'hono',
  '@hono/node-server',
];

/** What a host's own compiler may ask for. */
const STRICT = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

/** The compilers that the README names, but for the one of the workspace, which compiles the strict host. */
const COMPILERS: Readonly<Record<string, string>> = {
  '5.0': join(root, 'test/e2e/hosts/node_modules/typescript-5.0/bin/tsc'),
  '5.8': join(root, 'test/e2e/hosts/node_modules/typescript-5.8/bin/tsc'),
};
const RESOLUTIONS = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  node10: { module: 'commonjs', moduleResolution: 'node10' },
} as const;
/** It leans on the types of inversify 8, which ask for a later compiler. */
const COMPOSITION = 'automation-marketplace-composition';

const MY_REPOSITORY = `import { InMemoryAutomationRepository } from 'automation-marketplace/in-memory';
export class MyAutomationRepository extends InMemoryAutomationRepository {}`;

const NAMES = ENTRIES.filter(({ packageName }) => packageName !== SERVER).map(({ name }) => name);

describe('Our packages, in a project that has nothing else', () => {
  let host: HostProject;
  before(() => {
    host = hostProject({ own: ['pg', '@types/node'], beside: FRAMEWORKS, from: join(root, 'test/e2e/hosts') });
  });
  after(() => host.remove());

  /** Writes and runs a module, and answers what it printed. */
  async function runs(file: string, code: string): Promise<string> {
    host.write(file, code);
    const { code: exit, stdout, output } = await host.run(file);
    expect(exit, output).to.equal(0);
    return stdout.replace(/\s+/g, ' ');
  }

  const compiles = (file: string, text: string, options: object = {}) => compile({ [file]: text }, options);

  async function compile(texts: Readonly<Record<string, string>>, options: object): Promise<string> {
    for (const [file, text] of Object.entries(texts)) host.write(file, text);
    const files = Object.keys(texts);
    host.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files }));
    const { code, output } = await host.run(TSC, '-p', 'tsconfig.json');
    expect(code, output).to.equal(0);
    return output;
  }

  it('are there for require as well, the same modules', async () => {
    const pairs = NAMES.map((name) => `[require('${name}'), import('${name}')]`).join(', ');
    const code = `Promise.all([${pairs}].map(async ([one, other]) => one === (await other)))
      .then((same) => console.log(String(same)));`;
    expect(await runs('host.cjs', code)).to.equal(`${NAMES.map(() => 'true').join(',')} `);
  });

  describe('have types', () => {
    it('for a strict host that imports every entry, and what it compiles to works', async () => {
      await compiles('host.ts', readFileSync(join(root, 'test/e2e/hosts/strict-host.ts'), 'utf8'));
      const { code, stdout, output } = await host.run('host.js');
      expect(code, output).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.equal({
        status: 201,
        location: '/market/api/automations/',
        total: 1,
        price: { minorUnits: 999, currency: 'EUR' },
        told: 1,
        contracted: true,
      });
    });

    for (const [version, compiler] of Object.entries(COMPILERS))
      for (const resolution of ['node16', 'node10'] as const)
        it(`for TypeScript ${version}, module resolution ${resolution}, but for the composition`, async () => {
          const entries = NAMES.filter((name) => name !== COMPOSITION);
          host.write('every.ts', entries.map((name, at) => `export * as entry${at} from '${name}';`).join('\n'));
          const { module, moduleResolution } = RESOLUTIONS[resolution];
          const target = 'es2022';
          const options = {
            ...STRICT,
            target,
            module,
            moduleResolution,
            verbatimModuleSyntax: false,
            noEmit: true,
            types: ['node'],
          };
          host.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['every.ts'] }));
          const { code, output } = await host.run(compiler, '-p', 'tsconfig.json');
          expect(code, output).to.equal(0);
        });

    it('for a host in CommonJS', async () => {
      const imports = NAMES.map((name, index) => `import entry${index} = require('${name}');`);
      const names = NAMES.map((_, index) => `entry${index}`);
      await compiles('types.cts', `${imports.join('\n')}\nexport = [${names.join(', ')}];`, {
        noEmit: true,
        skipLibCheck: true,
      });
    });

    it('that lean on no others, those of Node included, in the core and the contracts', async () => {
      const entries = NAMES.filter((name) => /^automation-marketplace(-contracts|\/.*)?$/.test(name));
      const imports = entries.map((name, index) => `export * as entry${index} from '${name}';`).join('\n');
      const files = await compiles('core.ts', imports, { noEmit: true, listFiles: true });
      expect(files)
        .to.include('/automation-marketplace/domain/ports.d.ts')
        .and.not.match(/node_modules\/(?!automation-marketplace|@typescript)/);
    });

    it('that bring what those of the driver lean on', () =>
      compiles('mongodb.ts', `export * from 'automation-marketplace-mongodb';`, { noEmit: true }));
  });

  describe('do what docs/embedding.md says', () => {
    const programs = [...readmePrograms()];
    const own = programs.filter(([, blocks]) => !/\.\/my-|mongodb:|postgres:/.test(blocks.join('')));

    it('in an example of at most ten lines for each way to embed it, and of at most 15 for events', () => {
      expect(own.length).to.equal(26);
      const isLong = (heading: string) => ['A hook after a write', 'An outbox'].includes(heading);
      for (const [heading, blocks] of programs)
        for (const block of blocks) expect(linesOf(block), heading).to.be.within(1, isLong(heading) ? 15 : 10);
    });

    for (const [heading, blocks] of own)
      it(`under "${heading}"`, async () => {
        const program = blocks.join('');
        const printed = await runs(`${nameOf(heading)}.js`, program.replaceAll('8080', await freePort()));
        expect(promisedOutput(program)).to.not.be.empty;
        for (const text of promisedOutput(program)) expect(printed).to.include(text);
      });

    it('as TypeScript as well, but for types of parameters', () =>
      compile(Object.fromEntries(own.map(([heading, blocks]) => [`${nameOf(heading)}.ts`, blocks.join('')])), {
        noEmit: true,
        skipLibCheck: true,
        noImplicitAny: false,
      }));

    it('under "A test runner of yours", with that of Node', async () => {
      host.write('my-automation-repository.js', MY_REPOSITORY);
      host.write('node.test.js', readmePrograms().get('A test runner of yours')?.join('') ?? '');
      const { code, output } = await host.run('--test', '--test-reporter=tap', 'node.test.js');
      expect(code, output).to.equal(0);
      expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).to.be.greaterThan(40);
    });

    it('under "A storage of yours", by more than 40 cases', async () => {
      host.write('my-automation-repository.js', MY_REPOSITORY);
      host.write('example.test.js', readmePrograms().get('A storage of yours')?.join('') ?? '');
      const { stdout, output } = await host.run(
        MOCHA,
        '--no-config',
        '--timeout',
        '20000',
        '--reporter',
        'json',
        'example.test.js',
      );
      const { stats } = JSON.parse(stdout) as { stats: { passes: number; failures: number } };
      expect(stats.failures, output).to.equal(0);
      expect(stats.passes).to.be.greaterThan(40);
    });

    describePostgres('under "In your PostgreSQL"', (newPlace) => {
      it('with a pool of the host', async () => {
        const { url, schema } = await newPlace();
        const program = readmePrograms().get('In your PostgreSQL')?.join('') ?? '';
        const code = program.replace(/postgres:[^']*/, url).replace(`schema: 'market'`, `schema: '${schema}'`);
        const printed = await runs('in-your-postgresql.js', code);
        expect(promisedOutput(program)).to.deep.equal(['0']);
        expect(printed).to.equal('0 ');
      });
    });

    describeMongo('under "In your MongoDB"', (url) => {
      it('with a client of the host', async () => {
        const program = readmePrograms().get('In your MongoDB')?.join('') ?? '';
        const database = `readme-${process.pid}`;
        const code = program.replace(/mongodb:[^']*/, url()).replace(`db('market')`, `db('${database}')`);
        const printed = await runs(
          'in-your-mongodb.js',
          code.replace('await client.close()', 'await db.dropDatabase();\n$&'),
        );
        expect(promisedOutput(program)).to.deep.equal(['[]']);
        expect(printed).to.equal('[] ');
      });
    });
  });
});

const nameOf = (heading: string) => heading.replace(/\W+/g, '-');

/** How many lines a host writes, beyond imports, blank lines and comments. */
function linesOf(block: string): number {
  return block.split('\n').filter((line) => !/^(import\b.*|\/\*\*.*\*\/|\s*)$/.test(line)).length;
}
