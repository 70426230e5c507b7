import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { expect } from 'chai';

/**
 * A source file without its comments, and what it imports: other source files by their path from the root, packages by
 * their name.
 */
interface Source {
  readonly file: string;
  readonly code: string;
  readonly imports: readonly string[];
}

/** Files whose path matches `files` import nothing but what matches `may`. */
interface Rule {
  readonly title: string;
  readonly files: RegExp;
  readonly may: (imported: string, file: string) => boolean;
}

const DRIVING = /^adapters\/(edge|web|api|cli|panel|catalogue|files|n8n|mcp|authorization-server|sign-in)\//;
/** The rooms of adapters on which others build; each other adapter imports itself alone. */
const BUILDS_ON: Readonly<Record<string, readonly string[]>> = {
  'adapters/web': ['adapters/edge'],
  'adapters/api': ['adapters/edge', 'adapters/web', 'adapters/client'],
  'adapters/panel': ['adapters/edge', 'adapters/web'],
  'adapters/catalogue': ['adapters/edge', 'adapters/web'],
  'adapters/files': ['adapters/edge', 'adapters/web'],
  'adapters/n8n': ['adapters/edge', 'adapters/web'],
  'adapters/authorization-server': ['adapters/edge', 'adapters/web', 'adapters/oauth'],
  'adapters/sign-in': ['adapters/edge', 'adapters/web'],
  // The tools for agents and the files of the commands have the names and the rules of the wire.
  'adapters/mcp': ['adapters/edge', 'adapters/api', 'adapters/client'],
  'adapters/cli': ['adapters/api', 'adapters/conformance'],
  // It knows a server by the published types alone.
  'adapters/conformance': ['adapters/client'],
};
const isPackage = (imported: string) => !/^(domain|application|adapters|composition|test|bench)\//.test(imported);
const isContainer = (imported: string) => /^(inversify|reflect-metadata)\b/.test(imported);
const folderOf = (file: string) => file.split('/').slice(0, 2).join('/');

const RULES: readonly Rule[] = [
  { title: 'domain imports domain', files: /^domain\//, may: (imported) => imported.startsWith('domain/') },
  {
    title: 'application imports domain and application',
    files: /^application\/(?!defaults\.ts$)/,
    may: (imported) => /^(domain|application)\//.test(imported),
  },
  {
    title: 'application/defaults.ts imports domain and node:crypto',
    files: /^application\/defaults\.ts$/,
    may: (imported) => imported.startsWith('domain/') || imported === 'node:crypto',
  },
  {
    title:
      'an adapter imports domain, adapters/storage, itself, the rooms that it builds on, Node and packages; a driving ' +
      'one also application',
    files: /^adapters\//,
    may: (imported, file) =>
      isPackage(imported) ||
      imported.startsWith('domain/') ||
      imported.startsWith('adapters/storage/') ||
      imported.startsWith(`${folderOf(file)}/`) ||
      (DRIVING.test(file) && imported.startsWith('application/')) ||
      (BUILDS_ON[folderOf(file)] ?? []).includes(folderOf(imported)),
  },
  {
    title: 'the client imports itself alone, since it also runs in browsers',
    files: /^adapters\/client\//,
    may: (imported) => imported.startsWith('adapters/client/'),
  },
  {
    title: 'only composition imports inversify',
    files: /^(domain|application|adapters|bench)\//,
    may: (imported) => !isContainer(imported),
  },
  {
    title: 'the example of a storage imports itself, Node, and the entries of two packages',
    files: /^test\/integration\/own-storage\/(?!.*\.test\.ts$)/,
    may: (imported) =>
      /^(test\/integration\/own-storage\/|node:|(application|adapters\/storage)\/index\.ts$)/.test(imported),
  },
  {
    title: 'the contracts import the domain, themselves and node:assert/strict',
    files: /^test\/contracts\//,
    may: (imported) => /^(domain|test\/contracts)\//.test(imported) || imported === 'node:assert/strict',
  },
];

/** The imports that break a rule. */
function violations({ files, may }: Rule, sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ file }) => files.test(file))
    .flatMap(({ file, imports }) => imports.filter((one) => !may(one, file)).map((one) => `${file} imports ${one}`));
}

