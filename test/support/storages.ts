import { newCategory } from '../../application/index.js';
import { IS_FULL_LENGTH, ofLength } from './full-length.js';
import { openMongo } from './mongo-storage.js';
import { hasMongo, HOW } from './mongod.js';
import { notRun } from './not-run.js';
import { overPostgres } from './postgres-storage.js';
import { hasPostgres, POSTGRES_MISSING } from './postgres.js';
import { overMemory, overSqlite, type Repositories } from './repositories.js';

export type OpenStorage = () => Repositories | Promise<Repositories>;

/**
 * The storages on which the files `*.storages.test.ts` run: memory in `npm test`, in `npm run test:resilience` all
 * others.
 */
export const STORAGES: Readonly<Record<string, OpenStorage>> = ofLength<Readonly<Record<string, OpenStorage>>>(
  {
    SQLite: () => overSqlite(),
    ...(hasPostgres() && { PostgreSQL: overPostgres }),
    ...(hasMongo() && { MongoDB: openMongo }),
  },
  { memory: overMemory },
);

/** Returns how many of so many rows at random run on a storage: fewer where each request waits for a server. */
export function fewer(count: number, storage: string): number {
  return Math.ceil(count / ({ memory: 5, SQLite: 1 }[storage] ?? 10));
}

if (IS_FULL_LENGTH && 'it' in globalThis) {
  if (!hasMongo()) it(notRun('The suites over HTTP', HOW));
  if (!hasPostgres()) it(notRun('The suites over HTTP', POSTGRES_MISSING));
}

export const TEST_CATEGORIES = [
  { id: 'communication', name: 'Communication & Messaging' },
  { id: 'data-processing', name: 'Data Processing' },
  { id: 'ai-agents', name: 'AI Agents' },
].map(newCategory);
