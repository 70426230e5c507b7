import type { ContainerModule } from 'inversify';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
  type SqliteDatabase,
} from '../../adapters/sqlite/index.js';
import {
  CachingApiKeyRepository,
  CachingDeveloperRepository,
  GroupCommitAutomationRepository,
  type CachingOptions,
} from '../../adapters/storage/index.js';
import { storageModule } from './storage.js';

/** Returns the module of every repository in an SQLite database. Close the database yourself. */
export function sqliteModule(database: SqliteDatabase, keyCache: CachingOptions = {}): ContainerModule {
  return storageModule({
    automations: () => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database)),
    categories: () => new SqliteCategoryRepository(database),
    keys: () => new CachingApiKeyRepository(new SqliteApiKeyRepository(database), keyCache),
    developers: () => new CachingDeveloperRepository(new SqliteDeveloperRepository(database), keyCache),
    sessions: () => new SqliteSessionRepository(database),
    auditLog: () => new SqliteAuditLog(database),
  });
}
