import { DomainError } from '../../../domain/errors.js';
import { requireOptions } from '../../../domain/options.js';
import type {
  ApiKeyRepository,
  AutomationRepository,
  CatalogueSearch,
  Difference,
  OAuthRecords,
  ReportRepository,
  SearchPage,
  SessionRepository,
  Storage,
  StoreRecord,
  WritingPort,
} from '../../../domain/ports.js';
import { READS } from '../../../domain/ports/storage.js';
import { searchFailure } from '../../../domain/search-failure.js';
import { decorated } from '../../storage/decorated.js';
import { groupCommit } from '../../storage/group-commit.js';
import { isRefusedWrite } from '../../storage/refused-write.js';
import { sqlStorage, type SqlSettings, type SqlStorage } from '../storage.js';
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

type UpkeepMethod =
  | keyof Storage
  | keyof AutomationRepository
  | keyof ApiKeyRepository
  | keyof SessionRepository
  | keyof OAuthRecords
  | keyof ReportRepository;

/** Those for which no client waits. They may take long. */
const UPKEEP: ReadonlySet<string> = new Set<UpkeepMethod>([
  'prepare',
  'freeIdempotencyKeys',
  'removeEnded',
  'endExpired',
  'removeExpired',
  'removeClosed',
  'removeAddresses',
]);

/** The time that a caller waits for a write, also while it waits for others: two of them end within 13 seconds. */
const WRITE_TIMEOUT_MS = 6_000;
const SEARCH_TIMEOUT_MS = 5_000;

export const WRITE: Task = {
  name: 'write',
  endsAtOnce: false,
  endsWhenIdle: false,
  limitOf: (method) => (UPKEEP.has(method) ? undefined : WRITE_TIMEOUT_MS),
  tooLate: (message, options) => new DomainError('outcome-unknown', 'no-answer', message, [], options),
};

export const SEARCH: Task = {
  name: 'search',
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
  endsAtOnce: true,
  endsWhenIdle: true,
  limitOf: () => undefined,
  tooLate: (message, options) => new DomainError('unavailable', 'store-unavailable', message, [], options),
};

/**
 * Opens the store in this file, or makes one. What is committed survives a crash of the process and of the machine.
 * Short reads run in this thread; writes, searches and checks each have a thread.
 * @throws Error with a sentence for people, when the file cannot be opened, is none of this program, or is newer;
 *   TypeError for an unknown option.
 */
export function sqliteStorage(file: string, settings: SqliteSettings = {}): SqliteStorage {
  requireOptions('sqliteStorage', settings, { search: true, onError: true });
  const { search, onError } = settings;
  const connection = new SqliteConnection(file);
  const storage = sqlStorage(connection, { search });
  const writer = new StorageThread(WRITE, { file, search }, onError);
  const searcher = new StorageThread(SEARCH, { file, search });
  const checker = new StorageThread(CHECK, { file, search });
  let record: StoreRecord | undefined;

  async function write(call: Call): Promise<unknown> {
    try {
      const answer = await writer.run(call);
      connection.refusesWrites = false;
      return answer;
    } catch (error) {
      if (isRefusedWrite(error)) connection.refusesWrites = true;
      throw error;
    }
  }

  /** Returns the port, whose writes run in the thread: a transaction of theirs must not wait for this one. */
  const threaded = <Port extends WritingPort>(port: Port): SqlStorage[Port] => {
    const reads: readonly string[] = READS[port];
    return decorated(storage[port], {}, (method, run, args) =>
      reads.includes(method) ? run() : write({ port, method, args }),
    );
  };

  return {
    ...storage,
    automations: groupCommit(threaded('automations')),
    categories: threaded('categories'),
    keys: threaded('keys'),
    developers: threaded('developers'),
    sessions: threaded('sessions'),
    auditLog: threaded('auditLog'),
    oauthRecords: threaded('oauthRecords'),
    reports: threaded('reports'),
    search: {
      search: (query) => searcher.run({ port: 'search', method: 'search', args: [query] }) as Promise<SearchPage>,
    },
    recordedCurrency: () => record?.currency,
    async prepare(options) {
      return (record = (await write({ method: 'prepare', args: [options] })) as StoreRecord);
    },
    check: (options) => checker.run({ method: 'check', args: [options] }) as Promise<readonly Difference[]>,
    backup: (copy) => connection.use((database) => copyTo(database, copy)),
    async close() {
      await connection.close();
      await Promise.all([writer, searcher, checker].map((thread) => thread.close()));
    },
  };
}