const SPECIFIER = /(?<![\w$.])(?:import|export|require)\b(?:[^'"`;]*?\bfrom\s*|\s*\(?\s*)['"`]([^'"`]+)['"`]/g;

function sourceOf(file: string, text: string): Source {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const specifiers = Array.from(code.matchAll(SPECIFIER), ([, specifier = '']) => specifier);
  const resolve = (specifier: string) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  return { file, code, imports: specifiers.map((one) => (one.startsWith('.') ? resolve(one) : one)) };
}

/** A path from a file back to itself along imports; types count as well. */
function cycleIn(sources: readonly Source[]): readonly string[] | undefined {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of importsOf.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  return sources.map(({ file }) => visit(file, [])).find((cycle) => cycle !== undefined);
}

/** Mocha runs at the root of the package, where the sources are. This file quotes imports that it does not make. */
function readSources(): readonly Source[] {
  return ['domain', 'application', 'adapters', 'composition', 'bench', 'test']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/'))
    .filter((file) => file !== 'test/unit/architecture.test.ts')
    .map((file) => sourceOf(file, readFileSync(file, 'utf8')));
}

const SOURCES = readSources();
const ENVIRONMENT =
  /\bprocess\s*(\?\.|\.|\[)\s*['"]?env\b|\{[^}]*\benv\b[^}]*\}\s*(=\s*process\b|from\s*['"](node:)?process['"])/;
const readsEnvironment = ({ code }: Source) => ENVIRONMENT.test(code);
const mayNotReadEnvironment = ({ file }: Source) =>
  /^(domain|application|adapters|composition)\//.test(file) && file !== 'composition/config/environment.ts';

describe('the direction of imports', () => {
  for (const rule of RULES)
    it(rule.title, () => {
      expect(
        SOURCES.filter(({ file }) => rule.files.test(file)),
        'files that the rule is about',
      ).not.to.be.empty;
      expect(violations(rule, SOURCES)).to.deep.equal([]);
    });

  it('has no cycle', () => {
    expect(SOURCES.flatMap(({ imports }) => imports).length).to.be.above(SOURCES.length);
    expect(cycleIn(SOURCES)).to.equal(undefined);
  });

  it('names only files that are there', () => {
    const files = new Set(SOURCES.map(({ file }) => file));
    const typesOf = (file: string) => file.replace(/\.ts$/, '.d.ts');
    const missing = SOURCES.flatMap(({ file, imports }) =>
      imports
        .filter((one) => !isPackage(one) && !files.has(one) && !files.has(typesOf(one)))
        .map((one) => `${file} imports ${one}`),
    );
    expect(missing).to.deep.equal([]);
  });
});

/** Matches the interfaces that hosts fill in. */
const FILLED_IN =
  /^export interface (\w*(?:Options|Settings|Query)|Caller|Origin|Operator|Storage|SignInChange)\b[^{]*\{([^]*?)^\}/gm;
const OPTIONAL_MEMBER = /^ {2}(?:readonly )?(\w+)\?:([^]*?);$/gm;

/** Returns the optional members that may be left out, but may not be undefined. */
function strictMembers({ file, code }: Source): readonly string[] {
  return Array.from(code.matchAll(FILLED_IN)).flatMap(([, name, body = '']) =>
    Array.from(body.matchAll(OPTIONAL_MEMBER))
      .filter(([, , type = '']) => !/(?:\| undefined|^ unknown)$/.test(type))
      .map(([, member]) => `${file}: ${name}.${member}`),
  );
}

interface PackageRow {
  readonly name: string;
  readonly sources: readonly string[];
  readonly packages?: readonly string[];
  readonly dependencies?: readonly string[];
  readonly optional?: readonly string[];
  readonly peers?: readonly string[];
  readonly entries: Readonly<Record<string, string>>;
}

const TABLE = JSON.parse(readFileSync('packages.json', 'utf8')) as readonly PackageRow[];

/** The package whose source is the longest that contains the file. */
function packageOf(file: string): PackageRow | undefined {
  const contains = (source: string) => file === source || file.startsWith(`${source}/`);
  const matches = TABLE.flatMap((row) => row.sources.filter(contains).map((source) => ({ row, source })));
  return matches.sort((a, b) => b.source.length - a.source.length)[0]?.row;
}

/** The imports of a file that its package may not make. */
function undeclared({ file, imports }: Source): readonly string[] {
  const own = packageOf(file);
  const { packages = [], optional = [], dependencies = [], peers = [] } = own ?? {};
  const may = (imported: string) => {
    const target = packageOf(imported);
    if (target !== undefined) return target === own || [...packages, ...optional].includes(target.name);
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? '';
    return [...dependencies, ...peers].includes(name) || [...dependencies, ...peers].includes(`@types/${name}`);
  };
  const isGiven = (imported: string) => isBuiltin(imported) || !NAME.test(imported);
  return imports.filter((one) => !isGiven(one) && !may(one)).map((one) => `${file} imports ${one}`);
}

/** What can be imported; a text that has the word before it is none. */
const NAME = /^@?[a-z][\w./@-]*$/;

describe('the packages of packages.json', () => {
  const sources = SOURCES.filter(({ file }) =>
    /^(domain|application|adapters|composition|test\/contracts)\//.test(file),
  );

  it('have every source file', () => {
    expect(sources).not.to.be.empty;
    expect(sources.filter(({ file }) => packageOf(file) === undefined).map(({ file }) => file)).to.deep.equal([]);
  });

  it('name each source once, and only sources that have files', () => {
    const named = TABLE.flatMap((row) => row.sources);
    expect(named).to.deep.equal([...new Set(named)]);
    const used = (one: string) => sources.some(({ file }) => file === one || file.startsWith(`${one}/`));
    expect(named.filter((one) => !used(one))).to.deep.equal([]);
  });

  it('import nothing but what they declare', () => {
    expect(sources.flatMap(undeclared)).to.deep.equal([]);
  });

  it('would show an import that is not declared', () => {
    const text = `import '../adapters/api/index.js';\nimport 'koa';\nimport 'node:fs';`;
    const imports = ['domain/x.ts imports adapters/api/index.ts', 'domain/x.ts imports koa'];
    expect(undeclared(sourceOf('domain/x.ts', text))).to.deep.equal(imports);
  });

  it('depend only on packages that stand before them', () => {
    const before = (index: number) => TABLE.slice(0, index).map(({ name }) => name);
    const late = TABLE.flatMap(({ name, packages = [], optional = [] }, index) =>
      [...packages, ...optional]
        .filter((one) => !before(index).includes(one))
        .map((one) => `${name} depends on ${one}`),
    );
    expect(late).to.deep.equal([]);
  });

  it('have no dependency and no peer in the core', () => {
    const [core] = TABLE;
    expect([core?.name, core?.packages, core?.dependencies, core?.peers]).to.deep.equal([
      'automation-marketplace',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have entries that are their own files, each in the reference', () => {
    const { typedocOptions } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly typedocOptions: { readonly entryPoints: readonly string[] };
    };
    const entries = TABLE.flatMap((row) => Object.values(row.entries).map((entry) => [`${entry}.ts`, row] as const));
    for (const [file, row] of entries) expect(packageOf(file), file).to.equal(row);
    expect(entries.map(([file]) => file)).to.have.members(typedocOptions.entryPoints);
  });
});

describe('the options in exported types', () => {
  const sources = SOURCES.filter(({ file }) => /^(domain|application|adapters|composition)\//.test(file));

  it('may be undefined, as if left out: hosts may compile with exactOptionalPropertyTypes', () => {
    expect(sources.filter(({ code }) => code.match(FILLED_IN)).length).to.be.greaterThan(20);
    expect(sources.flatMap(strictMembers)).to.deep.equal([]);
  });

  it('would be seen', () => {
    const text = 'export interface XOptions {\n  readonly a?: string;\n  readonly b?: string | undefined;\n}\n';
    expect(strictMembers(sourceOf('application/x.ts', text))).to.deep.equal(['application/x.ts: XOptions.a']);
  });
});

describe('the lines of the sources', () => {
  const isTooLong = (line: string) => line.length > 120 && !line.includes('://');

  it('have at most 120 columns, unless an address is longer', () => {
    const files = SOURCES.map(({ file }) => [file, readFileSync(file, 'utf8').split('\n')] as const);
    const tooLong = files.flatMap(([file, lines]) =>
      lines.flatMap((line, index) => (isTooLong(line) ? [`${file}:${index + 1}`] : [])),
    );
    expect(tooLong).to.deep.equal([]);
    expect(isTooLong('x'.repeat(121))).to.equal(true);
  });
});

describe('the environment of the process', () => {
  it('is read in composition/config/environment.ts only', () => {
    const sources = SOURCES.filter(mayNotReadEnvironment);
    expect(sources).not.to.be.empty;
    expect(sources.filter(readsEnvironment).map(({ file }) => file)).to.deep.equal([]);
  });
});

describe('the rules of the architecture', () => {
  const planted: readonly (readonly [file: string, text: string])[] = [
    ['domain/x.ts', `import { now } from '../application/defaults.js';`],
    ['domain/x.ts', `import type { Koa } from 'koa';`],
    ['domain/x.ts', `import 'node:fs';`],
    ['application/x.ts', `export { x } from '../adapters/in-memory/index.js';`],
    ['application/x.ts', `export * from 'ajv';`],
    ['application/x.ts', `import { randomBytes } from 'node:crypto';`],
    ['application/defaults.ts', `import { readFile } from 'node:fs/promises';`],
    ['adapters/sql/x.ts', `import { Marketplace } from '../../application/marketplace.js';`],
    ['adapters/sql/x.ts', `const x = await import('../in-memory/index.js');`],
    ['adapters/api/x.ts', `import {\n  a,\n  type B,\n} from "../sql/index.js";`],
    ['adapters/api/x.ts', `type X = import('../../composition/config/config.js').Config;`],
    ['adapters/api/x.ts', `let x: typeof import('inversify');`],
    ['adapters/cli/x.ts', `import 'reflect-metadata';`],
    ['adapters/cli/x.ts', `const [x] = await Promise.all([import('../web/texts.js')]);`],
    ['adapters/cli/x.ts', `const x = require('../web/texts.js');`],
    ['adapters/conformance/x.ts', `import { x } from '../api/schemas.js';`],
    ['adapters/catalogue/x.ts', `import { x } from '../panel/session.js';`],
    ['adapters/catalogue/x.ts', `import { x } from '../api/body.js';`],
    ['adapters/edge/x.ts', `import { views } from '../web/views/views.js';`],
    ['adapters/web/x.ts', `import { endpoints } from '../api/endpoints.js';`],
    ['adapters/mcp/x.ts', `import { views } from '../web/views/views.js';`],
    ['test/contracts/x.ts', `import { expect } from 'chai';`],
    ['test/integration/own-storage/x.ts', `import type { Page } from '../../../domain/page.js';`],
    [
      'test/integration/own-storage/x.ts',
      `import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';`,
    ],
  ];
  for (const [file, text] of planted)
    it(`would see ${text.replace(/\s+/g, ' ')} in ${file}`, () => {
      expect(RULES.flatMap((rule) => violations(rule, [sourceOf(file, text)]))).not.to.be.empty;
    });

  it('allow what is allowed', () => {
    const allowed: readonly Source[] = [
      sourceOf(
        'adapters/api/x.ts',
        `import Koa from 'koa';\nimport { x } from '../../application/index.js';\nexport * from './y.js';`,
      ),
      sourceOf(
        'adapters/sql/x.ts',
        `import { join } from 'node:path';\nimport type { Page } from '../../domain/page.js';\nexport * from ` +
          `'../storage/index.js';`,
      ),
      sourceOf(
        'domain/x.ts',
        `// import 'koa';\n/** import { x } from 'koa'; */\nimport { y } from './y.js';\nexport const z = ` +
          `Array.from('koa');`,
      ),
    ];
    expect(RULES.flatMap((rule) => violations(rule, allowed))).to.deep.equal([]);
  });

  it('would see a cycle', () => {
    const ring = ['a', 'b', 'c'].map((name, index) =>
      sourceOf(`domain/${name}.ts`, `import type { X } from './${'bca'.charAt(index)}.js';`),
    );
    expect(cycleIn(ring)).to.deep.equal(['domain/a.ts', 'domain/b.ts', 'domain/c.ts', 'domain/a.ts']);
    expect(cycleIn(ring.slice(1))).to.equal(undefined);
  });

  it('would see the environment', () => {
    for (const text of [
      'process.env.PORT',
      `process['env']`,
      'process?.env',
      'const { PORT } = process.env;',
      'const { argv, env } = process;',
      `import { env } from 'node:process';`,
    ])
      expect(readsEnvironment(sourceOf('adapters/x.ts', text)), text).to.be.true;
  });
});
