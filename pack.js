/**
 * Makes the packages of packages.json from what `npm run build` compiled, a folder of each in `dist/packages/`; with `--files`, their tarballs as well.
 * An import of a file of another package becomes an import of `internal/VERSION/` of that package, so nothing is written twice. Of these a package exports
 * what our other packages import, and nothing else.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { format } from 'oxfmt';
import { minifySync } from 'rolldown/utils';
import ts from 'typescript';

const OUT = 'dist/packages';
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.[^'"]+)\2/g;
const TABLE = readJson('packages.json');
const ROOT = readJson('package.json');
/** Pages for those who change the marketplace, and what `npm run reference` makes. */
const LEFT_OUT = ['docs/api', 'docs/pages', 'docs/reference'].map((path) => join(path));
const FILES = filesOf('domain', 'application', 'adapters', 'composition', 'test/contracts');

/** The style of the sources, but for what makes files larger. */
const SMALL = {
  useTabs: true,
  printWidth: 160,
  bracketSpacing: false,
  arrowParens: 'avoid',
  trailingComma: 'none',
  objectWrap: 'collapse',
};
const STYLE = { ...readJson('.oxfmtrc.json'), ...SMALL, ignorePatterns: [] };
/** The names of functions, classes and what a module declares stay, for those who read a stack. */
const keepNames = { function: true, class: true };
const SMALL_PROGRAM = { module: true, mangle: { toplevel: false, keepNames }, compress: { keepNames } };
const SHOWN = shownDeclarations();
const TYPES = reachedTypes();
/** The files of a package that our others import, by its name. */
const INTERNAL = new Map(TABLE.map(({ name }) => [name, new Set()]));

rmSync(OUT, { recursive: true, force: true });
for (const row of TABLE) await writePackage(row);
for (const row of TABLE) writeManifest(row);
if (process.argv.includes('--files')) packFiles();

