import type { StoreRecord } from '../../domain/ports.js';
import type { Query } from './connection.js';
import type { Dialect } from './dialect.js';

/**
 * What a store says of itself. `words`: the rule by which its words are made, when it has an index of them.
 * `wordsUpTo`: the number of the last automation in that index, until the index is complete.
 */
export type SettingName = 'schema' | 'currency' | 'address' | 'words' | 'wordsUpTo';

export type Settings = Readonly<Partial<Record<SettingName, string> & StoreRecord>>;

export async function settingsOf(query: Query, { prefix }: Dialect): Promise<Settings> {
  const rows = await query<{ readonly name: SettingName; readonly value: string }>(
    `SELECT name, value FROM ${prefix}settings`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
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
