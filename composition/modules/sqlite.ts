import type { ContainerModule } from 'inversify';
import { sqliteStorage } from '../../adapters/sqlite/index.js';
import type { CachingOptions } from '../../adapters/storage/index.js';
import { cachedStorage } from './cached-storage.js';
import { storageModule } from './storage.js';

export { sqliteStorage };
export type { SqliteStorage } from '../../adapters/sqlite/index.js';

/** Returns the module of a storage in an SQLite file, or `:memory:`. */
export function sqliteModule(file: string, keyCache: CachingOptions = {}): ContainerModule {
  return storageModule(cachedStorage(sqliteStorage(file), keyCache));
}
