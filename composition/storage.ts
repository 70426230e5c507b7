import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SqliteDatabase } from '../adapters/sqlite/index.js';
import type { Config } from './config.js';
import { inMemoryModule } from './in-memory-module.js';
import { sqliteModule } from './sqlite-module.js';
import type { Storage, Store } from './store.js';

/** The storage that is configured, which is made ready by `noteCurrency`. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.storage === 'memory') return { store: MEMORY, module: inMemoryModule() };
  if (config.storage === 'mongodb') return (await import('./mongo-storage.js')).mongoStorage(config);
  makeFolder(config.dataDir);
  makeFile(fileOf(config));
  const database = new SqliteDatabase(fileOf(config));
  return { store: database, module: sqliteModule(database, { seconds: config.keyCacheSeconds }) };
}

/** @throws Error for people when an SQLite store would have to be made. A MongoDB one is where its URL says. */
export function requireStore(config: Config): void {
  if (config.storage !== 'sqlite' || existsSync(fileOf(config))) return;
  throw new Error('DATA_DIR must name a folder with a store: there is no marketplace.db in it. The service makes one, as do keys issue, developers invite and categories import.');
}

function fileOf({ dataDir }: Config): string {
  return join(dataDir, 'marketplace.db');
}

/** For the user of the service alone, as then is what SQLite puts beside it. Whether it can be opened, the database tells. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    return;
  }
}

/** What is in it is for the user of the service alone. Level by level: `recursive` never ends where nothing can be made, as in /proc. */
function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  try {
    for (const folder of missing) makeOne(folder);
    if (!statSync(path).isDirectory()) throw new Error('a file is there');
  } catch (error) {
    throw new Error('DATA_DIR must name a folder that is there or can be made.', { cause: error });
  }
}

/** Perhaps another process has just made it. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

const MEMORY: Store = {
  noteCurrency: async (currency) => currency,
  ping: async () => undefined,
  backup: () => Promise.reject(new Error('what is in memory only cannot be copied')),
  close: () => undefined,
};
