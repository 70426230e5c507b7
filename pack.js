/**
 * Makes the packages of packages.json from what `npm run build` compiled, a folder of each in `dist/packages/`; with `--files`, their tarballs as well.
 * An import of a file of another package becomes an import of that package's `internal/`, so nothing is written twice.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';

const OUT = 'dist/packages';
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.[^'"]+)\2/g;
const TABLE = readJson('packages.json');
const ROOT = readJson('package.json');
/** Pages for those who change the marketplace, and what `npm run reference` makes. */
const LEFT_OUT = ['docs/api', 'docs/pages', 'docs/reference'].map((path) => join(path));
const FILES = filesOf('domain', 'application', 'adapters', 'composition', 'test/contracts');

rmSync(OUT, { recursive: true, force: true });
for (const row of TABLE) writePackage(row);
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

function isModule(file) {
  return /\.(js|d\.ts)$/.test(file) && !file.includes('/assets/');
}

function writePackage(row) {
  const folder = join(OUT, row.name);
  for (const file of row.bundle ? filesOfBundle(row) : FILES.filter((file) => ownerOf(file) === row)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (isModule(file) && !row.bundle) writeFileSync(join(folder, file), rewritten(row, file));
    else cpSync(join('dist', file), join(folder, file));
  }
  for (const page of ['LICENSE', ...(row.pages ?? [])])
    cpSync(page, join(folder, page), { recursive: true, filter: (path) => !LEFT_OUT.includes(path) });
  if (row.readme) cpSync(row.readme, join(folder, 'README.md'));
  else writeFileSync(join(folder, 'README.md'), `# ${row.name}\n\n${row.description}\n`);
  writeJson(join(folder, 'package.json'), manifestOf(row));
  if (row.bundle) writeJson(join(folder, 'npm-shrinkwrap.json'), lockOf(manifestOf(row)));
}

/** The bundle of the program, the command that loads it, the types of its entry, and what its pages need. */
function filesOfBundle({ bin, entries }) {
  const types = Object.values(entries).map((entry) => `${entry}.d.ts`);
  return [...new Set(Object.values(bin)), ...types, ...filesOf('program'), ...FILES.filter((file) => !isModule(file))];
}

/** Comments stay where editors show them, in the types. */
function rewritten(row, file) {
  const code = readFileSync(join('dist', file), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
  const shown = file.endsWith('.d.ts') ? code : withoutComments(code);
  return shown.replace(SPECIFIER, (_, before, quote, specifier) => {
    const target = posix.join(posix.dirname(file), specifier);
    const owner = ownerOf(target);
    if (owner === undefined) throw new Error(`${file} imports ${specifier}, which belongs to no package`);
    return `${before}${quote}${owner === row ? specifier : `${owner.name}/internal/${target}`}${quote}`;
  });
}

function withoutComments(code) {
  const { ESNext } = ts.ModuleKind;
  const compilerOptions = { module: ESNext, target: ts.ScriptTarget.ESNext, removeComments: true };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

function manifestOf({ name, description, packages = [], dependencies = [], optional = [], peers = [], ...row }) {
  const { version, license, keywords, type, engines, sideEffects } = ROOT;
  const ours = (names, value = version) => Object.fromEntries(names.map((one) => [one, value]));
  const exports = Object.entries(row.entries).map(([path, entry]) => [
    path,
    { types: `./${entry}.d.ts`, default: `./${row.bundle ?? `${entry}.js`}` },
  ]);
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    sideEffects,
    ...(row.bin && { bin: row.bin }),
    exports: {
      ...Object.fromEntries(exports),
      ...(!row.bundle && { './internal/*.js': { types: './*.d.ts', default: './*.js' } }),
      './package.json': './package.json',
    },
    dependencies: row.bundle ? ROOT.dependencies : { ...ours(packages), ...rangesOf(dependencies) },
    ...(optional.length + peers.length > 0 && { peerDependencies: { ...ours(optional), ...rangesOf(peers) } }),
    ...(optional.length > 0 && { peerDependenciesMeta: ours(optional, { optional: true }) }),
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
