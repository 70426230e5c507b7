import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { SqliteDatabase } from '../adapters/sqlite/index.js';
import type { Config } from './config.js';
import { makeFolder, makeStore, storeIn } from './data-folder.js';
import { inMemoryModule } from './in-memory-module.js';
import { sqliteModule } from './sqlite-module.js';
import { MAKERS, type Storage, type Store } from './store.js';

/** The storage that is configured, which is made ready by `noteCurrency`. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.storage === 'memory') return { store: MEMORY, module: inMemoryModule() };
  if (config.storage === 'mongodb') return (await import('./mongo-storage.js')).mongoStorage(config);
  makeFolder(config.dataDir);
  makeStore(config.dataDir);
  const database = openSqlite(config.dataDir);
  return { store: database, module: sqliteModule(database, { seconds: config.keyCacheSeconds }) };
}

/** @throws Error for people when an SQLite store would have to be made, before a file of it is. Of one in MongoDB the database tells. */
export function requireStore({ storage, dataDir }: Config): void {
  if (storage !== 'sqlite' || existsSync(storeIn(dataDir))) return;
  throw new Error('DATA_DIR must name a folder with a store: there is no marketplace.db in it. ' + MAKERS);
}

/** @throws Error with a sentence for people, which names the file by its variable. */
function openSqlite(folder: string): SqliteDatabase {
  const file = storeIn(folder);
  try {
    return new SqliteDatabase(file);
  } catch (error) {
    throw new Error((error as Error).message.replaceAll(file, `${basename(file)} in DATA_DIR`), { cause: error });
  }
}

const MEMORY: Store = {
  noteCurrency: async (currency) => currency,
  ping: async () => undefined,
  backup: () => Promise.reject(new Error('what is in memory only cannot be copied')),
  close: () => undefined,
};
