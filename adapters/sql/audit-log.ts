import type { AuditEntry } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { whereOf } from './conditions.js';
import type { Query, SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

const AUDIT = mappingOf<AuditEntry>({
  id: 'text',
  at: 'time',
  actor: 'text',
  action: 'text',
  developerId: 'text',
  operatorId: 'text',
  credentialId: 'text',
  subject: 'text',
  predecessor: 'text',
  role: 'text',
  changed: 'json',
  counts: 'json',
  file: 'text',
  address: 'text',
  requestId: 'text',
});

/** The audit in a table, in the order of its ids. */
export class SqlAuditLog implements AuditLog {
  constructor(private readonly connection: SqlConnection) {}

  append(entries: readonly AuditEntry[]): Promise<void> {
    return this.connection.transaction((query) => appendEntries(query, this.connection.dialect, entries));
  }

  async list({ developerId, before, after, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    const { where, values } = whereOf(
      [
        ['developer_id = ?', developerId],
        ['id < ?', before],
        ['id > ?', after],
      ],
      2,
    );
    const order = after === undefined ? 'DESC' : 'ASC';
    const rows = await this.connection.query<Row>(
      `SELECT ${AUDIT.columns} FROM ${this.connection.dialect.prefix}audit ${where}
       ORDER BY id ${order} LIMIT $1`,
      [limit, ...values],
    );
    return rows.map(AUDIT.entityOf);
  }
}

/** Runs a change in a transaction, and stores its entries with it when it returns true. */
export function audited(
  connection: SqlConnection,
  entries: readonly AuditEntry[],
  change: (query: Query) => Promise<boolean>,
): Promise<boolean> {
  return connection.transaction(async (query) => {
    const isChanged = await change(query);
    if (isChanged) await appendEntries(query, connection.dialect, entries);
    return isChanged;
  });
}

/** Stores entries, also in the transaction of what they tell. Those that are stored already stay. */
export async function appendEntries(query: Query, dialect: Dialect, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await query(
    `INSERT INTO ${dialect.prefix}audit (${AUDIT.columns})
     SELECT ${AUDIT.columns} FROM ${dialect.rowsOf('$1', AUDIT.types)} AS given WHERE true ORDER BY ordinal
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(entries.map(AUDIT.rowOf))],
  );
}
