import { join } from 'node:path';
import { starterCategories } from '../../composition/service/starter-categories.js';
import { overPostgres } from './postgres-storage.js';
import { overMemory, overSqlite } from './repositories.js';
import { startService, type LocalService, type Settings } from './service.js';

export const PASSWORD = 'violin-crater-7-moss';

export type PanelService = LocalService;

/** Environment variables, as `docs/operation.md` lists them. */
export type PanelSettings = Settings;

/** Starts the service with the starter categories and a whole log, in memory, in an SQLite file of `DATA_DIR`, or in a PostgreSQL server of the tests. */
export async function startPanel(settings: PanelSettings = {}): Promise<PanelService> {
  const { STORAGE = 'memory', DATA_DIR } = settings;
  const file = DATA_DIR === undefined ? undefined : join(DATA_DIR, 'marketplace.db');
  const repositories =
    STORAGE === 'postgresql' ? await overPostgres() : STORAGE === 'sqlite' ? overSqlite(file) : overMemory();
  return startService({ repositories, categories: starterCategories(), settings: { LOG_LEVEL: 'info', ...settings } });
}
