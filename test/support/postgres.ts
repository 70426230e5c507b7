import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { notRun } from './not-run.js';

export const POSTGRES_MISSING =
  'PostgreSQL; set POSTGRES_URL to a database in which you may create schemas, or install the package postgresql';

const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 'nobody';

const running = new Map<string, ChildProcess>();
process.once('exit', () => {
  for (const [folder, child] of running) {
    child.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** An empty schema of a server. As JSON, it can be the argument of a process. */
export interface PostgresPlace {
  readonly url: string;
  readonly schema: string;
}

/** Returns whether there is a server, or one can be started. */
export function hasPostgres(): boolean {
  return Boolean(process.env['POSTGRES_URL']) || binaries() !== undefined;
}

/**
 * Declares a suite that needs PostgreSQL: pending with one line where there is none, or failing with
 * REQUIRE_POSTGRES=1. The function that it hands out returns a place that no other test uses.
 */
export function describePostgres(title: string, suite: (newPlace: () => Promise<PostgresPlace>) => void): void {
  describeIf(hasPostgres(), title, POSTGRES_MISSING, () => suite(newPostgresPlace));
}

/** Declares a suite that starts servers of its own. */
export function describeOwnPostgres(title: string, suite: () => void): void {
  describeIf(
    binaries() !== undefined,
    title,
    'PostgreSQL servers of their own; install the package postgresql of Debian',
    suite,
  );
}

/** Declares a suite that needs a program which REQUIRE_POSTGRES=1 demands. */
export function describeIf(isThere: boolean, title: string, how: string, suite: () => void): void {
  if (isThere) describe(title, suite);
  else if (process.env['REQUIRE_POSTGRES'] === '1')
    it(title, () => {
      throw new Error(how);
    });
  else it(notRun(title, how));
}

/** Runs statements on a connection of its own, and returns the rows of the last one. */
export async function runSql(
  url: string,
  ...statements: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

let shared: Promise<string> | undefined;

/** Returns the connection string of one server for the whole process, which ends with it. */
export function sharedPostgres(): Promise<string> {
  shared ??= process.env['POSTGRES_URL']
    ? Promise.resolve(process.env['POSTGRES_URL'])
    : startPostgres('fsync=off').then(({ url }) => url);
  return shared;
}

/** Returns an empty schema of the shared server. */
export async function newPostgresPlace(): Promise<PostgresPlace> {
  const place = { url: await sharedPostgres(), schema: `test-${randomUUID()}` };
  await runSql(place.url, `CREATE SCHEMA "${place.schema}"`);
  schemas.push(place);
  return place;
}

/** The schemas that are removed at the end. A server of the tests goes with its folder. */
const schemas: PostgresPlace[] = [];

if ('after' in globalThis)
  after(async () => {
    if (!process.env['POSTGRES_URL']) return;
    for (const { url, schema } of schemas) await runSql(url, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });

/** A server of its own, which a test may stop. */
export interface PostgresServer {
  readonly url: string;
  /** Stops the server, does this to its files, and starts it again at the same address. */
  restart(meanwhile: (files: string) => void | Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server. It ends with the process. */
export function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  const commands = binaries() ?? '';
  const words = ['-U', 'test', '-A', 'trust', '-E', 'UTF8', ...language(commands)];
  return startServer((files) => [join(commands, 'initdb'), '-D', files, ...words], settings);
}

/** Starts a standby of a server, which follows it until it is promoted: `SELECT pg_promote()`. */
export function startStandby({ url }: PostgresServer): Promise<PostgresServer> {
  const program = join(dirname(realpathSync(join(binaries() ?? '', 'initdb'))), 'pg_basebackup');
  return startServer((files) => [program, '-D', files, '-d', url, '-R', '-X', 'stream', '-c', 'fast'], []);
}

/** Starts a server from the files that a program makes. */
async function startServer(
  making: (files: string) => readonly [program: string, ...words: string[]],
  settings: readonly string[],
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const owner = unprivileged();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { cwd: folder, ...owner };
  const commands = binaries() ?? '';
  const files = join(folder, 'data');
  const [program, ...words] = making(files);
  execFileSync(program, words, { ...options, stdio: 'pipe' });
  const port = String(await freePort());
  const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const where = ['-D', files, ...own.flatMap((setting) => ['-c', setting]), '-p', port];
  const start = async () => {
    const child = spawn(join(commands, 'postgres'), where, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    running.set(folder, child);
    await untilReady(child);
    child.unref();
    (child.stderr as Socket).unref();
  };
  await start();
  return {
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    async restart(meanwhile) {
      await endOf(folder);
      await meanwhile(files);
      await start();
    },
    async stop() {
      await endOf(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Turkish, in which i is not the small letter of I, where the server knows it: nothing may depend on the language. */
function language(commands: string): readonly string[] {
  const version = execFileSync(join(commands, 'postgres'), ['--version'], { encoding: 'utf8' });
  const knows = Number(/\d+/.exec(version)?.[0]) >= 15;
  return ['--locale', 'C.UTF-8', ...(knows ? ['--locale-provider=icu', '--icu-locale=tr'] : [])];
}

/** Ends the server of a folder. It ends the connections and writes what it has. */
async function endOf(folder: string): Promise<void> {
  const child = running.get(folder);
  if (child === undefined) return;
  running.delete(folder);
  child.ref();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

/** The folder of initdb and postgres; undefined when this machine has none. */
function binaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const debian = versions.map((version) => join(DEBIAN, version, 'bin'));
  return [...(process.env['PATH'] ?? '').split(':'), ...debian].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

/** The user that runs the server when root runs the tests. */
export function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, UNPRIVILEGED], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Waits for the line that says so, and goes on reading. */
function untilReady(child: ChildProcess): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('exit', () => reject(new Error(`postgres ended: ${log}`)));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
