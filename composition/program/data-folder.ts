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
    tryFolder(path);
  } catch (error) {
    if (!FULL.includes(String((error as NodeJS.ErrnoException).code)))
      throw new Error(`${RULE}: ${resolve(path)}`, { cause: error });
  }
  if (existsSync(storeIn(path)) && !isOurs(storeIn(path)))
    throw new Error(`must name a folder whose ${STORE} this user may read and write: ${storeIn(path)}`);
}

/** Creates the folder with those above it, readable by the user of the service only, unless it is there. */
export function makeFolder(path: string): void {
  try {
    if (existsSync(path) && statSync(path).isDirectory()) return;
    // Where nothing can be created, as in /proc, `recursive` would never end.
    tryFolder(path);
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`DATA_DIR ${RULE}: ${resolve(path)}`, { cause: error });
  }
}

/** Creates an empty file with mode 0600, unless it is there; SQLite gives its side files the same mode. */
export function makeStore(folder: string): void {
  try {
    closeSync(openSync(storeIn(folder), 'wx', 0o600));
  } catch {
    return;
  }
}

/** Creates a folder in this one, or in the nearest above it that is there, and removes it. */
function tryFolder(path: string): void {
  let nearest = resolve(path);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  rmdirSync(mkdtempSync(join(nearest, '.marketplace-')));
}

function isOurs(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
