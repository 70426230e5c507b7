import type { Currency } from '../../domain/currency.js';
import { notPrepared } from '../../domain/errors.js';
import type { StoreRecord } from '../../domain/ports.js';
import type { Query } from './connection.js';
import type { Dialect } from './dialect.js';
import { schemaOf, settingsTable } from './schema.js';

/**
 * What a store says of itself. `schema`: the version of its tables. `words`: the rule by which its words are made, when
 * it has an index of them. `wordsUpTo`: the number of the last automation in that index, until the index is complete.
 * `repairs`: how often its counts were repaired.
 */
export type SettingName = 'schema' | 'currency' | 'address' | 'words' | 'wordsUpTo' | 'repairs';

export type Settings = Readonly<Partial<Record<SettingName, string> & StoreRecord>>;

export async function settingsOf(query: Query, { prefix }: Dialect): Promise<Settings> {
  const rows = await query<{ readonly name: SettingName; readonly value: string }>(
    `SELECT name, value FROM ${prefix}settings`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The currency of a store, which never changes: it is read once. */
export class RecordedCurrency {
  #known: Currency | undefined;

  constructor(private readonly dialect: Dialect) {}

  /** The currency, once it was read or noted; undefined before. */
  get known(): Currency | undefined {
    return this.#known;
  }

  note(currency: Currency): void {
    this.#known = currency;
  }

  async read(query: Query): Promise<Currency> {
    this.#known ??= (await settingsOf(query, this.dialect)).currency;
    if (this.#known === undefined) throw notPrepared();
    return this.#known;
  }
}

export async function storeSetting(query: Query, dialect: Dialect, name: SettingName, value: string): Promise<void> {
  await query(
    `INSERT INTO ${dialect.prefix}settings (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}

export async function deleteSetting(query: Query, { prefix }: Dialect, name: SettingName): Promise<void> {
  await query(`DELETE FROM ${prefix}settings WHERE name = $1`, [name]);
}

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
