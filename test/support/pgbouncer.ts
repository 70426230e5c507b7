import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeIf, freePort, hasPostgres, runSql, sharedPostgres, unprivileged } from './postgres.js';

const HOW = 'PgBouncer; install the packages postgresql and pgbouncer';
const PROGRAM = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

/**
 * Declares a suite behind a PgBouncer that gives each transaction one of few connections of the server. The function
 * that it hands out returns the address of the pooler.
 */
export function describePgBouncer(title: string, suite: (pooled: () => string) => void): void {
  describeIf(hasPostgres() && PROGRAM !== undefined, title, HOW, () => {
    let pooler: Pooler | undefined;
    before(async () => {
      pooler = await startPgBouncer(await sharedPostgres());
    });
    after(() => pooler?.stop());
    suite(() => pooler?.url ?? '');
  });
}

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a pooler in transaction mode in front of a server. It asks for no password itself. */
export async function startPgBouncer(server: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const owner = unprivileged();
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(server);
  const secret = decodeURIComponent(password).replaceAll("'", "''");
  const user = `user=${username || 'test'}${secret && ` password='${secret}'`}`;
  const settings = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${serverPort || 5432} ${user}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 500',
    'server_login_retry = 1',
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings.join('\n'));
  if (owner !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
  const child = spawn(PROGRAM ?? '', [file], { ...owner, stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `postgres://${username || 'test'}@127.0.0.1:${port}${pathname}`;
  await untilReady(url, () => child.exitCode !== null);
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;)
    try {
      await runSql(url, 'SELECT 1');
      return;
    } catch (error) {
      if (hasEnded()) throw error;
      await setTimeout(50);
    }
}
