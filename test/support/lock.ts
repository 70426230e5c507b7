import { readFileSync } from 'node:fs';
import { ROOT } from './readme.js';

/** A package of the lock. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly version: string;
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The package.json of the workspace: `dependencies` are what the bundle of the program leaves out. */
export const MANIFEST = readJson('package.json') as Manifest;
/** Each package of the lock by its place; the root is ''. */
export const LOCK = (readJson('package-lock.json') as { packages: Record<string, LockedPackage> }).packages;

/** Returns the places of what the program runs: what is bundled, by its notices, and what its package installs. */
export function placesOfProgram(): ReadonlySet<string> {
  const notices = readFileSync(new URL('dist/program/THIRD-PARTY-NOTICES.txt', ROOT), 'utf8');
  const bundled = Array.from(notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm), ([, name = '']) => name);
  return broughtBy([...bundled, ...Object.keys(MANIFEST.dependencies)]);
}

/** Returns the places of these packages and of all that they bring, found as Node finds them. */
export function broughtBy(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string, wanted: readonly string[]): void => {
    for (const place of wanted.map((name) => resolve(from, name))) {
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      const { dependencies, optionalDependencies, peerDependencies } = LOCK[place] ?? {};
      visit(place, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  };
  visit('', names);
  return found;
}

function resolve(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (LOCK[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, ROOT), 'utf8'));
}
