import pg from 'pg';
import { isRefusedUser, isUnknownDatabase } from '../../adapters/sql/postgresql/failures.js';
import { postgresStorage } from '../../adapters/sql/postgresql/index.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import type { Config } from '../config/config.js';
import { forDriver } from '../config/postgresql.js';
import { refusedBy, type Database, type OpenOptions } from './database.js';

/** The connections of one process, and how long to wait for one. */
const POOL = { max: 10, connectionTimeoutMillis: 2_000, keepAlive: true, application_name: 'automation-marketplace' };

/** Returns the store in PostgreSQL. This file is loaded only when it is used, and with it the driver. */
export function postgresStore(
  { POSTGRES_URL: url, POSTGRES_SCHEMA: schema, SEARCH: search }: Config,
  { onError }: Pick<OpenOptions, 'onError'>,
): Database {
  const pool = new pg.Pool({ connectionString: forDriver(url), ...POOL });
  const storage = postgresStorage(pool, { schema, search, onError });
  const close = async () => {
    await storage.close();
    if (!pool.ending) await pool.end();
  };
  return {
    storage: { ...storage, close },
    setting: 'POSTGRES_URL',
    place: `the schema ${schema} of POSTGRES_URL`,
    isStore: () => isStore(storage),
    mistakeOf,
  };
}

async function isStore({ categories }: Storage): Promise<boolean> {
  try {
    await categories.list();
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not-prepared') return false;
    throw error;
  }
}

function mistakeOf(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || !isRefusedUser(error)) return undefined;
  return isUnknownDatabase(error) ? 'must name a database that the server has' : refusedBy('PostgreSQL');
}
