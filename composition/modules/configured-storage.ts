import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { IfMissing } from '../../adapters/cli/index.js';
import type { Config } from '../config/config.js';
import { makeFolder, makeStore, storeIn } from '../config/data-folder.js';
import { HOW_TO_CREATE, type Store } from '../service/store.js';
import { inMemoryStorage } from './in-memory.js';
import { sqliteStorage, type SqliteStorage } from './sqlite.js';

const NO_BACKUP = 'backup copies an SQLite store; this storage has its own tools for that';

/** Opens the configured storage. @throws Error for people when there is no store and none may be made. */
export async function openStore(config: Config, ifMissing: IfMissing = 'create'): Promise<Store> {
  if (config.storage === 'memory') return withoutBackup(inMemoryStorage());
  if (config.storage === 'mongodb') {
    const { openMongoStore } = await import('./mongodb-store.js');
    return withoutBackup(await openMongoStore(config.mongodbUrl, ifMissing));
  }
  if (ifMissing === 'refuse') requireFile(config.dataDir);
  makeFolder(config.dataDir);
  makeStore(config.dataDir);
  const storage = openSqlite(config.dataDir);
  return { storage, backup: (file) => storage.backup(file) };
}

function withoutBackup(storage: Store['storage']): Store {
  return { storage, backup: () => Promise.reject(new Error(NO_BACKUP)) };
}

/** Checks before a file is made. */
function requireFile(dataDir: string): void {
  if (existsSync(storeIn(dataDir))) return;
  throw new Error(`DATA_DIR must name a folder with a store: there is no marketplace.db in it. ${HOW_TO_CREATE}`);
}

/** @throws Error with a sentence for people, which names the file by its variable. */
function openSqlite(folder: string): SqliteStorage {
  const file = storeIn(folder);
  try {
    return sqliteStorage(file);
  } catch (error) {
    const message = (error as Error).message.replaceAll(file, `${basename(file)} in DATA_DIR`);
    throw new Error(message, { cause: error });
  }
}
