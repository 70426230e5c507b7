import { newCategory } from '../../application/index.js';
import { IS_FULL_LENGTH } from './full-length.js';
import { openMongo } from './mongo-storage.js';
import { hasMongo, HOW } from './mongod.js';
import { notRun } from './not-run.js';
import { overPostgres } from './postgres-storage.js';
import { hasPostgres, POSTGRES_MISSING } from './postgres.js';
import { overMemory, overSqlite, type Repositories } from './repositories.js';

export type OpenStorage = () => Repositories | Promise<Repositories>;

/** The storages that every suite over HTTP runs on. Those with a server are among them at full length. */
export const STORAGES: Readonly<Record<string, OpenStorage>> = {
  memory: overMemory,
  SQLite: () => overSqlite(),
  ...(IS_FULL_LENGTH && hasPostgres() && { PostgreSQL: overPostgres }),
  ...(IS_FULL_LENGTH && hasMongo() && { MongoDB: openMongo }),
};

/**
 * Returns how many of so many rows at random run on a storage: fewer in the usual run, and fewer where each request
 * waits for a disk.
 */
export function fewer(count: number, storage: string): number {
  if (IS_FULL_LENGTH) return /^(MongoDB|PostgreSQL)$/.test(storage) ? Math.ceil(count / 10) : count;
  return Math.ceil(count / (storage === 'memory' ? 3 : 30));
}

if (IS_FULL_LENGTH && 'it' in globalThis) {
  if (!hasMongo()) it(notRun('The suites over HTTP', HOW));
  if (!hasPostgres()) it(`The suites over HTTP on PostgreSQL (${POSTGRES_MISSING})`);
}

export const TEST_CATEGORIES = [
  { id: 'communication', name: 'Communication & Messaging' },
  { id: 'data-processing', name: 'Data Processing' },
  { id: 'ai-agents', name: 'AI Agents' },
].map(newCategory);
