import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import type { Currency } from '../../domain/currency.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage, StoreRecord } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import type { Given } from '../config/environment.js';
import { openOwnStorage } from '../modules/own-storage.js';
import { checkedConfig } from './checked-config.js';
import { makeFolder, makeStore, storeIn } from './data-folder.js';
import { openDatabase, tellIfMissing, type OpenOptions } from './database.js';

/** The configured storage, and what only SQLite can do. */
export interface Store {
  readonly storage: Storage;
  /** Copies the store, as it is at one moment, into a new file. */
  readonly backup: (file: string) => Promise<void>;
}

const NO_BACKUP = 'backup copies an SQLite store; other databases have their own tools, such as pg_dump and mongodump';
const NO_RESTORE =
  'restore puts a backup in the place of an SQLite store; other databases have their own tools, ' +
  'such as pg_restore and mongorestore';
const NO_DRIVER =
  'STORAGE=sqlite needs the binary of libsql for this machine, an optional package, which is not installed: ' +
  'install again without --omit=optional, or choose another STORAGE';

/**
 * Opens the configured storage, and loads what only that storage needs. @throws Error for people when there is no store
 * and none may be made.
 */
export async function openStore(config: Config, options: OpenOptions = {}): Promise<Store> {
  const backup = () => Promise.reject(new Error(NO_BACKUP));
  switch (config.STORAGE) {
    case 'sqlite':
      return openSqlite(config, options);
    case 'memory':
      return { storage: inMemoryStorage({ search: config.SEARCH }), backup };
    case 'postgresql': {
      const { postgresStore } = await import('./postgresql-store.js');
      return { storage: await openDatabase(postgresStore(config, options), options), backup };
    }
    case 'mongodb': {
      const { mongoStore } = await import('./mongodb-store.js');
      return { storage: await openDatabase(mongoStore(config, options), options), backup };
    }
    default:
      return { storage: await openOwnStorage(config.STORAGE, config), backup };
  }
}

async function openSqlite({ DATA_DIR: folder, SEARCH: search }: Config, options: OpenOptions): Promise<Store> {
  const file = storeIn(folder);
  const noStore = `DATA_DIR must name a folder with a store: there is no ${file}`;
  const { sqliteStorage } = await loadSqlite();
  tellIfMissing(existsSync(file), file, noStore, options);
  makeFolder(folder);
  makeStore(folder);
  const storage = sqliteStorage(file, { search, onError: options.onError });
  return { storage, backup: (copy) => storage.backup(copy) };
}

/** Loads the adapter, and with it the driver. @throws Error for people when its binary was not installed. */
function loadSqlite() {
  try {
    // An import that fails so would also end the process as an unhandled rejection (Node 20).
    createRequire(import.meta.url)('libsql');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(NO_DRIVER, { cause: error });
  }
  return import('../../adapters/sql/sqlite/index.js');
}

/** Prepares the store and returns what it has recorded. @throws Error for people when it has another currency. */
export async function prepareStore(storage: Storage, currency: Currency | undefined): Promise<StoreRecord> {
  try {
    return await storage.prepare({ currency });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'other-currency') throw error;
    const message = `CURRENCY must be that of the store: ${error.message}. Another currency needs another store.`;
    throw new Error(message, { cause: error });
  }
}

/** Puts a backup in the place of the configured store. Returns where the earlier one is. @throws Error for people. */
export async function restoreBackup(file: string, given: Given): Promise<string | undefined> {
  const { STORAGE, DATA_DIR } = await checkedConfig('command', given);
  if (STORAGE !== 'sqlite') throw new Error(NO_RESTORE);
  const { restoreStore } = await loadSqlite();
  makeFolder(DATA_DIR);
  return restoreStore(storeIn(DATA_DIR), file);
}
