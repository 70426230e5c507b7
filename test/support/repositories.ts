import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import { sqliteStorage } from '../../adapters/sql/sqlite/index.js';
import { cachedStorage } from '../../adapters/storage/index.js';
import type { Storage } from '../../application/index.js';
import { newSqliteFile } from './sqlite-file.js';

export type Repositories = Storage;

export function overMemory(): Storage {
  return inMemoryStorage();
}

/** Returns the storage in this file, or in a temporary one, with the caches that the service puts around it. */
export function overSqlite(file = newSqliteFile()): Storage {
  return cachedStorage(sqliteStorage(file));
}

/** Returns the same storage, each port behind what `wrap` puts around it. */
export function wrapped(
  storage: Storage,
  wrap: <Port extends object>(port: Port, name: keyof Storage) => Port,
): Storage {
  return {
    supports: storage.supports,
    automations: wrap(storage.automations, 'automations'),
    archive: wrap(storage.archive, 'archive'),
    ...(storage.search && { search: wrap(storage.search, 'search') }),
    categories: wrap(storage.categories, 'categories'),
    keys: wrap(storage.keys, 'keys'),
    developers: wrap(storage.developers, 'developers'),
    sessions: wrap(storage.sessions, 'sessions'),
    auditLog: wrap(storage.auditLog, 'auditLog'),
    ...(storage.reports && { reports: wrap(storage.reports, 'reports') }),
    ...(storage.oauthRecords && { oauthRecords: wrap(storage.oauthRecords, 'oauthRecords') }),
    recordedCurrency: () => storage.recordedCurrency(),
    prepare: (settings) => storage.prepare(settings),
    ping: () => storage.ping(),
    check: (options) => storage.check(options),
    close: () => storage.close(),
  };
}
