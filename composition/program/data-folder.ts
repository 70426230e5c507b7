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
/** A full disk is not a mistake in the configuration: an existing store can be read. */
const FULL = ['ENOSPC', 'EDQUOT'];

/** Returns the path of the SQLite file. */
export function storeIn(folder: string): string {
  return resolve(folder, STORE);
}

/**
 * Tries whether the folder can hold a store, and leaves nothing behind.
 * @throws Error whose message follows the name of the variable.
 */
export function checkFolder(path: string): void {
  try {
    rmdirSync(mkdtempSync(join(levelsOf(path).there, '.marketplace-')));
  } catch (error) {
    if (!FULL.includes(String((error as NodeJS.ErrnoException).code)))
      throw new Error(`${RULE}: ${resolve(path)}`, { cause: error });
  }
  if (existsSync(storeIn(path)) && !isOurs(storeIn(path)))
    throw new Error(`must name a folder whose ${STORE} this user may read and write: ${storeIn(path)}`);
}

/** Creates the folder, readable by the user of the service only. */
export function makeFolder(path: string): void {
  try {
    for (const folder of levelsOf(path).missing) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Error('a file is there');
  } catch (error) {
    throw new Error(`DATA_DIR ${RULE}: ${resolve(path)}`, { cause: error });
  }
}

/** Creates an empty file with mode 0600; SQLite gives its side files the same mode. */
export function makeStore(folder: string): void {
  try {
    closeSync(openSync(storeIn(folder), 'wx', 0o600));
  } catch {
    return;
  }
}

/** Returns the missing folders of a path; `recursive` never ends where nothing can be created, as in /proc. */
function levelsOf(path: string): { readonly there: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let there = resolve(path);
  for (; !existsSync(there); there = dirname(there)) missing.unshift(there);
  return { there, missing };
}

/** Creates one folder, unless another process has just created it. */
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
