import type { Environment } from '../config/environment.js';
import { checkedConfig } from './checked-config.js';
import { loadSqlite } from './configured-storage.js';
import { makeFolder, storeIn } from './data-folder.js';

const NOT_HERE =
  'restore puts a backup in the place of an SQLite store; other databases have their own tools, ' +
  'such as pg_restore and mongorestore';

/** Puts a backup in the place of the configured store. Returns where the earlier one is. @throws Error for people. */
export async function restoreBackup(file: string, environment: Environment): Promise<string | undefined> {
  const { storage, dataDir } = await checkedConfig('command', environment);
  if (storage !== 'sqlite') throw new Error(NOT_HERE);
  const { restoreStore } = await loadSqlite();
  makeFolder(dataDir);
  return restoreStore(storeIn(dataDir), file);
}
