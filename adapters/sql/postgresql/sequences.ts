import type { Difference } from '../../../domain/ports.js';
import type { Query, SqlConnection } from '../connection.js';

/** The columns that a sequence numbers. Rows that were copied into a table, with their numbers, leave it behind. */
const NUMBERED = { automations: 'number', api_keys: 'position', developers: 'position' } as const;

/** Sets the sequences that are below the highest number of their table to that. Returns the names of the tables. */
export async function advanceSequences(query: Query, prefix: string): Promise<readonly string[]> {
  const behind = await sequencesBehind(query, prefix);
  for (const { sequence, highest } of behind) await query('SELECT setval($1::text::regclass, $2)', [sequence, highest]);
  return behind.map(({ table }) => table);
}

/** Reports sequences that are behind. A write that meets one advances it by itself, also without a repair. */
export async function checkSequences(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const { prefix } = connection.dialect;
  const tables = repair
    ? await connection.build((query) => advanceSequences(query, prefix))
    : (await connection.check((query) => sequencesBehind(query, prefix))).map(({ table }) => table);
  return tables.map((table) => ({
    description: `the sequence of the table ${table} is below its highest number`,
    repaired: repair,
  }));
}

interface Behind {
  readonly table: string;
  readonly sequence: string;
  readonly highest: number;
}

function sequencesBehind(query: Query, prefix: string): Promise<readonly Behind[]> {
  const tables = Object.entries(NUMBERED).map(([table, column]) => {
    const sequence = `pg_get_serial_sequence('${`${prefix}${table}`.replaceAll("'", "''")}', '${column}')`;
    return `SELECT '${table}' AS table, ${sequence} AS sequence, max(${column}) AS highest FROM ${prefix}${table}
      HAVING max(${column}) > coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`;
  });
  return query<Behind>(tables.join(' UNION ALL '));
}
