import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The command of the program, as it ships; what it runs is bundled. */
export const MAIN = fileURLToPath(new URL('../../composition/bin.js', import.meta.url));
const { scripts } = createRequire(import.meta.url)('../../../package.json') as {
  readonly scripts: { readonly start: string };
};
/** Node, as `npm start` has it. */
const NODE: readonly string[] = [process.execPath, ...scripts.start.split(' ').filter((word) => word.startsWith('--'))];
/** The service from its modules, for tests that change one of them: what is bundled cannot be reached. */
export const UNBUNDLED: readonly string[] = [
  ...NODE,
  fileURLToPath(new URL('./unbundled.js', import.meta.url)),
  'serve',
];

/** In milliseconds, after which a process that should be ready, or be done, is not waited for any longer. */
const TIMEOUT_MS = 100_000;

const MAX_LINES = 200_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Values of environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** Nothing of the machine's own environment; no limits, and no draining, unless a test is about them. */
const SETTINGS: Settings = {
  PATH: process.env['PATH'] ?? '',
  PORT: '0',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_CREATES: 'off',
  RATE_LIMIT_FAILED_AUTH: 'off',
  RATE_LIMIT_PAGES: 'off',
};

const KEY = /^ {2}(amk_[0-9A-Za-z]{36})$/;
const COMMAND = /^ {2}automation-marketplace (keys issue --developer \S+)$/;
const LINK = /^ {2}(https?:\/\/\S+\/panel\/welcome\/[\w-]{32})$/;

const running = new Set<Child>();
const folders = new Set<string>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What one run of the program came to. */
export interface Outcome {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Begun {
  readonly stdout: Readable;
  /** Ends it as a crash does, or as another signal has it. */
  kill(signal?: NodeJS.Signals): void;
  readonly ended: Promise<Outcome>;
}

/** A folder with a store, and the processes that work on it. */
export class Workplace {
  readonly #services = new Set<ServiceProcess>();

  private constructor(
    readonly folder: string,
    /** What its processes are started with. */
    readonly environment: Settings,
  ) {}

  static async open(settings: Settings = {}): Promise<Workplace> {
    const folder = await mkdtemp(join(tmpdir(), 'marketplace-'));
    folders.add(folder);
    return new Workplace(folder, { ...SETTINGS, DATA_DIR: folder, ...settings });
  }

  get database(): string {
    return join(this.folder, 'marketplace.db');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Starts the service and waits until it listens; again on the same folder is a restart. */
  async serve(settings: Settings = {}, command: readonly string[] = [...NODE, MAIN, 'serve']): Promise<ServiceProcess> {
    const environment = { ...this.environment, ...settings };
    const service = new ServiceProcess(start(command, environment, this.folder), environment);
    this.#services.add(service);
    await service.ready;
    if (service.keyCommand !== undefined)
      service.firstKey = (await this.run(service.keyCommand, settings)).stdout.trim();
    return service;
  }

  /** Runs one command to its end, which is awaited for so many milliseconds. */
  run(words: readonly string[], settings: Settings = {}, timeoutMs = TIMEOUT_MS): Promise<Outcome> {
    return this.begin(words, settings, timeoutMs).ended;
  }

  /** Starts one command. */
  begin(words: readonly string[], settings: Settings = {}, timeoutMs = TIMEOUT_MS): Begun {
    const child = start([process.execPath, MAIN, ...words], { ...this.environment, ...settings }, this.folder);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: string) => (output.stdout += text));
    child.stderr.on('data', (text: string) => (output.stderr += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const ended = once(child, 'close').then(([code]) => {
      clearTimeout(timer);
      return { code: code as number | null, ...output };
    });
    return { stdout: child.stdout, kill: (signal = 'SIGKILL') => void child.kill(signal), ended };
  }

  /** Ends what still runs and removes the folder. */
  async clear(): Promise<void> {
    await Promise.all(Array.from(this.#services, (service) => service.kill()));
    rmSync(this.folder, { recursive: true, force: true });
    folders.delete(this.folder);
  }
}

/** Has the service do this before it starts, and that at SIGUSR2. */
export function preloaded(before: string, onSignal = ''): Settings {
  const script = `${before};process.on("SIGUSR2",()=>{${onSignal}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** Has the service take its standard output for a terminal, where it prints the first key. */
export const ON_TERMINAL: Settings = { ...preloaded('process.stdout.isTTY=true'), LOG_FORMAT: 'json' };

/** The service on a store of its own; for tests that need no more than that. */
export async function startProcess(settings: Settings = {}): Promise<ServiceProcess> {
  return (await Workplace.open(settings)).serve();
}

function start([program = '', ...words]: readonly string[], env: Settings, cwd: string): Child {
  const child = spawn(program, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** The service in a process of its own. */
export class ServiceProcess {
  /** Every line so far, of a load of millions only the first. */
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  url = '';
  /** The key of a first start, from the command that it names, or as it prints it; empty at every later start. */
  firstKey = '';
  /** The words of the command that a first start names, which makes a key. */
  keyCommand: readonly string[] | undefined;
  /** The link that a first start prints; empty where it prints none. */
  firstLink = '';
  /** Resolves when it listens; rejects, with what it said, when it ends before that. */
  readonly ready: Promise<void>;
  /** The exit code, or null when it was killed. */
  readonly ended: Promise<number | null>;

  constructor(
    private readonly child: Child,
    readonly environment: Settings,
  ) {
    this.ended = once(child, 'close').then(([code]) => code as number | null);
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the service does not become ready')), TIMEOUT_MS);
      void this.ended.then(() =>
        reject(new Error(`the service ended: ${[...this.stdout, ...this.stderr].join('\n')}`)),
      );
      eachLine(child.stderr, (line) => this.stderr.push(line));
      eachLine(child.stdout, (line) => {
        if (this.stdout.length < MAX_LINES) this.stdout.push(line);
        if (!this.#isReadyBy(line)) return;
        clearTimeout(timer);
        resolve();
      });
      void this.ended.then(() => clearTimeout(timer));
    });
  }

  /** What was logged: every line of stdout from the ready line on. */
  logged(): readonly string[] {
    return this.stdout.slice(this.stdout.findIndex((line) => line.startsWith('{')));
  }

  signal(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.child.kill(signal);
  }

  /** Asks it to stop and answers the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal(signal);
    return this.ended;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  #isReadyBy(line: string): boolean {
    if (this.url !== '') return false;
    this.firstKey ||= KEY.exec(line)?.[1] ?? '';
    this.keyCommand ??= COMMAND.exec(line)?.[1]?.split(' ');
    this.firstLink ||= LINK.exec(line)?.[1] ?? '';
    if (!line.startsWith('{')) return false;
    const { msg, url } = JSON.parse(line) as { msg: string; url: string };
    if (msg === 'listening') this.url = url;
    return msg === 'listening';
  }
}

function eachLine(stream: Readable, tell: (line: string) => void): void {
  let rest = '';
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) tell(line);
  });
  stream.once('end', () => {
    if (rest !== '') tell(rest);
  });
}
