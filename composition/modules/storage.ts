import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { AnyDb } from '../../adapters/mongodb/any-db.js';
import type { PostgresPool, PostgresSettings } from '../../adapters/sql/postgresql/index.js';
import type { CachingOptions } from '../../adapters/storage/index.js';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import type { Storage } from '../../domain/ports.js';
import {
  API_KEY_REPOSITORY,
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  DEVELOPER_REPOSITORY,
  SESSION_REPOSITORY,
  STORAGE,
} from '../tokens.js';
import { requireStorage } from './own-storage.js';

/** Returns the module of a storage: it binds every port. Prepare the storage before its first use, and close it. */
export function storageModule(storage: Storage): ContainerModule {
  requireStorage('storageModule', storage);
  return new ContainerModule(({ bind }) => {
    bind(STORAGE).toConstantValue(storage);
    bind(AUTOMATION_STORE)
      .toResolvedValue(
        (storage) => {
          const { automations, archive, search, auditLog, oauthRecords } = storage;
          const recordedCurrency = () => storage.recordedCurrency();
          return { automations, archive, search, auditLog, oauthRecords, recordedCurrency };
        },
        [STORAGE],
      )
      .inSingletonScope();
    bind(CATEGORY_REPOSITORY)
      .toResolvedValue(({ categories }) => categories, [STORAGE])
      .inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(({ keys }) => keys, [STORAGE])
      .inSingletonScope();
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(({ developers }) => developers, [STORAGE])
      .inSingletonScope();
    bind(SESSION_REPOSITORY)
      .toResolvedValue(({ sessions }) => sessions, [STORAGE])
      .inSingletonScope();
  });
}

/** Returns the module of a store in the memory of this process. */
export function inMemoryModule(): ContainerModule {
  return storageModule(inMemoryStorage());
}

/** Loads libsql, and returns the module of a store in an SQLite file. */
export async function sqliteModule(file: string, keyCache?: CachingOptions): Promise<ContainerModule> {
  const { sqliteStorage } = await import('../../adapters/sql/sqlite/index.js');
  return cachedModule(sqliteStorage(file), keyCache);
}

/** Returns the module of a store in PostgreSQL, over a pool of `pg`. End the pool yourself. */
export async function postgresModule(
  pool: PostgresPool,
  settings?: PostgresSettings,
  keyCache?: CachingOptions,
): Promise<ContainerModule> {
  const { postgresStorage } = await import('../../adapters/sql/postgresql/index.js');
  return cachedModule(postgresStorage(pool, settings), keyCache);
}

/** Loads the driver, and returns the module of a store in a MongoDB database. Close its client yourself. */
export async function mongoModule(db: AnyDb, keyCache?: CachingOptions): Promise<ContainerModule> {
  const { mongoStorage } = await import('../../adapters/mongodb/index.js');
  return cachedModule(mongoStorage(db), keyCache);
}

async function cachedModule(storage: Storage, keyCache?: CachingOptions): Promise<ContainerModule> {
  const { cachedStorage } = await import('../../adapters/storage/index.js');
  return storageModule(cachedStorage(storage, keyCache));
}
