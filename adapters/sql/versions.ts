import type { Query } from './connection.js';
import type { Dialect } from './dialect.js';
import { schemaOf, settingsTable } from './schema.js';
import { settingsOf, storeSetting } from './settings.js';

/** The statements that bring a store from one version of the schema to the next. */
export type Step = (dialect: Dialect) => readonly string[];

/** The step at the index 0 leads from version 1 to 2. A change of `schemaOf` needs one that has the same effect. */
const STEPS: readonly Step[] = [];

/** Creates what is missing, or brings a store of an earlier version to this one. @throws Error when it is newer. */
export async function buildSchema(query: Query, dialect: Dialect, steps = STEPS): Promise<void> {
  await query(settingsTable(dialect));
  const { schema } = await settingsOf(query, dialect);
  if (isCurrent(schema, 'the store', steps)) return;
  const missing =
    schema === undefined ? schemaOf(dialect) : steps.slice(Number(schema) - 1).flatMap((step) => step(dialect));
  for (const statement of missing) await query(statement);
  await storeSetting(query, dialect, 'schema', String(steps.length + 1));
}

/** Returns whether a store has the version of this program. @throws Error for people, when it has a newer one. */
export function isCurrent(version: string | undefined, store: string, steps = STEPS): boolean {
  const known = steps.length + 1;
  if (version === undefined || Number(version) <= known) return Number(version) === known;
  throw new Error(
    `${store} was written by a newer version of this program: its schema is ${version}, this program knows up to ` +
      `${known}. Start the newer version, or restore a backup from before the upgrade.`,
  );
}