/** The files of these folders of the build, by their paths in it. An image is built without tests. */
function filesOf(...folders) {
  return folders
    .filter((folder) => existsSync(join('dist', folder)))
    .flatMap((folder) => readdirSync(join('dist', folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.map$/.test(entry.name))
    .map((entry) => relative('dist', join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** The package with the longest source that contains the file. */
function ownerOf(file) {
  const source = file.replace(/\.(d\.ts|js)$/, '.ts');
  const contains = (path) => source === path || source.startsWith(`${path}/`);
  const matches = TABLE.flatMap((row) => row.sources.filter(contains).map((path) => ({ row, length: path.length })));
  return matches.sort((a, b) => b.length - a.length)[0]?.row;
}

/** The declarations of a host's editor: those that an entry exports, and those that they name, by their names. */
function shownDeclarations() {
  const all = FILES.filter((file) => file.endsWith('.d.ts')).flatMap(statementsOf);
  const named = new Map();
  for (const one of all) named.set(one.name, [...(named.get(one.name) ?? []), one]);
  const entries = new Set(TABLE.flatMap((row) => Object.values(row.entries).map((entry) => `${entry}.d.ts`)));
  const shown = new Set();
  const visit = (name) => {
    if (shown.has(name)) return;
    shown.add(name);
    for (const { words } of named.get(name) ?? []) for (const word of words) if (named.has(word)) visit(word);
  };
  for (const { file, name, words } of all)
    if (entries.has(file)) for (const one of name === undefined ? words : [name]) visit(one);
  return shown;
}

/** The statements of declarations, with the words of each outside of its comments. Imports and exports have no name. */
function statementsOf(file) {
  const text = readFileSync(join('dist', file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext).statements.map((statement) => {
    const [declared = statement] = statement.declarationList?.declarations ?? [];
    const code = text.slice(statement.pos, statement.end);
    const words = new Set(code.replace(/\/\*.*?\*\//gs, '').match(/\w+/g));
    return { file, name: declared.name?.text, words, text: code };
  });
}

/** Returns the declarations of a module that a host may come across. */
function declarationsIn(file) {
  const statements = statementsOf(file).filter(({ name }) => name === undefined || SHOWN.has(name));
  const used = new Set(statements.flatMap(({ name, words }) => (name === undefined ? [] : [...words])));
  const withUsed = (text) =>
    text.replace(/^(\s*import[^{]*)\{([^}]*)\}/, (_, start, names) => `${start}{${namesIn(names, used)}}`);
  return statements
    .map(({ text }) => withUsed(text))
    .filter((text) => !/^\s*import[^{'"]*\{\}/.test(text))
    .join('');
}

function namesIn(list, used) {
  return list
    .split(',')
    .filter((name) => used.has(name.match(/\w+$|\w+(?=\s*$)/)?.[0]))
    .join(', ');
}

/** The files of declarations to which an entry leads. */
function reachedTypes() {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file) || !existsSync(join('dist', file))) return;
    found.add(file);
    for (const [, , , specifier] of declarationsIn(file).matchAll(SPECIFIER))
      visit(posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.d.ts'));
  };
  for (const { entries } of TABLE) for (const entry of Object.values(entries)) visit(`${entry}.d.ts`);
  return found;
}

function isModule(file) {
  return /\.(js|d\.ts)$/.test(file) && !file.includes('/assets/');
}

async function writePackage(row) {
  const folder = join(OUT, row.name);
  const write = async (file) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (isModule(file) && !row.bundle) writeFileSync(join(folder, file), await rewritten(row, file));
    else cpSync(join('dist', file), join(folder, file));
  };
  await Promise.all((row.bundle ? filesOfBundle(row) : filesOfRow(row)).map(write));
  for (const page of ['LICENSE', ...(row.pages ?? [])])
    cpSync(page, join(folder, page), { recursive: true, filter: (path) => !LEFT_OUT.includes(path) });
  if (row.readme) cpSync(row.readme, join(folder, 'README.md'));
  else writeFileSync(join(folder, 'README.md'), `# ${row.name}\n\n${row.description}\n`);
}

function filesOfRow(row) {
  return FILES.filter((file) => ownerOf(file) === row && (!file.endsWith('.d.ts') || TYPES.has(file)));
}

function writeManifest(row) {
  const folder = join(OUT, row.name);
  writeJson(join(folder, 'package.json'), manifestOf(row));
  if (row.bundle) writeJson(join(folder, 'npm-shrinkwrap.json'), lockOf(manifestOf(row)));
}

/** The bundle of the program, the command that loads it, the types of its entry, and what its pages need. */
function filesOfBundle({ bin, entries }) {
  const types = Object.values(entries).map((entry) => `${entry}.d.ts`);
  return [...new Set(Object.values(bin)), ...types, ...filesOf('program'), ...FILES.filter((file) => !isModule(file))];
}

/**
 * Programs go without comments and blanks, but for suites: their failures lead people into them. Comments stay where editors show them, in the types:
 * each paragraph on one line, as those wrap lines themselves.
 */
async function rewritten(row, file) {
  const shown = file.endsWith('.d.ts')
    ? declarationsIn(file).replace(/(?<=\/\*\*|\S)\n\s*(?:\* (?=[^\s@-])|(?=\*\/))/g, ' ')
    : readFileSync(join('dist', file), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
  const text = shown.replace(SPECIFIER, (_, before, quote, specifier) => {
    const target = posix.join(posix.dirname(file), specifier);
    return `${before}${quote}${nameOf(target, row) ?? specifier}${quote}`;
  });
  if (file.endsWith('.js') && !file.startsWith('test/')) return minifySync(file, text, SMALL_PROGRAM).code;
  return (await format(file, text, STYLE)).code;
}

/** The name by which a package imports a file: that of an entry, else an internal one; undefined for a file of its own. */
function nameOf(target, row) {
  const owner = ownerOf(target);
  if (owner === row) return undefined;
  if (![...(row.packages ?? []), ...(row.optional ?? [])].includes(owner?.name))
    throw new Error(`${row.name} imports ${target}, which is of none of its packages`);
  const [entry] = Object.entries(owner.entries).find(([, file]) => `${file}.js` === target) ?? [];
  if (entry !== undefined) return owner.name + entry.slice(1);
  INTERNAL.get(owner.name).add(target);
  return `${owner.name}/internal/${ROOT.version}/${target}`;
}

function manifestOf({ name, description, packages = [], dependencies = [], optional = [], peers = [], ...row }) {
  const { version, keywords, homepage, bugs, repository, license, type, engines, sideEffects } = ROOT;
  const atVersion = (names, value = version) => Object.fromEntries(names.map((one) => [one, value]));
  return {
    name,
    version,
    description,
    keywords,
    homepage,
    bugs,
    repository,
    license,
    type,
    engines,
    sideEffects,
    ...(row.bin && { bin: row.bin }),
    ...exportsOf(name, row),
    dependencies: row.bundle ? ROOT.dependencies : { ...atVersion(packages), ...rangesOf(dependencies) },
    ...(optional.length + peers.length > 0 && { peerDependencies: { ...atVersion(optional), ...rangesOf(peers) } }),
    ...(optional.length > 0 && { peerDependenciesMeta: atVersion(optional, { optional: true }) }),
  };
}

/** What can be imported; and for a compiler with the module resolution `node10`, which does not read `exports`, the types of the same. */
function exportsOf(name, { entries, bundle }) {
  const paths = Object.entries(entries);
  const files = paths.map(([path, entry]) => [
    path,
    { types: `./${entry}.d.ts`, default: `./${bundle ?? `${entry}.js`}` },
  ]);
  const internal = `./internal/${ROOT.version}`;
  const shared = Array.from(INTERNAL.get(name), (file) => [`${internal}/${file}`, `./${file}`]).sort();
  const types = paths.flatMap(([path, entry]) => (path === '.' ? [] : [[path.slice(2), [`./${entry}.d.ts`]]]));
  const ofShared = shared.length === 0 ? [] : [[`${internal.slice(2)}/*`, ['./*']]];
  return {
    ...(entries['.'] && { types: `./${entries['.']}.d.ts` }),
    ...(types.length + ofShared.length > 0 && { typesVersions: { '*': Object.fromEntries([...types, ...ofShared]) } }),
    exports: { ...Object.fromEntries([...files, ...shared]), './package.json': './package.json' },
  };
}

/** The version of the lock and later ones of its major version. */
function rangesOf(names) {
  const versions = { ...ROOT.dependencies, ...ROOT.devDependencies };
  return Object.fromEntries(names.map((name) => [name, `^${versions[name]}`]));
}

/** The part of the lock that the bundle needs: what is not for development alone. */
function lockOf({ name, version, license, bin, dependencies, engines }) {
  const locked = Object.entries(readJson('package-lock.json').packages).filter(([path, { dev }]) => path && !dev);
  const packages = { '': { name, version, license, bin, dependencies, engines }, ...Object.fromEntries(locked) };
  return { name, version, lockfileVersion: 3, requires: true, packages };
}

function packFiles() {
  const folders = TABLE.map(({ name }) => `./${OUT}/${name}`);
  const words = ['pack', '--json', '--pack-destination', OUT, ...folders];
  const packed = execFileSync('npm', words, { encoding: 'utf8', shell: process.platform === 'win32' });
  for (const { filename, size, unpackedSize, entryCount } of JSON.parse(packed))
    console.log(
      `${OUT}/${filename}: ${kilobytes(size)} kB, ${kilobytes(unpackedSize)} kB unpacked, ${entryCount} files`,
    );
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(0);
}
