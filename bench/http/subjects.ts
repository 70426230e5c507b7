import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporary.js';

/** A server that is measured. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  /** The processor time that it has used, in microseconds. */
  cpuTime(): Promise<number>;
  stop(): void;
}

export interface Kind {
  readonly name: string;
  readonly kind: 'node' | 'koa' | 'fastify' | 'express' | 'driver' | 'marketplace';
  readonly environment?: Readonly<Record<string, string>>;
}

/** The limits count, and are never reached. */
const COUNTED = { RATE_LIMIT_READS: '1000000', RATE_LIMIT_CREATES: '1000000' };

export const KINDS: readonly Kind[] = [
  { name: 'bare node:http', kind: 'node' },
  { name: 'bare Koa', kind: 'koa' },
  { name: 'bare Fastify', kind: 'fastify' },
  { name: 'bare Express', kind: 'express' },
  { name: 'ours in memory', kind: 'marketplace', environment: { ...COUNTED, STORAGE: 'memory' } },
  { name: 'ours on SQLite', kind: 'marketplace', environment: { ...COUNTED, STORAGE: 'sqlite' } },
];

const SERVER = fileURLToPath(new URL('server.js', import.meta.url));
const canPin = hasTaskset() && cpus().length > 1;

/** The load has a core of its own, which is the second. */
export function pinLoad(): void {
  if (canPin) execFileSync('taskset', ['-a', '-cp', '1', String(process.pid)], { stdio: 'ignore' });
}

/** A new process that serves so many automations, on the first core. */
export async function start({ name, kind, environment }: Kind, count: number, categories: number): Promise<Subject> {
  const words = [...(canPin ? ['taskset', '-c', '0'] : []), process.execPath, SERVER, kind, String(count), String(categories)];
  const env = { ...process.env, DATA_DIR: join(temporaryFolder(), 'data'), ...environment };
  const child = spawn(words[0] ?? '', words.slice(1), { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before its time`)));
  const answer = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return message;
  };
  const { port, key } = (await answer()) as { port: number; key: string };
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    key,
    cpuTime: async () => {
      child.send('cpu');
      const { user, system } = (await answer()) as NodeJS.CpuUsage;
      return user + system;
    },
    stop: () => child.disconnect(),
  };
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
