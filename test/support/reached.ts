import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Files of a package without their endings, and the names of what they import from others. */
export interface Reached {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

const SPECIFIER = /\b(?:from|import|URL)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** Every file that can be reached from these in an unpacked package, by programs and types, or by the one ending. */
export function reachedFrom(
  starts: readonly string[],
  folder: string,
  endings: readonly string[] = ['.js', '.d.ts'],
): Reached {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const text of endings.map((ending) => join(folder, path + ending)).filter((file) => existsSync(file)))
      for (const [, specifier = ''] of readFileSync(text, 'utf8').matchAll(SPECIFIER))
        if (/^\..*\.js$/.test(specifier)) visit(withoutEnding(posix.join(posix.dirname(path), specifier)));
        else if (!/^(\.|node:)/.test(specifier)) packages.add(packageOf(specifier));
  };
  for (const start of starts) visit(withoutEnding(posix.normalize(start)));
  return { files, packages };
}

/** Returns the path of a module, whether it is the program or its types. */
export function withoutEnding(path: string): string {
  return path.replace(/\.(d\.ts|js)$/, '');
}

function packageOf(specifier: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}
