import Libsql from 'libsql';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { RefusedFile, refuseForeign, upgrade } from './schema.js';

/**
 * In milliseconds: how long SQLite waits for a lock, which blocks the process, and how long we then wait in all, which
 * does not.
 */
const BUSY_TIMEOUT_MS = 10;
const LOCK_TIMEOUT_MS = 5_000;
const OPEN_TIMEOUT = 5_000;

const OUT_OF_REACH = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/;
const LOCKED = /^SQLITE_(BUSY|LOCKED)/;

/**
 * A store in one SQLite file, which other processes may have open at the same time, or in memory (`:memory:`). What is
 * committed survives a crash of the process and of the machine: write-ahead log, synced at every commit
 * (https://sqlite.org/wal.html).
 */
export class SqliteDatabase {
  readonly #connection: Libsql.Database;
  readonly #dataVersion: Libsql.Statement;
  #writes = 0;
  #told: Promise<string> | undefined;

  /**
   * @throws Error with a sentence for people, when the file cannot be opened, is not ours, or is newer than this
   * program.
   */
  constructor(file: string) {
    this.#connection = open(file);
    this.#dataVersion = this.#connection.prepare('PRAGMA data_version').raw();
  }

  /** The state of the store after it was asked for; those who ask side by side are told together. */
  stateSoon(): Promise<string> {
    this.#told ??= Promise.resolve().then(() => {
      this.#told = undefined;
      return this.readOne(() => this.state());
    });
    return this.#told;
  }

  /**
   * Another one whenever something may have been committed, here or by another process
   * (https://sqlite.org/pragma.html#pragma_data_version).
   */
  state(): string {
    const [version] = this.#dataVersion.get() as [number];
    return `${version} ${this.#writes}`;
  }

  /** A statement of this connection; it throws what SQLite throws. */
  prepare(sql: string): Libsql.Statement {
    return this.#connection.prepare(sql);
  }

  /** Runs a single statement that reads. */
  readOne<Answer>(work: () => Answer): Promise<Answer> {
    return this.#patiently(work);
  }

  /** Runs reads that must see one state of the store. */
  read<Answer>(work: () => Answer): Promise<Answer> {
    return this.#patiently(() => this.#transact('DEFERRED', work));
  }

  /**
   * Runs writes: all of them are durable when it answers, none of them when it fails. Requests that have arrived go
   * first, so that their writes can join the next one.
   */
  async write<Answer>(work: () => Answer): Promise<Answer> {
    await setImmediate();
    return this.#patiently(() => this.#transact('IMMEDIATE', work));
  }

  /** Notes a currency for good if there is none yet, and answers the one that is noted. */
  recordCurrency(currency: string): Promise<string> {
    return this.write(() => {
      this.prepare(`INSERT INTO settings VALUES ('currency', ?) ON CONFLICT DO NOTHING`).run(currency);
      const [noted] = this.prepare(`SELECT value FROM settings WHERE name = 'currency'`).raw().get() as [string];
      return noted;
    });
  }

  /** Rejects when the store is out of reach. */
  async ping(): Promise<void> {
    await this.readOne(() => this.prepare('SELECT 1').get());
  }

  /**
   * Copies the store, as it is at one moment, into a file that is not there yet, whole or not at all, and syncs it;
   * writes go on meanwhile (https://sqlite.org/lang_vacuum.html).
   * @throws Error with a sentence for people, when the file is there or cannot be written.
   */
  async backup(file: string): Promise<void> {
    try {
      await this.#patiently(() => this.#copyTo(file));
    } catch (error) {
      throw error instanceof FileTaken
        ? error
        : new Error(`${file} could not be written: ${reasonOf(error)}`, { cause: error });
    }
  }

  /**
   * At one go, so that no signal comes in between and leaves a part of it. SQLite takes a name that begins with `file:`
   * for a URI.
   */
  #copyTo(file: string): void {
    const part = `${file}.${randomUUID()}.part`;
    try {
      refuseTaken(file);
      writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
      this.#connection.prepare('VACUUM INTO ?').run(resolve(part));
      sync(part);
      name(part, file);
      sync(dirname(file));
    } finally {
      for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
    }
  }

  /** Closes the file; again is no error. From then on whatever is asked of the store is `unavailable`. */
  close(): void {
    if (this.#connection.open) this.#connection.close();
  }

  async #patiently<Answer>(work: () => Answer): Promise<Answer> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      if (!this.#connection.open) throw new DomainError('unavailable', 'store-closed', 'the SQLite store is closed');
      try {
        return work();
      } catch (error) {
        if (!LOCKED.test(codeOf(error)) || performance.now() > deadline) throw translated(error);
        await setTimeout(1 + Math.random() * 10);
      }
    }
  }

  #transact<Answer>(mode: 'DEFERRED' | 'IMMEDIATE', work: () => Answer): Answer {
    this.#connection.exec(`BEGIN ${mode}`);
    let answer: Answer;
    try {
      answer = work();
    } catch (error) {
      this.#rollback();
      throw error;
    }
    try {
      this.#commit();
    } finally {
      if (mode === 'IMMEDIATE') this.#writes += 1;
    }
    return answer;
  }

  #commit(): void {
    try {
      this.#connection.exec('COMMIT');
    } catch (error) {
      this.#rollback();
      if (LOCKED.test(codeOf(error))) throw error;
      throw new DomainError('outcome-unknown', 'commit-failed', 'the commit failed; it may have reached the disk', [], {
        cause: error,
      });
    }
  }

  #rollback(): void {
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
  }
}

/**
 * Patient as well: when several processes open a new file at once, SQLite does not wait for its turn to change to the
 * write-ahead log.
 */
function open(file: string): Libsql.Database {
  const deadline = performance.now() + OPEN_TIMEOUT;
  for (;;) {
    try {
      return connect(file);
    } catch (error) {
      if (error instanceof RefusedFile) throw error;
      if (!LOCKED.test(codeOf(error)) || performance.now() > deadline)
        throw new Error(`${file} cannot be opened as a store: ${whyNotOpen(error)}`, { cause: error });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_TIMEOUT_MS);
    }
  }
}

/** The driver names a file that is none, or is not ours to use, by a number. */
function whyNotOpen(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /unable to open/i.test(message) ? 'it must be a file that this user may read and write' : message;
}

function connect(file: string): Libsql.Database {
  const connection = new Libsql(file, { timeout: OPEN_TIMEOUT });
  try {
    refuseForeign(connection, file);
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint ' +
        '= 4000',
    );
    upgrade(connection, file);
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

class FileTaken extends Error {
  constructor(file: string) {
    super(`${file} is there already; a backup never writes over a file`);
  }
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new FileTaken(file);
}

/** Renames instead where the file system has no links; a file that appears at that very moment is overwritten. */
function name(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileTaken(file);
    refuseTaken(file);
    renameSync(part, file);
  }
}

/** Returns the message of the file system for one of its failures. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (codeOf(error.cause) === 'SQLITE_FULL') return 'the disk is full';
  return /^E[A-Z]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}

/** A file or a folder. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function translated(error: unknown): unknown {
  if (!OUT_OF_REACH.test(codeOf(error))) return error;
  return new DomainError('unavailable', 'store-unavailable', 'the SQLite store is out of reach', [], { cause: error });
}
