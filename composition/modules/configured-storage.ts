import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ContainerModule } from 'inversify';
import { SqliteDatabase } from '../../adapters/sqlite/index.js';
import type { Config } from '../config/config.js';
import { makeFolder, makeStore, storeIn } from '../config/data-folder.js';
import { HOW_TO_CREATE, type Store } from '../service/store.js';
import { STORE } from '../service/tokens.js';
import { inMemoryModule } from './in-memory.js';
import { sqliteModule } from './sqlite.js';

/** Opens the configured storage. `prepareStore` makes it ready. */
export async function configuredStorage(config: Config): Promise<readonly ContainerModule[]> {
  if (config.storage === 'memory') return [storeModule(IN_MEMORY), inMemoryModule()];
  const keyCache = { seconds: config.keyCacheSeconds };
  if (config.storage === 'mongodb') {
    const { openMongoStore, mongoModule } = await import('./mongodb-store.js');
    const { store, db } = openMongoStore(config.mongodbUrl);
    return [storeModule(store), mongoModule(db, keyCache)];
  }
  makeFolder(config.dataDir);
  makeStore(config.dataDir);
  const database = openSqlite(config.dataDir);
  return [storeModule(database), sqliteModule(database, keyCache)];
}

/** Binds the store as a whole. */
export function storeModule(store: Store): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(STORE).toConstantValue(store);
  });
}

/**
 * @throws Error for people when an SQLite store would have to be made, before a file of it is. A database in MongoDB is
 * looked at later.
 */
export function requireStore({ storage, dataDir }: Config): void {
  if (storage !== 'sqlite' || existsSync(storeIn(dataDir))) return;
  throw new Error(`DATA_DIR must name a folder with a store: there is no marketplace.db in it. ${HOW_TO_CREATE}`);
}

/** @throws Error with a sentence for people, which names the file by its variable. */
function openSqlite(folder: string): SqliteDatabase {
  const file = storeIn(folder);
  try {
    return new SqliteDatabase(file);
  } catch (error) {
    const message = (error as Error).message.replaceAll(file, `${basename(file)} in DATA_DIR`);
    throw new Error(message, { cause: error });
  }
}

const IN_MEMORY: Store = {
  recordCurrency: async (currency) => currency,
  ping: async () => undefined,
  backup: () => Promise.reject(new Error('a store in memory cannot be copied')),
  close: () => undefined,
};
