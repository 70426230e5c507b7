import type { Difference } from '../../../domain/ports.js';
import type { Query, SqlConnection } from '../connection.js';
import type { Dialect } from '../dialect.js';

/** The columns that a sequence numbers. Rows that were copied into a table, with their numbers, leave it behind. */
const NUMBERED = { automations: 'number', api_keys: 'position', developers: 'position' } as const;

/** Sets the sequences that are below the highest number of their table to that. Returns the names of the tables. */
export async function advanceSequences(query: Query, dialect: Dialect): Promise<readonly string[]> {
  const behind = await sequencesBehind(query, dialect);
  for (const { table, highest } of behind)
    await query(`SELECT setval(CAST(${sequenceOf(dialect, table)} AS regclass), $1)`, [highest]);
  return behind.map(({ table }) => table);
}

/** Reports sequences that are behind. A write that meets one advances it by itself, also without a repair. */
export async function checkSequences(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const { dialect } = connection;
  const tables = repair
    ? await connection.build((query) => advanceSequences(query, dialect))
    : (await connection.check((query) => sequencesBehind(query, dialect))).map(({ table }) => table);
  return tables.map((table) => ({
    description: `the sequence of the table ${table} is below its highest number`,
    repaired: repair,
  }));
}

interface Behind {
  readonly table: keyof typeof NUMBERED;
  readonly highest: number;
}

function sequencesBehind(query: Query, dialect: Dialect): Promise<readonly Behind[]> {
  const tables = Object.entries(NUMBERED).map(
    ([table, column]) =>
      `SELECT '${table}' AS table, max(${column}) AS highest FROM ${dialect.prefix}${table}
       HAVING max(${column}) > coalesce(pg_sequence_last_value(${sequenceOf(dialect, table as Behind['table'])}), 0)`,
  );
  return query<Behind>(tables.join(' UNION ALL '));
}

function sequenceOf({ prefix }: Dialect, table: keyof typeof NUMBERED): string {
  const name = `${prefix}${table}`.replaceAll("'", "''");
  return `CAST(pg_get_serial_sequence('${name}', '${NUMBERED[table]}') AS regclass)`;
}
