import pg from 'pg';
import { postgresStorage, type PostgresSettings } from '../../adapters/sql/postgresql/index.js';
import { cachedStorage } from '../../adapters/storage/index.js';
import type { Storage } from '../../application/index.js';
import { USD } from '../contracts/offers.js';
import { newPostgresPlace, runSql, type PostgresPlace } from './postgres.js';
import type { Settings } from './process.js';

/** Opens the store in this place. Its `close` also ends the pool. */
export function openPostgres(
  { url, schema }: PostgresPlace,
  settings: Omit<PostgresSettings, 'schema'> = {},
  options: pg.PoolConfig = {},
): Storage {
  const pool = new pg.Pool({ connectionString: url, ...options });
  const storage = postgresStorage(pool, { ...settings, schema });
  const close = async () => {
    await storage.close();
    if (!pool.ending) await pool.end();
  };
  return { ...storage, close };
}

/** Returns what a process is started with to serve from an empty store that no other test uses. */
export async function newPostgresSettings(): Promise<Settings> {
  const { url, schema } = await newPostgresPlace();
  return { STORAGE: 'postgresql', POSTGRES_URL: url, POSTGRES_SCHEMA: schema };
}

/** Returns the storage of such settings, with the caches that the service puts around it. */
export function joinPostgres({ POSTGRES_URL: url = '', POSTGRES_SCHEMA: schema = '' }: Settings): Storage {
  return cachedStorage(openPostgres({ url, schema }));
}

/** Stores that have been prepared, and are in use by no test: emptying one is quicker than making it. */
const idle: PostgresPlace[] = [];

/** Returns a store of its own, with the caches that the service puts around it. */
export async function overPostgres(): Promise<Storage> {
  const place = idle.pop() ?? (await newPostgresPlace());
  const storage = cachedStorage(openPostgres(place));
  await storage.prepare({ currency: USD });
  const close = async () => {
    await storage.close();
    await emptyPostgres(place);
    idle.push(place);
  };
  return { ...storage, close };
}

const TABLES = (
  'automations automation_files counts words categories api_keys developers identities sessions audit ' +
  'oauth_records reports refused_files'
).split(' ');

/** Deletes all rows but the settings. */
export async function emptyPostgres({ url, schema }: PostgresPlace): Promise<void> {
  const statements = TABLES.map((table) => `DELETE FROM "${schema}".${table}`);
  await runSql(url, ['BEGIN', 'SET LOCAL session_replication_role = replica', ...statements, 'COMMIT'].join(';'));
}
