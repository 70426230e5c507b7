import { join } from 'node:path';
import { fileInspector } from '../../composition/service/file-inspector.js';
import { starterCategories } from '../../composition/service/starter-categories.js';
import { overPostgres } from './postgres-storage.js';
import { overMemory, overSqlite, type Repositories } from './repositories.js';
import { startService, type LocalService, type Settings } from './service.js';

export const PASSWORD = 'violin-crater-7-moss';

export type PanelService = LocalService;

/** Environment variables, as `docs/settings.md` lists them. */
export type PanelSettings = Settings;

/**
 * Starts the service with the starter categories and a whole log: in memory, in an SQLite file of `DATA_DIR`, or on the
 * PostgreSQL server of the tests.
 */
export async function startPanel({ STORAGE = 'memory', ...settings }: PanelSettings = {}): Promise<PanelService> {
  const repositories = await open(STORAGE, settings['DATA_DIR']);
  const service = { repositories, categories: starterCategories(), fileInspector };
  return startService({ ...service, settings: { LOG_LEVEL: 'info', ...settings } });
}

function open(storage: string, folder: string | undefined): Repositories | Promise<Repositories> {
  if (storage === 'postgresql') return overPostgres();
  if (storage === 'sqlite') return overSqlite(folder === undefined ? undefined : join(folder, 'marketplace.db'));
  return overMemory();
}
