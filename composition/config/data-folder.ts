import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const STORE = 'marketplace.db';
const RULE = 'must name a folder that this user may write to, or that can be made';
/** Of a disk without room, which is no mistake in the configuration: a store that is there can be read. */
const FULL = ['ENOSPC', 'EDQUOT'];

/** Where SQLite keeps its file. */
export function storeIn(folder: string): string {
  return resolve(folder, STORE);
}

/**
 * Whether a store can be there is tried, and nothing of that is left.
 * @throws Error whose message goes on after the name of the variable.
 */
export function checkFolder(path: string): void {
  try {
    rmdirSync(mkdtempSync(join(levelsOf(path).there, '.marketplace-')));
  } catch (error) {
    if (!FULL.includes(String((error as NodeJS.ErrnoException).code))) throw new Error(RULE, { cause: error });
  }
  if (existsSync(storeIn(path)) && !isOurs(storeIn(path)))
    throw new Error(`must name a folder whose ${STORE} this user may read and write`);
}

/** What is in it is for the user of the service alone. */
export function makeFolder(path: string): void {
  try {
    for (const folder of levelsOf(path).missing) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Error('a file is there');
  } catch (error) {
    throw new Error(`DATA_DIR ${RULE}`, { cause: error });
  }
}

/**
 * An empty one, which is for the user of the service alone, as then is what SQLite puts beside it. Whether it can be
 * opened, SQLite tells.
 */
export function makeStore(folder: string): void {
  try {
    closeSync(openSync(storeIn(folder), 'wx', 0o600));
  } catch {
    return;
  }
}

/** Level by level: `recursive` never ends where nothing can be made, as in /proc. */
function levelsOf(path: string): { readonly there: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let there = resolve(path);
  for (; !existsSync(there); there = dirname(there)) missing.unshift(there);
  return { there, missing };
}

/** Perhaps another process has just made it. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function isOurs(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
