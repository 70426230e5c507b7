import type { Query } from '../connection.js';
import { quoted } from './dialect.js';
import { sqlStateOf } from './failures.js';

interface Surroundings {
  readonly user: string;
  readonly schemas: number;
}

/** Waits until no other process builds a store, and makes the schema if it is missing. Returns who does it. */
export async function makeSchema(query: Query, schema: string, lock: number): Promise<{ readonly user: string }> {
  await query('SELECT pg_advisory_xact_lock($1)', [lock]);
  const [found] = await query<Surroundings>(
    `SELECT current_user AS user, (SELECT count(*) FROM pg_namespace WHERE nspname = $1) AS schemas`,
    [schema],
  );
  const user = found?.user ?? '';
  if (found?.schemas !== 0) return { user };
  try {
    await query(`CREATE SCHEMA ${quoted(schema)}`);
  } catch (error) {
    throw sqlStateOf(error) === '42501' ? grantsFor(user, schema, error) : error;
  }
  return { user };
}

/** Returns the error of a user without the rights to build a store. */
export function grantsFor(user: string, schema: string, cause: unknown): Error {
  const [name, role] = [quoted(schema), quoted(user)];
  const message =
    `the user ${role} of PostgreSQL may not create tables in the schema ${name}. An administrator can allow it: ` +
    `CREATE SCHEMA IF NOT EXISTS ${name}; GRANT USAGE, CREATE ON SCHEMA ${name} TO ${role};`;
  return new Error(message, { cause });
}
