import { statSync } from 'node:fs';
import Libsql from 'libsql';
import { isCurrent } from '../settings.js';
import { isDamage, isLocked, messageOf } from './failures.js';

/** Marks a file as a store (`PRAGMA application_id`): "amkt" in ASCII. */
const APPLICATION_ID = 0x616d6b74;

/** How long SQLite waits for a lock, which blocks the thread: while it opens a file, and afterwards. */
const OPEN_TIMEOUT_MS = 5_000;
const BUSY_TIMEOUT_MS = 10;

/** The cache of pages of a connection. A store has up to four; 64 MiB take 70 MiB more in all and save no time. */
const CACHE_KIB = 16_384;

/** A file that this program must not write to. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/**
 * Opens a file, or makes one, with a write-ahead log that is synced at every commit (https://sqlite.org/wal.html).
 * @throws Error with a sentence for people, when the file cannot be opened, is none of this program, or is newer.
 */
export function openFile(file: string): Libsql.Database {
  if (typeof file !== 'string') throw new TypeError('an SQLite store needs the path of a file, a text');
  if (file === ':memory:' || file === '')
    throw new Error('an SQLite store needs a file; for a store in memory use inMemoryStorage() of ./in-memory');
  try {
    return open(file);
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new Error(`${file} cannot be opened as a store: ${whyNotOpen(error)}`, { cause: error });
  }
}

function open(file: string): Libsql.Database {
  const before = fileIdOf(file);
  const connection = new Libsql(file, { timeout: OPEN_TIMEOUT_MS });
  try {
    const isOurs = isMarked(connection, file);
    // A backup was put in its place meanwhile. From the first read on that cannot happen.
    if (before !== undefined && fileIdOf(file) !== before) {
      connection.close();
      return open(file);
    }
    if (!isOurs) mark(connection, file);
    useWriteAheadLog(connection);
    connection.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 4000`);
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Returns what tells a file from another one that gets its name; undefined when there is none. */
export function fileIdOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Returns whether the file is a store of this version of the program. @throws RefusedFile as `isMarked` does. */
export function isStore(connection: Libsql.Database, file: string): boolean {
  return isMarked(connection, file) && isCurrent(versionOf(connection), file);
}

/** Returns whether the file is a store, and false when it is empty. @throws RefusedFile before anything is written. */
function isMarked(connection: Libsql.Database, file: string): boolean {
  const [id] = connection.prepare('PRAGMA application_id').raw().get() as [number];
  const tables = tablesOf(connection);
  if (id !== APPLICATION_ID && (id !== 0 || tables.length > 0)) throw new RefusedFile(isForeign(file));
  try {
    isCurrent(versionOf(connection), file);
  } catch (error) {
    throw new RefusedFile(messageOf(error));
  }
  return id === APPLICATION_ID;
}

function tablesOf(connection: Libsql.Database): readonly unknown[] {
  return connection.prepare('SELECT name FROM sqlite_schema').raw().all().flat();
}

function versionOf(connection: Libsql.Database): string | undefined {
  if (!tablesOf(connection).includes('settings')) return undefined;
  const row = connection.prepare(`SELECT value FROM settings WHERE name = 'schema'`).raw().get();
  return (row as [string] | undefined)?.[0];
}

function mark(connection: Libsql.Database, file: string): void {
  connection.exec('BEGIN IMMEDIATE');
  if (!isMarked(connection, file)) connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec('COMMIT');
}

/** SQLite does not wait for a process that changes the journal of a new file too, but it waits before a transaction. */
function useWriteAheadLog(connection: Libsql.Database): void {
  for (let triesLeft = 20; ; triesLeft -= 1)
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isLocked(error) || triesLeft === 0) throw error;
      connection.exec('BEGIN IMMEDIATE; COMMIT');
    }
}

/** The driver names a file that is none, or that must not be used, by a number. */
function whyNotOpen(error: unknown): string {
  const message = messageOf(error);
  if (isDamage(error))
    return `it is damaged, or no SQLite file (${message}); put a backup in its place ("restore FILE")`;
  return /unable to open|readonly/i.test(message) ? 'it must be a file that this user may read and write' : message;
}

function isForeign(file: string): string {
  return `${file} is an SQLite database of another program; name another file, or move it away.`;
}
