import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Findings, type Report } from '../../support/soak-report.js';
import { instructionsOf, type Instruction } from '../../support/dockerfile.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Of nobody. */
const UID = 65_534;
const PORT = '39117';

/**
 * G5: the steps of the Dockerfile, one by one, in an empty folder; then what it starts, as another user and with
 * nothing to write to but its data.
 */
export async function image(): Promise<Report> {
  const findings = new Findings();
  const root = mkdtempSync(join(tmpdir(), 'marketplace-image-'));
  const steps = instructionsOf(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
  try {
    const built = new Build(root);
    for (const step of steps) built.take(step);
    findings.set('steps', steps.length);
    findings.check(!existsSync(join(root, 'app/node_modules/mocha')), 'packages of development are there');
    findings.check(existsSync(join(root, 'app/program/main.js')), 'the program is missing');
    findings.check(!existsSync(join(root, 'app/test')), 'tests are there');
    findings.set('MiB', Number(execFileSync('du', ['-sm', join(root, 'app')], { encoding: 'utf8' }).split('\t')[0]));
    chmodSync(root, 0o755);
    execFileSync('chmod', ['-R', 'a-w', join(root, 'app')]);
    if (process.getuid?.() === 0) chownSync(join(root, 'app/data'), UID, UID);
    chmodSync(join(root, 'app/data'), 0o700);
    await runs(built, findings);
  } finally {
    execFileSync('chmod', ['-R', 'u+w', root]);
    rmSync(root, { recursive: true });
  }
  return findings;
}

class Build {
  #folder = '';
  environment: Record<string, string> = {};
  command: string[] = [];
  health: string[] = [];

  constructor(private readonly root: string) {}

  at(path: string): string {
    return path.startsWith('/') ? join(this.root, path) : join(this.#folder, path);
  }

  take({ name, rest }: Instruction): void {
    if (name === 'WORKDIR') mkdirSync((this.#folder = join(this.root, rest)), { recursive: true });
    if (name === 'COPY') this.#copy(rest.split(' '));
    if (name === 'RUN') this.#run(rest);
    if (name === 'ENV')
      for (const pair of rest.split(' '))
        this.environment[pair.split('=')[0] ?? ''] = this.#here(pair.split('=')[1] ?? '');
    if (name === 'ENTRYPOINT' || name === 'CMD') this.command = [...this.command, ...(JSON.parse(rest) as string[])];
    if (name === 'HEALTHCHECK') this.health = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
  }

  #here(value: string): string {
    return value.startsWith('/') ? join(this.root, value) : value;
  }

  /** The user 1000 is the image's; here somebody else stands for it. */
  #run(command: string): void {
    const here = command.replaceAll('chown 1000:1000', 'chmod 700');
    execFileSync('sh', ['-ec', here], { cwd: this.#folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  #copy(words: readonly string[]): void {
    const [from, ...others] = words[0]?.startsWith('--from') ? [this.root, ...words.slice(1)] : [ROOT, ...words];
    const target = others.pop() ?? '';
    const sources = others[0] === '.' ? taken() : others;
    for (const source of sources) {
      const into = target.startsWith('.') ? join(this.#folder, source) : this.at(target);
      cpSync(join(from, source), into, { recursive: true });
    }
  }
}

/** What .dockerignore lets through: it leaves all out but what it names. */
function taken(): readonly string[] {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  if (lines[0] !== '*' || lines.slice(1).some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore has another form');
  return lines.slice(1).map((line) => line.slice(1));
}

async function runs(built: Build, findings: Findings): Promise<void> {
  const [program = '', ...words] = built.command;
  const env = { ...built.environment, PATH: process.env['PATH'] ?? '', PORT, HOST: '127.0.0.1' };
  const somebody = process.getuid?.() === 0 ? { uid: UID, gid: UID } : {};
  const child = spawn(program, words, { ...somebody, cwd: built.at('.'), env, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  for (let tries = 0; tries < 300 && !told.includes('"listening"'); tries += 1) await setTimeout(100);
  const key = /amk_\w{36}/.exec(told)?.[0] ?? '';
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  for (const path of ['/livez', '/readyz', '/api/categories', '/docs']) {
    const { status } = await ask(path);
    findings.check(status === 200, `${path} answers ${status}`);
  }
  const [health = '', ...arguments_] = built.health;
  execFileSync(health, arguments_, { env, cwd: built.at('.') });
  child.kill('SIGTERM');
  const [code] = await ended;
  findings.check(code === 0, `the exit code is ${String(code)}`);
}
