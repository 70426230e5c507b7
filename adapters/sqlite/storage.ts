import { otherCurrency, type Currency } from '../../domain/currency.js';
import type { Storage } from '../../domain/ports.js';
import { GroupCommitAutomationRepository } from '../storage/group-commit.js';
import { SqliteApiKeyRepository } from './api-key-repository.js';
import { SqliteAuditLog } from './audit-log.js';
import { SqliteAutomationArchive } from './automation-archive.js';
import { SqliteAutomationRepository } from './automation-repository.js';
import { SqliteCatalogueSearch } from './catalogue-search.js';
import { SqliteCategoryRepository } from './category-repository.js';
import { SqliteCheck } from './check.js';
import { firstRow } from './connection.js';
import { SqliteDatabase, type SqliteSettings } from './database.js';
import { SqliteDeveloperRepository } from './developer-repository.js';
import { SqliteSessionRepository } from './session-repository.js';
import { FIND_CURRENCY } from './writes.js';

/** A store in an SQLite file. */
export interface SqliteStorage extends Storage {
  readonly search: SqliteCatalogueSearch;
  /**
   * Copies the store, as it is at one moment, into a file that does not exist yet, completely or not at all.
   * @throws Error with a sentence for people, when the file exists or cannot be written.
   */
  backup(file: string): Promise<void>;
}

/**
 * Opens the store in this file, or one in memory (`:memory:`), makes one when there is none, and upgrades one of an
 * earlier version. @throws Error with a sentence for people, as `SqliteDatabase` does.
 */
export function sqliteStorage(file: string, settings: SqliteSettings = {}): SqliteStorage {
  const database = new SqliteDatabase(file, settings);
  const selfCheck = new SqliteCheck(database);
  return {
    automations: new GroupCommitAutomationRepository(new SqliteAutomationRepository(database)),
    archive: new SqliteAutomationArchive(database),
    search: new SqliteCatalogueSearch(database),
    categories: new SqliteCategoryRepository(database),
    keys: new SqliteApiKeyRepository(database),
    developers: new SqliteDeveloperRepository(database),
    sessions: new SqliteSessionRepository(database),
    auditLog: new SqliteAuditLog(database),
    prepare: (wanted) => prepareSqlite(database, wanted),
    ping: () => database.ping(),
    check: ({ repair }) => selfCheck.run(repair),
    backup: (copy) => database.backup(copy),
    close: () => database.close(),
  };
}

/**
 * Records the currency at the first time, and begins the index of words. Run it before the repositories write, which
 * refuse to until then; several processes may run it at once, and again at every start.
 * @throws DomainError `other-currency` when the store has another currency.
 */
export async function prepareSqlite(
  database: SqliteDatabase,
  { currency }: { readonly currency: Currency },
): Promise<void> {
  const find = () => firstRow(database.prepare(FIND_CURRENCY).raw()) as [Currency] | undefined;
  const [present] = (await database.readOne(find)) ?? [];
  const recorded = present ?? (await database.write('recordCurrency', currency));
  if (recorded !== currency) throw otherCurrency(recorded);
  await database.prepareWords();
}
