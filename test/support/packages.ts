import { readFileSync } from 'node:fs';
import { ROOT } from './readme.js';

/** The package.json of one of our packages, as it is packed. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | EntryFiles>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: object;
  readonly bin?: Readonly<Record<string, string>>;
}

interface EntryFiles {
  readonly types: string;
  readonly default: string;
}

/** An entry by the name that a host imports, and where its files stand in its package. */
export interface PackageEntry extends EntryFiles {
  readonly name: string;
  readonly packageName: string;
}

/** The folder in which `npm run build` makes the packages. */
export const PACKAGES_FOLDER = new URL('dist/packages/', ROOT);
/** The package of the program: what it runs is bundled, so it depends on none of the others. */
export const SERVER = 'automation-marketplace-server';

const TABLE = readJson(new URL('packages.json', ROOT)) as readonly { readonly name: string }[];
/** Our packages, by name. */
export const PACKAGES: ReadonlyMap<string, PackedManifest> = new Map(
  TABLE.map(({ name }) => [name, readJson(new URL(`${name}/package.json`, PACKAGES_FOLDER)) as PackedManifest]),
);

/** Every entry of our packages that a host may import, in the order of packages.json. */
export const ENTRIES: readonly PackageEntry[] = Array.from(PACKAGES.values()).flatMap(
  ({ name: packageName, exports }) =>
    Object.entries(exports).flatMap(([path, files]) =>
      typeof files === 'string' || path.includes('*')
        ? []
        : [{ packageName, name: packageName + path.slice(1), ...files }],
    ),
);

/** Returns these packages of ours and those that they bring, in the order of packages.json. */
export function ourPackagesOf(names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const manifest = PACKAGES.get(name);
    if (manifest === undefined || found.has(name)) return;
    found.add(name);
    for (const one of Object.keys(manifest.dependencies)) visit(one);
  };
  for (const name of names) visit(name);
  return [...PACKAGES.keys()].filter((name) => found.has(name));
}

/** Returns the packages of others that these packages of ours ask for. */
export function othersOf(names: readonly string[]): readonly string[] {
  const manifests = names.flatMap((name) => PACKAGES.get(name) ?? []);
  const asked = manifests.flatMap(({ dependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...peerDependencies }),
  );
  return [...new Set(asked)].filter((name) => !PACKAGES.has(name)).sort();
}

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
