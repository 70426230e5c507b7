import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import type { Query, SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';

const COLUMNS = {
  id: 'text',
  at: 'integer',
  actor: 'text',
  action: 'text',
  developer_id: 'text',
  subject: 'text',
  changed: 'text',
  counts: 'text',
  address: 'text',
  request_id: 'text',
  operator_id: 'text',
  role: 'text',
} as const;

const NAMES = Object.keys(COLUMNS).join(', ');

export async function appendEntries(query: Query, dialect: Dialect, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map((e) => ({
    id: e.id,
    at: e.at.getTime(),
    actor: e.actor,
    action: e.action,
    developer_id: e.developerId ?? null,
    subject: e.subject ?? null,
    changed: e.changed ? JSON.stringify(e.changed) : null,
    counts: e.counts ? JSON.stringify(e.counts) : null,
    address: e.address ?? null,
    request_id: e.requestId ?? null,
    operator_id: e.operatorId ?? null,
    role: e.role ?? null,
  }));
  await query(
    `INSERT INTO ${dialect.prefix}audit (${NAMES}) SELECT ${NAMES} FROM ${dialect.rowsOf('$1', COLUMNS)} AS given
     WHERE true ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

interface Row {
  readonly [name: string]: string | number | null;
}

export class SqlAuditLog implements AuditLog {
  constructor(private readonly connection: SqlConnection) {}
  async append(entries: readonly AuditEntry[]): Promise<void> {
    await this.connection.transaction((query) => appendEntries(query, this.connection.dialect, entries));
  }
  async list({ developerId, limit, before, after }: AuditQuery): Promise<readonly AuditEntry[]> {
    const rows = await this.connection.query<Row>(
      `SELECT ${NAMES} FROM ${this.connection.dialect.prefix}audit WHERE id < $1 AND id > $2
       ${developerId === undefined ? '' : 'AND developer_id = $4'}
       ORDER BY id ${after === undefined ? 'DESC' : 'ASC'} LIMIT $3`,
      [before ?? 'g', after ?? '', limit, ...(developerId === undefined ? [] : [developerId])],
    );
    return rows.map(
      (r) =>
        ({
          id: r['id'] as AuditEntryId,
          at: new Date(r['at'] as number),
          actor: r['actor'],
          action: r['action'],
          ...(r['developer_id'] !== null && { developerId: r['developer_id'] }),
          ...(r['subject'] !== null && { subject: r['subject'] }),
          ...(r['changed'] !== null && { changed: JSON.parse(String(r['changed'])) as unknown }),
          ...(r['counts'] !== null && { counts: JSON.parse(String(r['counts'])) as unknown }),
          ...(r['address'] !== null && { address: r['address'] }),
          ...(r['request_id'] !== null && { requestId: r['request_id'] }),
          ...(r['operator_id'] !== null && { operatorId: r['operator_id'] }),
          ...(r['role'] !== null && { role: r['role'] }),
        }) as unknown as AuditEntry,
    );
  }
}
