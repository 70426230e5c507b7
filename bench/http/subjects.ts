import { execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporary.js';

const SERVER_CORE = '0';
/** As `npm start` runs the service; the bare servers get the same. */
const NODE_FLAGS = ['--max-semi-space-size=64'];
const BARE_SERVER = fileURLToPath(new URL('server.js', import.meta.url));
const OUR_ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEY = /amk_\w+/;
const US_PER_TICK = 10_000;
const POLL_MS = 50;
/** Characters of the log that are shown when a server ends unexpectedly. */
const LOG_TAIL = 2_000;

/** The limits count, and are never reached. The other servers do not keep words either. */
const SETTINGS = {
  SEARCH: 'off',
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_CREATES: '1000000',
  DRAIN_SECONDS: '0',
  LOG_FORMAT: 'json',
  PORT: '0',
};

/** A server that is measured. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  /** Gives it a core of its own. */
  pin(): void;
  /** Returns the processor time that it has used. */
  cpuTimeUs(): number;
  /** Empties its log, so that a long run does not fill the disk. */
  emptyLog(): void;
  stop(): void;
}

/** Starts a server that does the work and nothing else, over this many automations. */
export function startBare(name: string, kind: string, items: number, environment = {}): Promise<Subject> {
  return start(name, [BARE_SERVER, kind, String(items)], environment);
}

/** Starts the program of a checkout as an operator does, with a key of its store. In memory it prints one. */
export function startProgram(
  name: string,
  environment: Readonly<Record<string, string>> & { readonly STORAGE: string },
  { root = OUR_ROOT, key }: { root?: string | undefined; key?: string } = {},
): Promise<Subject> {
  const folder = temporaryFolder();
  const bin = join(root, 'dist/composition/bin.js');
  const settings = { ...SETTINGS, DATA_DIR: join(folder, 'data'), ...environment };
  const newKey = () => {
    const env = { ...process.env, ...settings };
    const output = execFileSync(process.execPath, [bin, 'keys', 'issue', '--developer', 'bench'], { env });
    return KEY.exec(output.toString())?.[0];
  };
  return start(name, [bin, 'serve'], settings, key ?? (settings.STORAGE === 'memory' ? undefined : newKey()), folder);
}

async function start(
  name: string,
  words: readonly string[],
  environment: object,
  knownKey?: string,
  folder = temporaryFolder(),
): Promise<Subject> {
  const log = join(folder, 'log');
  const env = { ...process.env, ...environment };
  const stdio: StdioOptions = ['ignore', openSync(log, 'a'), 'inherit'];
  const child = spawn(process.execPath, [...NODE_FLAGS, ...words], { env, stdio });
  const stop = (): void => {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  };
  process.once('exit', stop);
  child.once('exit', (code, signal) => {
    console.error(`${name} ended with ${code ?? signal ?? ''}:\n${readFileSync(log, 'utf8').slice(-LOG_TAIL)}`);
    process.exit(1);
  });
  const pid = String(child.pid);
  let found: RegExpExecArray | null = null;
  while ((found = /"url":"(http[^"]*)"/.exec(readFileSync(log, 'utf8'))) === null) await setTimeout(POLL_MS);
  return {
    name,
    url: found[1] ?? '',
    key: knownKey ?? KEY.exec(readFileSync(log, 'utf8'))?.[0] ?? '',
    pin: () => execFileSync('taskset', ['-a', '-cp', SERVER_CORE, pid], { stdio: 'ignore' }),
    cpuTimeUs: () => cpuTimeUs(pid),
    emptyLog: () => truncateSync(log),
    stop,
  };
}

/** The user and the system time of a process, as Linux tells them. */
function cpuTimeUs(pid: string): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? NaN) + (system ?? NaN)) * US_PER_TICK;
}
