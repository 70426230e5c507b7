import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { broughtBy } from './lock.js';
import { ROOT } from './readme.js';

const root = fileURLToPath(ROOT);

/**
 * A project outside of the repository that has installed the packed package, with what the package brings, and nothing
 * else.
 */
export interface HostProject {
  readonly folder: string;
  /** What was packed, by its path in the package. */
  readonly files: readonly string[];
  write(file: string, text: string): void;
  /** Has these packages installed, where no type is read, until `unlink`. */
  link(names: readonly string[]): void;
  unlink(): void;
  /** Runs Node there, without what one test runner tells another by the environment. */
  run(...args: readonly string[]): Promise<Ran>;
  remove(): void;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** What it printed, errors included. */
  readonly output: string;
}

/**
 * Returns such a project. `peers` are packages that it installed for the entries that it uses, `beside` are its own,
 * which are not copied, but stand in `node_modules` of the folder `from`.
 */
export function hostProject(peers: readonly string[], beside: readonly string[] = [], from = root): HostProject {
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  const files = unpack(root, join(folder, 'node_modules', 'automation-marketplace'));
  install(peers, folder);
  const linked = new Set<string>();
  const link = (names: readonly string[], installed = root): void => {
    for (const name of names) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(installed, 'node_modules', name), place);
      linked.add(place);
    }
  };
  link(beside, from);
  writeFileSync(join(folder, 'package.json'), '{ "name": "host", "type": "module" }');
  return {
    folder,
    files,
    write: (file, text) => writeFileSync(join(folder, file), text),
    link,
    unlink: () => {
      for (const place of linked) rmSync(place);
      linked.clear();
    },
    run: (...args) => runNode(folder, args),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Packs this package, unpacks it into this folder, and returns the paths of its files. */
export function unpack(what: string, into: string): readonly string[] {
  mkdirSync(into, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const [packed] = JSON.parse(
    execFileSync('npm', pack, { cwd: what, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string; files: readonly { path: string }[] }];
  execFileSync('tar', ['-xzf', packed.filename, '--strip-components=1'], { cwd: into });
  rmSync(join(into, packed.filename));
  return packed.files.map(({ path }) => path);
}

/** Copies these packages, with all that they bring, to where `npm install` puts them. */
function install(names: readonly string[], into: string): void {
  for (const path of broughtBy(names))
    if (existsSync(join(root, path)) && !existsSync(join(into, path)))
      cpSync(join(root, path), join(into, path), { recursive: true });
}

function runNode(cwd: string, args: readonly string[]): Promise<Ran> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, stdout, output: stdout + stderr });
    });
  });
}
