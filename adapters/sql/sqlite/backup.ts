import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Libsql from 'libsql';
import { codeOf } from './failures.js';

/**
 * Copies the store, as it is at one moment, into a file that does not exist yet, completely or not at all, and syncs
 * it. Other connections write meanwhile; this thread waits, so that no signal interrupts it and leaves a part.
 * SQLite takes a name that begins with `file:` for a URI, and so it gets the absolute path.
 */
export function copyTo(connection: Libsql.Database, file: string): void {
  const part = `${file}.${randomUUID()}.part`;
  try {
    refuseTaken(file);
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    connection.prepare('VACUUM INTO ?').run(resolve(part));
    sync(part);
    name(part, file);
    sync(dirname(file));
  } catch (error) {
    throw error instanceof FileTaken ? error : notWritten(file, error);
  } finally {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
  }
}

class FileTaken extends Error {
  constructor(file: string) {
    super(`${file} already exists; choose another name`);
  }
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new FileTaken(file);
}

/** Names a file. Where the file system has no links, a file that appears at that very moment is overwritten. */
export function name(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileTaken(file);
    refuseTaken(file);
    renameSync(part, file);
  }
}

/** Returns the error for people. Locks are waited for, and so their error stays as it is. */
function notWritten(file: string, error: unknown): unknown {
  if (/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))) return error;
  return new Error(`${file} could not be written: ${reasonOf(error)}`, { cause: error });
}

/** Returns the message of the file system for one of its failures. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (codeOf(error) === 'SQLITE_FULL') return 'the disk is full';
  return /^E[A-Z]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}

/** Syncs a file or a folder. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
