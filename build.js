/**
 * Compiles into `dist/`, from nothing, so that what was deleted from the sources does not live on there; then bundles the program, and makes the package
 * that runs it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);
const DIST = resolve('dist');
const PROGRAM = join(DIST, 'program');
const SERVER = join(DIST, 'server');
/** The packages that the program's package installs: a binary, what the thread of SQLite needs as well, and drivers that are loaded only where they are used. */
const NOT_BUNDLED = ['libsql', 'lru-cache', 'mongodb', 'mongodb-connection-string-url', 'pg'];
/** What a package uses only where it is there: colours, for the debug lines of @koa/router. */
const LEFT_OUT = ['supports-color'];

rmSync(DIST, { recursive: true, force: true });
const compiler = join(dirname(require.resolve('@typescript/native/package.json')), 'bin/tsc');
execFileSync(process.execPath, [compiler], { stdio: 'inherit' });

const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
  cpSync(join(swagger, name), join(DIST, 'adapters/http/assets', name));
for (const folder of [
  'adapters/catalogue/templates',
  'adapters/panel/templates',
  'adapters/http/views',
  'adapters/http/assets',
])
  cpSync(folder, join(DIST, folder), { recursive: true, filter: (path) => !path.endsWith('.ts') });

const markdown = await bundleMarkdown();
nameBuild();
const bundled = [...markdown, ...(await bundle())];
writeFileSync(join(PROGRAM, 'THIRD-PARTY-NOTICES.txt'), packagesOf(bundled).map(noticeOf).join('\n'));
packServer();

/** The one library that comes with the package: as a dependency it would bring six more, of which one is for its command alone. */
async function bundleMarkdown() {
  const build = await rolldown({ input: fileURLToPath(import.meta.resolve('markdown-it')), platform: 'node' });
  const { output } = await build.write({
    file: join(DIST, 'adapters/http/views/markdown-it.js'),
    format: 'esm',
    minify: false,
  });
  return output.flatMap(({ modules }) => Object.keys(modules));
}

/** Names the program by what it is made of: the entity tags of pages contain it, since another program may make another page of the same facts. */
function nameBuild() {
  const hash = createHash('sha256');
  for (const folder of ['domain', 'application', 'adapters'])
    for (const file of readdirSync(join(DIST, folder), { recursive: true }).sort())
      if (/\.(js|eta)$/.test(file)) hash.update(readFileSync(join(DIST, folder, file)));
  writeFileSync(
    join(DIST, 'adapters/http/views/build.js'),
    `export const BUILD = '${hash.digest('base64url').slice(0, 16)}';\n`,
  );
}

/**
 * The program in a few files in place of some five hundred, which it takes half of a second less to load. Nothing is left out of a module: a call whose
 * answer nobody reads may be there for what it throws. Answers what is in them.
 */
async function bundle() {
  const build = await rolldown({
    input: join(DIST, 'composition/main.js'),
    platform: 'node',
    external: [...NOT_BUNDLED, ...LEFT_OUT],
    treeshake: false,
    plugins: [{ name: 'own addresses', transform: withOwnAddress }],
    onLog: (level, log, tell) => log.code !== 'EVAL' && tell('error', log),
  });
  const { output } = await build.write({
    dir: PROGRAM,
    format: 'esm',
    chunkFileNames: '[name].js',
    comments: false,
    minify: false,
  });
  return output.flatMap(({ modules }) => Object.keys(modules));
}

/** A module of ours that finds files by where it stands itself goes on to find them. */
function withOwnAddress(code, id) {
  if (!id.startsWith(DIST)) return undefined;
  const address = `new URL(${JSON.stringify(relative(PROGRAM, id))}, import.meta.url).href`;
  return code.replaceAll('import.meta.url', address);
}

function packagesOf(modules) {
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined && existsSync(join(folder, 'package.json')))
    .sort();
}

function noticeOf(folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), 'utf8'))].join(
    '\n\n',
  );
}

/**
 * The package of the program: its command, the library of the same build, which is packed into it, so that no registry is asked for that name; and the
 * rest as package.json and the lock of the repository have it.
 */
function packServer() {
  const { devDependencies, ...library } = readJson('package.json');
  const { version, license, keywords, type, engines } = library;
  const dependencies = { [library.name]: version };
  for (const name of NOT_BUNDLED) dependencies[name] = devDependencies[name];
  const name = `${library.name}-server`;
  const description = 'A marketplace for automations: the service and its commands.';
  const bin = { [name]: 'bin.js', [library.name]: 'bin.js' };
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    bin,
    dependencies,
    bundleDependencies: [library.name],
  };
  mkdirSync(join(SERVER, 'node_modules'), { recursive: true });
  symlinkSync('../../..', join(SERVER, 'node_modules', library.name), 'junction');
  writeJson(join(SERVER, 'package.json'), manifest);
  writeJson(join(SERVER, 'npm-shrinkwrap.json'), lockOf(manifest, library));
  const command = readFileSync(join(DIST, 'composition/bin.js'), 'utf8');
  writeFileSync(join(SERVER, 'bin.js'), command.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  cpSync('LICENSE', join(SERVER, 'LICENSE'));
  cpSync('composition/program/README.md', join(SERVER, 'README.md'));
}

/** The part of the lock that the package needs, with the library, which the lock has as its root. */
function lockOf({ name, version, license, engines, bin, dependencies, bundleDependencies }, library) {
  const { packages } = readJson('package-lock.json');
  const { peerDependencies, peerDependenciesMeta } = library;
  const locked = {
    '': { name, version, license, bin, dependencies, bundleDependencies, engines },
    [`node_modules/${library.name}`]: {
      version,
      inBundle: true,
      license,
      engines,
      peerDependencies,
      peerDependenciesMeta,
    },
  };
  for (const path of [...broughtBy(NOT_BUNDLED, packages)].sort()) {
    const { dev, ...entry } = packages[path];
    locked[path] = entry;
  }
  return { name, version, lockfileVersion: 3, requires: true, packages: locked };
}

/** The places in the lock of these packages and of all that they bring. None of it may stand in another package's folder. */
function broughtBy(names, packages, found = new Set()) {
  for (const path of names
    .map((name) => `node_modules/${name}`)
    .filter((path) => !found.has(path) && path in packages)) {
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    broughtBy(Object.keys({ ...dependencies, ...optionalDependencies }), packages, found);
  }
  return found;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
