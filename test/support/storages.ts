import { newCategory } from '../../application/index.js';
import { openMongo } from './mongo-storage.js';
import { hasMongo, HOW } from './mongod.js';
import { overMemory, overSqlite, type Repositories } from './repositories.js';

export type OpenStorage = () => Repositories | Promise<Repositories>;

/** The storages that every suite over HTTP runs on. MongoDB is one of them where there is a server. */
export const STORAGES: Readonly<Record<string, OpenStorage>> = {
  memory: overMemory,
  SQLite: () => overSqlite(':memory:'),
  ...(hasMongo() && { MongoDB: openMongo }),
};

/** Returns a tenth of the count on MongoDB, where each request waits for a disk. The long tests do not use it. */
export function fewer(count: number, storage: string): number {
  return storage === 'MongoDB' ? Math.ceil(count / 10) : count;
}

if (!hasMongo() && 'it' in globalThis) it(`The suites over HTTP on MongoDB (${HOW})`);

export const TEST_CATEGORIES = [
  { id: 'communication', name: 'Communication & Messaging' },
  { id: 'data-processing', name: 'Data Processing' },
  { id: 'ai-agents', name: 'AI Agents' },
].map(newCategory);
