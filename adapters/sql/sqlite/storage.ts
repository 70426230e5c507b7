import { DomainError } from '../../../domain/errors.js';
import { requireOptions } from '../../../domain/options.js';
import type { CatalogueSearch, Difference, SearchPage, Storage, StoreRecord } from '../../../domain/ports.js';
import { searchFailure } from '../../../domain/search-failure.js';
import { groupCommit } from '../../storage/group-commit.js';
import { completeWords, sqlStorage, type SqlSettings } from '../storage.js';
import { copyTo } from './backup.js';
import { SqliteConnection } from './connection.js';
import { StorageThread, type Call, type Task } from './thread.js';

/** The settings of a store in an SQLite file. */
export interface SqliteSettings extends SqlSettings {
  /** Gets each failure of work in the background, which is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A store in an SQLite file, which other processes may have open at the same time. */
export interface SqliteStorage extends Storage {
  readonly search: CatalogueSearch;

  /**
   * Copies the store, as it is at one moment, into a file that does not exist yet, completely or not at all.
   * @throws Error with a sentence for people, when the file exists or cannot be written.
   */
  backup(file: string): Promise<void>;
}

/** The ports that write. The type has every other member of a storage by name, so that a new port must be put here. */
type WritingPort = Exclude<keyof Storage, 'archive' | 'search' | 'supports' | 'prepare' | 'ping' | 'check' | 'close'>;

/**
 * Whether a method writes. Those run in a thread, each as one call, so that no transaction waits for this thread. A
 * method that is missing or too many is an error of the compiler.
 */
const WRITES: { readonly [Port in WritingPort]: Readonly<Record<keyof Storage[Port], boolean>> } = {
  automations: {
    add: true,
    revise: true,
    withdraw: true,
    withdrawAll: true,
    freeIdempotencyKeys: true,
    find: false,
    list: false,
    countByCategory: false,
  },
  categories: { save: true, list: false, find: false },
  keys: {
    add: true,
    replace: true,
    revoke: true,
    rename: true,
    noteUse: true,
    removeEnded: true,
    find: false,
    findByHash: false,
    list: false,
    listActive: false,
    countActive: false,
    listEnded: false,
    countEnded: false,
  },
  developers: {
    register: true,
    invite: true,
    activate: true,
    suspend: true,
    restore: true,
    setRole: true,
    setProfile: true,
    changeSignIn: true,
    rename: true,
    find: false,
    findBySignInName: false,
    findByInvitation: false,
    findShownAs: false,
    list: false,
    count: false,
    countOperators: false,
  },
  sessions: { add: true, renew: true, end: true, endAll: true, endExpired: true, findByHash: false, list: false },
  auditLog: { append: true, list: false },
};

/** Those for which no client waits. They may take long. */
const UPKEEP: ReadonlySet<string> = new Set('prepare indexLot freeIdempotencyKeys removeEnded endExpired'.split(' '));

/** The time that a caller waits for a write, also while it waits for others: two of them end within 13 seconds. */
const WRITE_TIMEOUT_MS = 6_000;
const SEARCH_TIMEOUT_MS = 5_000;

export const WRITE: Task = {
  name: 'write',
  atOnce: Infinity,
  endsAtOnce: false,
  endsWhenIdle: false,
  limitOf: (method) => (UPKEEP.has(method) ? undefined : WRITE_TIMEOUT_MS),
  tooLate: (message, options) => new DomainError('outcome-unknown', 'no-answer', message, [], options),
};

export const SEARCH: Task = {
  name: 'search',
  atOnce: 1,
  endsAtOnce: true,
  endsWhenIdle: false,
  limitOf: () => SEARCH_TIMEOUT_MS,
  tooLate: (_, options) => searchFailure('search-too-slow', options),
};

/**
 * Each check has a new connection. One that has read the index of words before another process changed it reports
 * damage that is not there (`integrity_check` of FTS5 in libsql 0.5.29).
 */
const CHECK: Task = {
  name: 'check',
  atOnce: 1,
  endsAtOnce: true,
  endsWhenIdle: true,
  limitOf: () => undefined,
  tooLate: (message, options) => new DomainError('unavailable', 'store-unavailable', message, [], options),
};

/**
 * Opens the store in this file, or makes one. What is committed survives a crash of the process and of the machine.
 * Short reads run in this thread; writes, searches and checks each have a thread.
 * @throws Error with a sentence for people, when the file cannot be opened, is not ours, or is newer than this program;
 *   TypeError for an unknown option.
 */
export function sqliteStorage(file: string, settings: SqliteSettings = {}): SqliteStorage {
  requireOptions('sqliteStorage', settings, { search: true, onError: true });
  const { search, onError } = settings;
  const connection = new SqliteConnection(file);
  const storage = sqlStorage(connection, { search });
  const [writer, searcher, checker] = [
    new StorageThread(WRITE, { file, search }),
    new StorageThread(SEARCH, { file, search }),
    new StorageThread(CHECK, { file, search }),
  ] as const;
  const closing = new AbortController();

  async function write(call: Call): Promise<unknown> {
    try {
      const answer = await writer.run(call);
      connection.isFull = false;
      return answer;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'store-full') connection.isFull = true;
      throw error;
    }
  }

  for (const [port, methods] of Object.entries(WRITES))
    for (const [method] of Object.entries(methods).filter(([, isWrite]) => isWrite))
      Object.assign(storage[port as keyof typeof WRITES], {
        [method]: (...args: readonly unknown[]) => write({ port, method, args }),
      });

  return {
    ...storage,
    automations: groupCommit(storage.automations),
    search: {
      search: (query) => searcher.run({ port: 'search', method: 'search', args: [query] }) as Promise<SearchPage>,
    },
    async prepare(options) {
      const record = (await write({ method: 'prepare', args: [options] })) as StoreRecord;
      const indexLot = () => write({ method: 'indexLot', args: [] }) as Promise<boolean>;
      void completeWords({ indexLot }, closing.signal, onError);
      return record;
    },
    check: (options) => checker.run({ method: 'check', args: [options] }) as Promise<readonly Difference[]>,
    backup: (copy) => connection.use((database) => copyTo(database, copy)),
    async close() {
      closing.abort();
      await connection.close();
      await Promise.all([writer, searcher, checker].map((thread) => thread.close()));
    },
  };
}
