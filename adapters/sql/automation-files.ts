import type { AutomationId } from '../../domain/automation.js';
import type { Difference } from '../../domain/ports.js';
import { missingFiles, surplusFiles } from '../storage/file-differences.js';
import type { Query, SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';

/** The bytes of a file, and whose they are. */
export interface FileOf {
  readonly id: AutomationId;
  readonly content: Uint8Array;
}

/** Stores the bytes of files, in place of earlier ones. Values of statements are texts, so they are kept in base64. */
export async function storeFiles(query: Query, dialect: Dialect, files: readonly FileOf[]): Promise<void> {
  if (files.length === 0) return;
  const { prefix, rowsOf } = dialect;
  const rows = files.map(({ id, content }) => ({ id, content: Buffer.from(content).toString('base64') }));
  await query(
    `INSERT INTO ${prefix}automation_files (number, content)
     SELECT a.number, given.content FROM ${rowsOf('$1', { id: 'text', content: 'text' })} AS given
       CROSS JOIN ${prefix}automations AS a WHERE a.id = given.id
     ON CONFLICT (number) DO UPDATE SET content = excluded.content`,
    [JSON.stringify(rows)],
  );
}

/** Removes the files of automations. */
export async function removeFiles(query: Query, dialect: Dialect, ids: readonly AutomationId[]): Promise<void> {
  const { prefix, listOf } = dialect;
  const numbers = `(SELECT number FROM ${prefix}automations WHERE id IN ${listOf('$1')})`;
  await query(`DELETE FROM ${prefix}automation_files WHERE number IN ${numbers}`, [JSON.stringify(ids)]);
}

/** Returns the bytes of the file of an automation on sale. */
export async function readFile(query: Query, { prefix }: Dialect, id: AutomationId): Promise<Uint8Array | undefined> {
  const number = `(SELECT number FROM ${prefix}automations WHERE id = $1 AND withdrawn_at IS NULL)`;
  const sql = `SELECT content FROM ${prefix}automation_files WHERE number = ${number}`;
  const [row] = await query<{ readonly content: string }>(sql, [id]);
  return row && Buffer.from(row.content, 'base64');
}

/** Compares the files with the automations. With `repair` it removes those that belong to none. */
export async function checkFiles(connection: SqlConnection, repair: boolean): Promise<readonly Difference[]> {
  const { prefix: p } = connection.dialect;
  const owners = `SELECT number FROM ${p}automations WHERE withdrawn_at IS NULL AND file IS NOT NULL`;
  const surplus = `FROM ${p}automation_files WHERE number NOT IN (${owners})`;
  const { without, left } = await connection.check(async (query) => ({
    without: await query<{ readonly id: AutomationId }>(
      `SELECT id FROM ${p}automations WHERE number IN (${owners})
       AND number NOT IN (SELECT number FROM ${p}automation_files) ORDER BY number`,
    ),
    left: await query<{ readonly number: number }>(`SELECT number ${surplus}`),
  }));
  if (repair && left.length > 0) await connection.transaction((query) => query(`DELETE ${surplus}`));
  return [...missingFiles(without.map(({ id }) => id)), ...surplusFiles(left.length, repair)];
}
