import { DomainError } from '../../domain/errors.js';
import type { SearchPage, SearchQuery, StoreState } from '../../domain/ports.js';
import { copyTo } from './backup.js';
import {
  codeOf,
  DAMAGED,
  firstRow,
  openConnection,
  patiently,
  storeClosed,
  transact,
  type Connection,
  type Statement,
} from './connection.js';
import { ConnectionExecutor, ThreadExecutor, type Executor } from './executor.js';
import { searchesOf, type Searches } from './searches.js';
import { RefusedFile, refuseForeign, upgrade } from './upgrade.js';
import type { WordChecks, WordCheckResult } from './word-check.js';
import { WordIndex } from './word-index.js';
import { UPKEEP, writesOf, type Writes } from './writes.js';

/** The time that a caller waits for a write, also while it waits for others: two of them end within 13 seconds. */
const WRITE_TIMEOUT_MS = 6_000;

/** The settings of a database. */
export interface SqliteSettings {
  /** Gets the path of the copy when a store of an earlier version was upgraded. */
  readonly onUpgrade?: ((copy: string) => void) | undefined;
  /** Gets each failure of work in the background, which is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Whether to keep an index for searches by words; true by default. */
  readonly search?: boolean | undefined;
}

/**
 * A store in one SQLite file, which other processes may have open at the same time, or in memory (`:memory:`). What is
 * committed survives a crash of the process and of the machine. Reads run in the caller's thread. Writes to a file run
 * in a thread of their own, since each waits for the disk, and so do searches, which may take long.
 */
export class SqliteDatabase {
  /** The index of words; undefined when searching by words is switched off. @hidden */
  readonly words: WordIndex | undefined;
  readonly #connection: Connection;
  readonly #writer: Executor<Writes>;
  readonly #file: string;
  #searcher: Executor<Searches> | undefined;
  #checker: Executor<WordChecks> | undefined;
  readonly #dataVersion: Statement;
  /** Counted before each, since it runs at once. In `data_version` are only those of other connections. */
  #writesInMemory = 0;
  #isClosed = false;
  #isFull = false;

  /**
   * Opens the store, makes one when there is none, and upgrades one of an earlier version.
   * @throws Error with a sentence for people, when the file cannot be opened, is not ours, or is newer than this
   * program.
   */
  constructor(file: string, { onError, onUpgrade, search = true }: SqliteSettings = {}) {
    this.#connection = open(file, onUpgrade);
    this.#dataVersion = this.#connection.prepare('PRAGMA data_version').raw();
    this.#file = file;
    this.#writer = this.#isInMemory
      ? new ConnectionExecutor(this.#connection, 'IMMEDIATE', writesOf(this.#connection))
      : new ThreadExecutor({ file, task: 'write' }, (name) => (UPKEEP.has(name) ? undefined : WRITE_TIMEOUT_MS));
    if (search) this.words = new WordIndex(this, onError);
  }

  /**
   * Returns another text whenever something may have been committed: here, in the thread that writes, or by another
   * process (https://sqlite.org/pragma.html#pragma_data_version).
   */
  state(): string {
    const [version] = firstRow(this.#dataVersion) as [number];
    return `${version} ${this.#writesInMemory}`;
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
    if (this.#isInMemory) this.#writesInMemory += 1;
    try {
      const answer = await this.#writer.run(name, args);
      this.#isFull = false;
      return answer;
    } catch (error) {
      if (isOfFullDisk(error)) this.#isFull = true;
      throw error;
    } finally {
      if (AUTOMATION_WRITES.has(name)) this.words?.changed(sizeOf(args));
    }
  }

  /** Runs a search, which sees one state of the store. @hidden */
  search(query: SearchQuery): Promise<SearchPage> {
    if (this.#isClosed) return Promise.reject(storeClosed());
    this.#searcher ??= this.#isInMemory
      ? new ConnectionExecutor(this.#connection, 'DEFERRED', searchesOf(this))
      : new ThreadExecutor({ file: this.#file, task: 'search' });
    return this.#searcher.run('search', [query]);
  }

  /**
   * Begins the index of words, unless there is one of another rule. Removes it when searching by words is switched off.
   * @hidden
   */
  async prepareWords(): Promise<void> {
    await (this.words === undefined ? new WordIndex(this).end() : this.words.prepare());
  }

  /** Compares the index of words with the automations. Damage in memory is not looked for. @hidden */
  async checkWords(): Promise<WordCheckResult> {
    if (this.words === undefined || this.#isInMemory) return { wrong: [], isDamaged: false };
    this.#checker ??= new ThreadExecutor({ file: this.#file, task: 'check' });
    return this.#checker.run('checkWords', []);
  }

  /** Resolves to what the store can do. Rejects when it is out of reach. */
  async ping(): Promise<StoreState> {
    await this.readOne(() => firstRow(this.#dataVersion));
    return this.#isFull ? 'read-only' : 'ready';
  }

  /**
   * Copies the store, as it is at one moment, into a file that does not exist yet, completely or not at all.
   * @throws Error with a sentence for people, when the file exists or cannot be written.
   */
  async backup(file: string): Promise<void> {
    await patiently(this.#connection, () => copyTo(this.#connection, file));
  }

  /** Closes the file; again is no error. From then on every call is `unavailable`. */
  async close(): Promise<void> {
    if (this.#connection.open) this.#connection.close();
    this.#isClosed = true;
    await Promise.all([this.#writer.close(), this.#searcher?.close(), this.#checker?.close()]);
  }

  /** A store in memory has one connection. */
  get #isInMemory(): boolean {
    return this.#file === ':memory:';
  }
}

const AUTOMATION_WRITES: ReadonlySet<keyof Writes> = new Set([
  'addAutomations',
  'reviseAutomation',
  'withdrawAutomation',
]);

function isOfFullDisk(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'store-full';
}

function sizeOf([first]: readonly unknown[]): number {
  return Array.isArray(first) ? first.length : 1;
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
  if (DAMAGED.test(codeOf(error))) return `it is damaged, or no SQLite file (${message}); put a backup in its place`;
  return /unable to open/i.test(message) ? 'it must be a file that this user may read and write' : message;
}
