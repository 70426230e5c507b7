import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import { openOwnStorage } from '../modules/own-storage.js';
import { makeFolder, makeStore, storeIn } from './data-folder.js';
import { HOW_TO_CREATE, type OpenOptions, type Store } from './store.js';

const NO_BACKUP = 'backup copies an SQLite store; other databases have their own tools, such as pg_dump and mongodump';

const NO_DRIVER =
  'STORAGE=sqlite needs the binary of libsql for this machine, an optional package, which is not installed: ' +
  'install again without --omit=optional, or choose another STORAGE';

/**
 * Opens the configured storage, and loads what only that storage needs. @throws Error for people when there is no store
 * and none may be made.
 */
export async function openStore(config: Config, options: OpenOptions = {}): Promise<Store> {
  const { storage: choice } = config;
  if (choice === 'sqlite') return openSqliteStore(config, options);
  const storage = await openOther(choice, config, options);
  return { storage, backup: () => Promise.reject(new Error(NO_BACKUP)) };
}

async function openOther(
  choice: Exclude<Config['storage'], 'sqlite'>,
  config: Config,
  options: OpenOptions,
): Promise<Storage> {
  if (choice === 'memory') return inMemoryStorage({ search: config.search });
  if (choice === 'postgresql') return (await import('./postgresql-store.js')).openPostgresStore(config, options);
  if (choice === 'mongodb') return (await import('./mongodb-store.js')).openMongoStore(config, options);
  return openOwnStorage(choice, config);
}

async function openSqliteStore(
  { dataDir, search }: Config,
  { ifMissing, onNew, ...settings }: OpenOptions,
): Promise<Store> {
  const isMissing = !existsSync(storeIn(dataDir));
  if (isMissing && ifMissing === 'refuse')
    throw new Error(`DATA_DIR must name a folder with a store: there is no ${storeIn(dataDir)}. ${HOW_TO_CREATE}`);
  const { sqliteStorage } = await loadSqlite();
  makeFolder(dataDir);
  makeStore(dataDir);
  if (isMissing) onNew?.(storeIn(dataDir));
  const storage = sqliteStorage(storeIn(dataDir), { ...settings, search });
  return { storage, backup: (file) => storage.backup(file) };
}

/** Loads the adapter, and with it the driver. @throws Error for people when its binary was not installed. */
export function loadSqlite() {
  try {
    // An import that fails so would also end the process as an unhandled rejection (Node 20).
    createRequire(import.meta.url)('libsql');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(NO_DRIVER, { cause: error });
  }
  return import('../../adapters/sql/sqlite/index.js');
}
