import pg from 'pg';
import { isRefusedUser, isUnknownDatabase } from '../../adapters/sql/postgresql/failures.js';
import { postgresStorage } from '../../adapters/sql/postgresql/index.js';
import { DomainError } from '../../domain/errors.js';
import type { Storage } from '../../domain/ports.js';
import { ConfigError, type Config } from '../config/config.js';
import { forDriver } from '../config/postgresql.js';
import { HOW_TO_CREATE, type OpenOptions } from './store.js';

const NAMES = 'POSTGRES_URL, or the content of POSTGRES_URL_FILE,';
const NO_STORE =
  `${NAMES} must name a database with a store in the schema of POSTGRES_SCHEMA: there is none. ` + HOW_TO_CREATE;
const WRONG_USER =
  `${NAMES} must have the name and the password of a user who may read and write its database; ` +
  'the server refuses this one';
const NO_DATABASE = `${NAMES} must name a database that the server has`;

/** The connections of one process, and how long to wait for one. */
const POOL = { max: 10, connectionTimeoutMillis: 2_000, keepAlive: true, application_name: 'automation-marketplace' };

/** Opens the store in PostgreSQL. This file is loaded only when it is used, and with it the driver. */
export async function openPostgresStore(
  { postgresUrl, postgresSchema: schema, search }: Config,
  { ifMissing, onNew, onError }: OpenOptions,
): Promise<Storage> {
  const pool = new pg.Pool({ connectionString: forDriver(postgresUrl), ...POOL });
  const storage = postgresStorage(pool, { schema, search, onError });
  const close = async () => {
    await storage.close();
    if (!pool.ending) await pool.end();
  };
  try {
    if ((ifMissing === 'refuse' || onNew) && (await namingUser(isMissing(storage)))) {
      if (ifMissing === 'refuse') throw new Error(NO_STORE);
      onNew?.(`the schema ${schema} of POSTGRES_URL`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ...storage, prepare: (settings) => namingUser(storage.prepare(settings)), close };
}

async function isMissing({ categories }: Storage): Promise<boolean> {
  try {
    await categories.list();
    return false;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not-prepared') return true;
    throw error;
  }
}

/** @throws ConfigError when the server refuses the user, or has no such database. */
async function namingUser<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || !isRefusedUser(error)) throw error;
    throw new ConfigError([isUnknownDatabase(error) ? NO_DATABASE : WRONG_USER]);
  }
}
