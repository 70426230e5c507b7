import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { broughtBy } from './lock.js';
import { othersOf, ourPackagesOf, PACKAGES, PACKAGES_FOLDER, SERVER } from './packages.js';
import { ROOT } from './readme.js';

const root = fileURLToPath(ROOT);

/** A project outside of the repository that has installed packages of ours, and nothing else. */
export interface HostProject {
  readonly folder: string;
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

interface HostOptions {
  /** The packages of ours that it has installed, with those that they bring. Default: all but the program. */
  readonly packages?: readonly string[];
  /** Whether it has the packages of others that these ask for. Default: true. */
  readonly complete?: boolean;
  /** Packages of its own, which are copied as well. */
  readonly own?: readonly string[];
  /** Packages of its own, which are not copied, but stand in `node_modules` of the folder `from`. */
  readonly beside?: readonly string[];
  readonly from?: string;
}

/** Returns such a project. */
export function hostProject({
  packages = EMBEDDED,
  complete = true,
  own = [],
  beside = [],
  from = root,
}: HostOptions = {}): HostProject {
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  const ours = ourPackagesOf(packages);
  for (const name of ours)
    cpSync(fileURLToPath(new URL(name, PACKAGES_FOLDER)), join(folder, 'node_modules', name), { recursive: true });
  install([...(complete ? othersOf(ours) : []), ...own], folder);
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

const EMBEDDED = [...PACKAGES.keys()].filter((name) => name !== SERVER);

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
