import type { DeveloperId } from '../../domain/access.js';
import type { AuditAction, AuditEntry, AuditEntryId, ImportCounts } from '../../domain/audit.js';
import type { RevisableField } from '../../domain/automation.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import type { Role } from '../../domain/role.js';
import type { Query, SqlConnection, Value } from './connection.js';
import type { ColumnType, Dialect } from './dialect.js';

interface AuditRow {
  readonly id: AuditEntryId;
  readonly at: number;
  readonly actor: AuditEntry['actor'];
  readonly action: AuditAction;
  readonly developer_id: DeveloperId | null;
  readonly operator_id: DeveloperId | null;
  readonly subject: NonNullable<AuditEntry['subject']> | null;
  readonly role: Role | null;
  readonly changed: string | null;
  readonly counts: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

const COLUMNS = {
  id: 'text',
  at: 'integer',
  actor: 'text',
  action: 'text',
  developer_id: 'text',
  operator_id: 'text',
  subject: 'text',
  role: 'text',
  changed: 'text',
  counts: 'text',
  address: 'text',
  request_id: 'text',
} as const satisfies Record<keyof AuditRow, ColumnType>;

const NAMES = Object.keys(COLUMNS).join(', ');

/** The audit in a table, in the order of its ids. */
export class SqlAuditLog implements AuditLog {
  constructor(private readonly connection: SqlConnection) {}

  append(entries: readonly AuditEntry[]): Promise<void> {
    return this.connection.transaction((query) => appendEntries(query, this.connection.dialect, entries));
  }

  async list({ developerId, before, after, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    const values: Value[] = [limit];
    const conditions = ['true'];
    const compare = (comparison: string, value: string | undefined) => {
      if (value !== undefined) conditions.push(`${comparison} $${values.push(value)}`);
    };
    compare('developer_id =', developerId);
    compare('id <', before);
    compare('id >', after);
    const order = after === undefined ? 'DESC' : 'ASC';
    const rows = await this.connection.query<AuditRow>(
      `SELECT ${NAMES} FROM ${this.connection.dialect.prefix}audit WHERE ${conditions.join(' AND ')}
       ORDER BY id ${order} LIMIT $1`,
      values,
    );
    return rows.map(entryOf);
  }
}

/** Stores entries, also in the transaction of a change of automations. Those that are stored already stay. */
export async function appendEntries(query: Query, dialect: Dialect, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await query(
    `INSERT INTO ${dialect.prefix}audit (${NAMES})
     SELECT ${NAMES} FROM ${dialect.rowsOf('$1', COLUMNS)} AS given WHERE true ORDER BY ordinal
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(entries.map(rowOf))],
  );
}

function rowOf(entry: AuditEntry): AuditRow {
  return {
    id: entry.id,
    at: entry.at.getTime(),
    actor: entry.actor,
    action: entry.action,
    developer_id: entry.developerId ?? null,
    operator_id: entry.operatorId ?? null,
    subject: entry.subject ?? null,
    role: entry.role ?? null,
    changed: entry.changed === undefined ? null : JSON.stringify(entry.changed),
    counts: entry.counts === undefined ? null : JSON.stringify(entry.counts),
    address: entry.address ?? null,
    request_id: entry.requestId ?? null,
  };
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at),
    actor: row.actor,
    action: row.action,
    ...(row.developer_id !== null && { developerId: row.developer_id }),
    ...(row.operator_id !== null && { operatorId: row.operator_id }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.role !== null && { role: row.role }),
    ...(row.changed !== null && { changed: JSON.parse(row.changed) as RevisableField[] }),
    ...(row.counts !== null && { counts: JSON.parse(row.counts) as ImportCounts }),
    ...(row.address !== null && { address: row.address }),
    ...(row.request_id !== null && { requestId: row.request_id }),
  };
}
