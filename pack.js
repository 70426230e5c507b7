/**
 * Packs what `npm run build` made into the packages of packages.json: a tarball of each in `dist/packages/`. An import of a file of another package becomes
 * an import of that package's `internal/`, so nothing is written twice.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

const OUT = 'dist/packages';
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.[^'"]+|automation-marketplace\/[^'"]+)\2/g;
const TABLE = readJson('packages.json');
const ROOT = readJson('package.json');

rmSync(OUT, { recursive: true, force: true });
const files = filesOfBuild().map((file) => ({ file, owner: ownerOf(file) }));
for (const one of TABLE)
  writePackage(
    one,
    files.filter(({ owner }) => owner === one).map(({ file }) => file),
  );
for (const { name } of TABLE) {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', OUT, `./${OUT}/${name}`], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const { filename, size, unpackedSize, entryCount } = JSON.parse(packed)[0];
  console.log(`${OUT}/${filename}: ${kilobytes(size)} kB, ${kilobytes(unpackedSize)} kB unpacked, ${entryCount} files`);
}

/** The files of the build that belong to packages, by their paths in it. */
function filesOfBuild() {
  return ['domain', 'application', 'adapters', 'composition', 'test/contracts']
    .flatMap((folder) => readdirSync(join('dist', folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.map$/.test(entry.name))
    .map((entry) => relative('dist', join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** The package with the longest source that contains the file. */
function ownerOf(file) {
  const source = file.replace(/\.(d\.ts|js)$/, '.ts');
  const contains = (path) => source === path || source.startsWith(`${path}/`);
  const matches = TABLE.flatMap((one) => one.sources.filter(contains).map((path) => ({ one, length: path.length })));
  return matches.sort((a, b) => b.length - a.length)[0]?.one;
}

function writePackage(one, files) {
  for (const file of files) {
    const target = join(OUT, one.name, file);
    mkdirSync(dirname(target), { recursive: true });
    if (/\.(js|d\.ts)$/.test(file) && !file.includes('/assets/')) writeFileSync(target, rewritten(one, file));
    else cpSync(join('dist', file), target);
  }
  cpSync('LICENSE', join(OUT, one.name, 'LICENSE'));
  writeFileSync(join(OUT, one.name, 'README.md'), `# ${one.name}\n\n${one.description}\n`);
  writeFileSync(join(OUT, one.name, 'package.json'), `${JSON.stringify(manifestOf(one), undefined, 2)}\n`);
}

function rewritten(one, file) {
  const code = readFileSync(join('dist', file), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
  return code.replace(SPECIFIER, (_, before, quote, specifier) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : fileOfEntry(specifier);
    const owner = ownerOf(target);
    if (owner === undefined) throw new Error(`${file} imports ${specifier}, which belongs to no package`);
    if (owner !== one) return `${before}${quote}${owner.name}/internal/${target}${quote}`;
    const path = posix.relative(posix.dirname(file), target);
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

/** Where the types of an entry of the root package stand: the program itself, not its bundle. */
function fileOfEntry(specifier) {
  const { types } = ROOT.exports[specifier.replace(ROOT.name, '.')];
  return types.replace('./dist/', '').replace(/\.d\.ts$/, '.js');
}

function manifestOf({ name, description, packages = [], dependencies = [], peers = [], entries, bin }) {
  const { version, license, keywords, type, engines, sideEffects } = ROOT;
  const exports = Object.entries(entries).map(([path, entry]) => {
    const { types } = ROOT.exports[entry];
    const file = types.replace('./dist/', './');
    return [path, { types: file, default: file.replace(/\.d\.ts$/, '.js') }];
  });
  const ours = packages.map((one) => [one, version]);
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    sideEffects,
    ...(bin && { bin: { [name]: bin } }),
    exports: {
      ...Object.fromEntries(exports),
      './internal/*.js': { types: './*.d.ts', default: './*.js' },
      './package.json': './package.json',
    },
    dependencies: { ...Object.fromEntries(ours), ...rangesOf(dependencies) },
    peerDependencies: rangesOf(peers),
  };
}

/** The range that the root package names for hosts, or else the version of the lock and later ones of its major version. */
function rangesOf(names) {
  const { peerDependencies, devDependencies } = ROOT;
  return Object.fromEntries(names.map((name) => [name, peerDependencies[name] ?? `^${devDependencies[name]}`]));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(0);
}
