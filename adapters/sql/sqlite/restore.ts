import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Libsql from 'libsql';
import { name, reasonOf, sync } from './backup.js';
import { isDamage, isLocked, messageOf } from './failures.js';
import { fileIdOf, isStore, RefusedFile } from './file.js';

/** How long the only lock of the store is waited for, so that a command that is just ending is no obstacle. */
const LOCK_TIMEOUT_MS = 1_000;

/** The first bytes of a database of SQLite (https://sqlite.org/fileformat.html). */
const HEADER = Buffer.from('SQLite format 3\0');

/** What SQLite keeps next to a file. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/**
 * Puts a copy of a backup in the place of the store in `file`, and returns where the earlier store is kept; undefined
 * when there was none. At each moment the file is the whole earlier store or the whole copy. It blocks the thread.
 * @throws Error with a sentence for people, and changes nothing, when the backup is no store of this program's version,
 *   or when a process has the store open, also one that does nothing.
 */
export function restoreStore(file: string, backup: string): string | undefined {
  for (const path of [file, backup])
    if (typeof path !== 'string' || path === '') throw new TypeError('restoreStore takes the paths of two files');
  const store = resolve(file);
  const part = `${store}.${randomUUID()}.part`;
  try {
    if (existsSync(store) && fileIdOf(store) === fileIdOf(backup)) throw new Error(`${backup} is the store itself`);
    copyBackup(backup, part);
    if (existsSync(store)) return replace(store, part, file);
    putFirst(store, part);
    return undefined;
  } finally {
    for (const side of ['', ...SIDE_FILES]) rmSync(part + side, { force: true });
  }
}

/** Copies by SQLite, which reads all of it, and what stands in its write-ahead log. */
function copyBackup(backup: string, part: string): void {
  let source: Libsql.Database | undefined;
  try {
    if (!statSync(backup).isFile()) throw new Error('it is not a file');
    source = new Libsql(resolve(backup), { readonly: true, timeout: LOCK_TIMEOUT_MS });
    if (!isStore(source, backup)) throw new Error('it is not a store of this version of the program');
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    source.prepare('VACUUM INTO ?').run(part);
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const reason = isDamage(error) ? `it is damaged, or no SQLite file (${messageOf(error)})` : reasonOf(error);
    throw new Error(`${backup} cannot be restored: ${reason}`, { cause: error });
  } finally {
    source?.close();
  }
  const copy = new Libsql(part);
  // Who opens a file in this mode holds a lock of it from then on. A store in another mode could be replaced under it.
  copy.exec('PRAGMA journal_mode = WAL');
  copy.close();
  sync(part);
}

/** Links the earlier store to its new name before the copy gets the old one: there is a store at each moment. */
function replace(store: string, part: string, file: string): string {
  const kept = keptName(store);
  const { mode, uid, gid } = statSync(store);
  chmodSync(part, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(part, uid, gid);
  const lock = lockWhole(store, file);
  try {
    if (lock === undefined) moveSideFiles(store, kept);
    linkSync(store, kept);
    sync(dirname(store));
    renameSync(part, store);
    sync(dirname(store));
  } finally {
    lock?.close();
  }
  return kept;
}

/** A write-ahead log without its file would be taken for one of the copy. */
function putFirst(store: string, part: string): void {
  moveSideFiles(store, keptName(store));
  name(part, store);
  sync(dirname(store));
}

function moveSideFiles(store: string, kept: string): void {
  for (const side of SIDE_FILES) if (existsSync(store + side)) renameSync(store + side, kept + side);
  sync(dirname(store));
}

function keptName(store: string): string {
  return `${store}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
}

/**
 * Returns a connection that holds the only lock of the store, whose write-ahead log is empty then; undefined when the
 * file is damaged so much that it cannot be locked. @throws Error when another process has the store open.
 */
function lockWhole(store: string, file: string): Libsql.Database | undefined {
  if (!hasHeader(store)) {
    refuseLocked(store, file);
    return undefined;
  }
  const before = fileIdOf(store);
  const connection = new Libsql(store, { timeout: LOCK_TIMEOUT_MS });
  try {
    // The second has SQLite open a file that is shorter than it should be.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON; BEGIN EXCLUSIVE; COMMIT');
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    if (fileIdOf(store) !== before) throw new Error(isOpen(file));
    return connection;
  } catch (error) {
    connection.close();
    if (isLocked(error)) throw new Error(isOpen(file), { cause: error });
    if (!isDamage(error)) throw error;
    refuseLocked(store, file);
    return undefined;
  }
}

/** Returns whether SQLite would take the file for a database. It could change what stands next to another one. */
function hasHeader(store: string): boolean {
  const descriptor = openSync(store, 'r');
  const start = Buffer.alloc(HEADER.length);
  readSync(descriptor, start);
  closeSync(descriptor);
  return start.equals(HEADER);
}

/** @throws Error when a process has a lock of the file, as far as the system tells: Linux does. */
function refuseLocked(store: string, file: string): void {
  const locks = existsSync('/proc/locks') ? readFileSync('/proc/locks', 'utf8') : '';
  if (locks.includes(`:${statSync(store, { bigint: true }).ino} `)) throw new Error(isOpen(file));
}

function isOpen(file: string): string {
  return `${file} is open in another process; stop the service and every command, then try again`;
}
