import { copyTo } from './backup.js';
import { openConnection, patiently, transact, type Connection, type Statement } from './connection.js';
import { RefusedFile, refuseForeign, upgrade } from './upgrade.js';
import { ConnectionWriter, ThreadWriter, type Writer } from './writer.js';
import type { Writes } from './writes.js';

/** The settings of a database. */
export interface SqliteSettings {
  /** Gets the path of the copy when a store of an earlier version was upgraded. */
  readonly onUpgrade?: (copy: string) => void;
}

/**
 * A store in one SQLite file, which other processes may have open at the same time, or in memory (`:memory:`). What is
 * committed survives a crash of the process and of the machine. Reads run in the caller's thread. Writes to a file run
 * in a thread of their own, since each waits for the disk.
 */
export class SqliteDatabase {
  readonly #connection: Connection;
  readonly #writer: Writer;
  readonly #dataVersion: Statement;
  #writes = 0;

  /**
   * Opens the store, makes one when there is none, and upgrades one of an earlier version.
   * @throws Error with a sentence for people, when the file cannot be opened, is not ours, or is newer than this
   * program.
   */
  constructor(file: string, { onUpgrade }: SqliteSettings = {}) {
    this.#connection = open(file, onUpgrade);
    this.#writer = file === ':memory:' ? new ConnectionWriter(this.#connection) : new ThreadWriter(file);
    this.#dataVersion = this.#connection.prepare('PRAGMA data_version').raw();
  }

  /**
   * Returns another text whenever something may have been committed: here, in the thread that writes, or by another
   * process (https://sqlite.org/pragma.html#pragma_data_version).
   */
  state(): string {
    const [version] = this.#dataVersion.get() as [number];
    return `${version} ${this.#writes}`;
  }

  /** Prepares a statement that reads; it throws what SQLite throws. */
  prepare(sql: string): Statement {
    return this.#connection.prepare(sql);
  }

  /** Runs a single statement that reads. */
  readOne<Answer>(work: () => Answer): Promise<Answer> {
    return patiently(this.#connection, work);
  }

  /** Runs reads that must see one state of the store. */
  read<Answer>(work: () => Answer): Promise<Answer> {
    return patiently(this.#connection, () => transact(this.#connection, 'DEFERRED', work));
  }

  /** Runs a write: all of it is durable when it resolves. Every read that starts afterwards sees it. @hidden */
  async write<Name extends keyof Writes>(
    name: Name,
    ...args: Parameters<Writes[Name]>
  ): Promise<ReturnType<Writes[Name]>> {
    try {
      return await this.#writer.write(name, args);
    } finally {
      this.#writes += 1;
    }
  }

  /** Rejects when the store is out of reach. */
  async ping(): Promise<void> {
    await this.readOne(() => this.#dataVersion.get());
  }

  /**
   * Copies the store, as it is at one moment, into a file that does not exist yet, completely or not at all.
   * @throws Error with a sentence for people, when the file exists or cannot be written.
   */
  async backup(file: string): Promise<void> {
    await patiently(this.#connection, () => copyTo(this.#connection, file));
  }

  /** Closes the file; again is no error. From then on every call is `unavailable`. */
  close(): Promise<void> {
    if (this.#connection.open) this.#connection.close();
    return this.#writer.close();
  }
}

function open(file: string, onUpgrade: SqliteSettings['onUpgrade']): Connection {
  try {
    return openConnection(
      file,
      (connection) => refuseForeign(connection, file),
      (connection) => {
        const copy = upgrade(connection, file);
        if (copy !== undefined) onUpgrade?.(copy);
      },
    );
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new Error(`${file} cannot be opened as a store: ${whyNotOpen(error)}`, { cause: error });
  }
}

/** The driver names a file that is none, or is not ours to use, by a number. */
function whyNotOpen(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /unable to open/i.test(message) ? 'it must be a file that this user may read and write' : message;
}
