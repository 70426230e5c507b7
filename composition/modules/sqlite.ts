import type { ContainerModule } from 'inversify';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../adapters/sqlite/index.js';
import type { CachingOptions } from '../../adapters/storage/index.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { cachedStorage } from './cached-storage.js';
import { standIn } from './stand-in.js';
import { storageModule } from './storage.js';

/** Returns the module of a storage in an SQLite file, or `:memory:`. */
export function sqliteModule(file: string, keyCache: CachingOptions = {}): ContainerModule {
  return storageModule(cachedStorage(sqliteStorage(file), keyCache));
}

export interface SqliteStorage extends Storage {
  backup(file: string): Promise<void>;
}

export function sqliteStorage(file: string): SqliteStorage {
  const database = new SqliteDatabase(file);
  const storage = standIn(
    {
      automations: new SqliteAutomationRepository(database),
      categories: new SqliteCategoryRepository(database),
      keys: new SqliteApiKeyRepository(database),
      developers: new SqliteDeveloperRepository(database),
      sessions: new SqliteSessionRepository(database),
      auditLog: new SqliteAuditLog(database),
    },
    {
      prepare: async ({ currency }) => {
        const recorded = await database.recordCurrency(currency);
        if (recorded !== currency)
          throw new DomainError('conflict', 'other-currency', `the store has the currency ${recorded}`);
      },
      ping: () => database.ping(),
      close: async () => database.close(),
    },
  );
  return { ...storage, backup: (copy) => database.backup(copy) };
}
