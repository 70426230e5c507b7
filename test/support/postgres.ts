import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const HOW =
  'PostgreSQL suites need a server: set POSTGRES_URL to a database in which you may create schemas, or install the ' +
  'package postgresql of Debian';

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

/**
 * Declares a suite that needs PostgreSQL: pending with one line where there is none, or failing with
 * REQUIRE_POSTGRES=1. The function that it hands out returns the connection string of a new and empty schema.
 */
export function describePostgres(title: string, suite: (newUrl: () => Promise<string>) => void): void {
  if (process.env['POSTGRES_URL'] || binaries() !== undefined) describe(title, () => suite(useServer()));
  else if (process.env['REQUIRE_POSTGRES'] === '1')
    it(title, () => {
      throw new Error(HOW);
    });
  else it(`${title} (${HOW})`);
}

/** Runs statements on a connection of its own. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Has a server while the tests of the suite run, and removes the schemas that they made. */
function useServer(): () => Promise<string> {
  const schemas: string[] = [];
  let url = '';
  before(async function () {
    this.timeout(60_000);
    url = process.env['POSTGRES_URL'] ?? (await startServer());
  });
  after(async () => {
    await runSql(url, ...schemas.map((schema) => `DROP SCHEMA "${schema}" CASCADE`));
    for (const [folder, child] of running) await stopServer(folder, child);
  });
  return async () => {
    const schema = `test-${randomUUID()}`;
    await runSql(url, `CREATE SCHEMA "${schema}"`);
    schemas.push(schema);
    return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path="${schema}"`)}`;
  };
}

async function startServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const owner = unprivileged();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { cwd: folder, ...owner };
  const commands = binaries() ?? '';
  const data = ['-D', join(folder, 'data')];
  execFileSync(join(commands, 'initdb'), [...data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'], {
    ...options,
    stdio: 'pipe',
  });
  const port = String(await freePort());
  const where = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-p', port];
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(join(commands, 'postgres'), [...data, ...where], { ...options, stdio: [...stdio] });
  running.set(folder, child);
  await untilReady(child);
  return `postgres://test@127.0.0.1:${port}/postgres`;
}

async function stopServer(folder: string, child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  running.delete(folder);
  rmSync(folder, { recursive: true, force: true });
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
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
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
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`postgres ended: ${log}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
