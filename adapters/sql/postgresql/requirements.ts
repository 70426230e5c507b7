import type { Query, SqlConnection } from '../connection.js';
import { quoted } from './dialect.js';
import { sqlStateOf } from './failures.js';

const MIN_VERSION = 14;

/** Processes that build a store do it one after the other. */
const BUILD_LOCK = 0x61_6d_6b_74;

/** What a server says of itself and of the database. `version` is a number such as 140009. */
export interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly database: string;
}

/**
 * Waits until no other process builds a store, and makes the schema if it is missing. @throws Error with a sentence for
 * people, when a store cannot be in this database.
 */
export async function makeSchema(query: Query, schema: string): Promise<void> {
  const [server] = await query<Server>(
    `SELECT CAST(current_setting('server_version_num') AS integer) AS version, getdatabaseencoding() AS encoding,
       current_database() AS database`,
  );
  const reason = server && whyUnsuitable(server);
  if (reason !== undefined) throw new Error(reason);
  await query('SELECT pg_advisory_xact_lock($1)', [BUILD_LOCK]);
  const found = await query('SELECT oid FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found.length === 0) await query(`CREATE SCHEMA ${quoted(schema)}`);
}

/** Returns why a store cannot be in a database; undefined when it can. */
export function whyUnsuitable({ version, encoding, database }: Server): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major < MIN_VERSION) return `the server is PostgreSQL ${major}; a store needs PostgreSQL ${MIN_VERSION} or later`;
  if (encoding === 'UTF8') return undefined;
  return (
    `the database ${quoted(database)} has the encoding ${encoding}, which cannot store every text. Make another one: ` +
    `CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';`
  );
}

/** Does work for which the user may lack rights. @throws Error with the statements that an administrator can run. */
export async function namingRights<Result>(
  { query }: SqlConnection,
  schema: string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (sqlStateOf(error) !== '42501') throw error;
    const [row] = await query<{ readonly user: string }>('SELECT current_user AS user');
    const [name, user] = [quoted(schema), quoted(row?.user ?? '')];
    const message =
      `the user ${user} of PostgreSQL may not create tables in the schema ${name}. An administrator can allow it: ` +
      `CREATE SCHEMA IF NOT EXISTS ${name}; GRANT USAGE, CREATE ON SCHEMA ${name} TO ${user};`;
    throw new Error(message, { cause: error });
  }
}
