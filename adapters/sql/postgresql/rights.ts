import type { Query, SqlConnection } from '../connection.js';
import { quoted } from './dialect.js';
import { sqlStateOf } from './failures.js';
import { refuseUnsuitable } from './requirements.js';

/** Processes that build a store do it one after the other. */
const BUILD_LOCK = 0x61_6d_6b_74;

/**
 * Waits until no other process builds a store, and makes the schema if it is missing. @throws Error with a sentence for
 * people, when the database is not suitable.
 */
export async function makeSchema(query: Query, schema: string): Promise<void> {
  await refuseUnsuitable(query);
  await query('SELECT pg_advisory_xact_lock($1)', [BUILD_LOCK]);
  const found = await query('SELECT oid FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found.length === 0) await query(`CREATE SCHEMA ${quoted(schema)}`);
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
    throw new Error(sentence(quoted(schema), quoted(row?.user ?? '')), { cause: error });
  }
}

function sentence(schema: string, user: string): string {
  return (
    `the user ${user} of PostgreSQL may not create tables in the schema ${schema}. An administrator can allow it: ` +
    `CREATE SCHEMA IF NOT EXISTS ${schema}; GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${user};`
  );
}
