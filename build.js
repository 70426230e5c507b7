/**
 * Compiles into `dist/`, from nothing, so that what was deleted from the sources does not live on there; copies what the pages need, and bundles the
 * program.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);
const DIST = resolve('dist');
const PROGRAM = join(DIST, 'program');
/** A binary, and drivers that are loaded only where they are used. */
const NOT_BUNDLED = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies);
/** What a package uses only where it is there: colours, for the debug lines of @koa/router. */
const LEFT_OUT = ['supports-color'];
/** The module that starts the thread of SQLite, whose program is bundled as well. */
const STARTS_THREAD = join(DIST, 'adapters/sql/sqlite/thread.js');

rmSync(DIST, { recursive: true, force: true });
const compiler = join(dirname(require.resolve('@typescript/native/package.json')), 'bin/tsc');
execFileSync(process.execPath, [compiler], { stdio: 'inherit' });

const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
for (const name of [
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'],
  ...['oauth2-redirect.html', 'oauth2-redirect.js'],
])
  cpSync(join(swagger, name), join(DIST, 'adapters/api/swagger-ui/assets', name));
for (const folder of [
  'adapters/authorization-server/templates',
  'adapters/catalogue/templates',
  'adapters/panel/templates',
  'adapters/web/views',
  'adapters/web/assets',
])
  cpSync(folder, join(DIST, folder), { recursive: true, filter: (path) => !path.endsWith('.ts') });

nameBuild();
const bundled = await bundle();
writeFileSync(join(PROGRAM, 'THIRD-PARTY-NOTICES.txt'), packagesOf(bundled).map(noticeOf).join('\n'));

/** Names the program by what it is made of: the entity tags of pages contain it, since another program may make another page of the same facts. */
function nameBuild() {
  const hash = createHash('sha256');
  for (const folder of ['domain', 'application', 'adapters'])
    for (const file of readdirSync(join(DIST, folder), { recursive: true }).sort())
      if (/\.(js|eta)$/.test(file)) hash.update(readFileSync(join(DIST, folder, file)));
  writeFileSync(
    join(DIST, 'adapters/web/views/build.js'),
    `export const BUILD = '${hash.digest('base64url').slice(0, 16)}';\n`,
  );
}

/**
 * The program in a few files in place of some five hundred, which it takes half of a second less to load. Nothing is left out of a module: a call whose
 * result is not used may be there for what it throws. Answers what is in them.
 */
async function bundle() {
  const build = await rolldown({
    input: [join(DIST, 'composition/main.js'), join(DIST, 'adapters/sql/sqlite/thread-program.js')],
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

/** One of our modules that finds files by where it stands itself goes on to find them. */
function withOwnAddress(code, id) {
  if (!id.startsWith(DIST) || id === STARTS_THREAD) return undefined;
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
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), 'utf8'))].join(
    '\n\n',
  );
}
