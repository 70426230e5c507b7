import type { AuditEntry, ImportCounts } from '../../domain/audit.js';
import type { RevisableField } from '../../domain/automation.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { AUDIT_COLUMNS, type AuditRow } from './audit-writes.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';

/** The audit in SQLite, in the order of the entries' ids. */
export class SqliteAuditLog implements AuditLog {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length > 0) await this.database.write('appendAudit', entries);
  }

  async list({ developerId, limit, before }: AuditQuery): Promise<readonly AuditEntry[]> {
    const { all, ofDeveloper } = this.#statements;
    const bound = before ?? AFTER_EVERY_ID;
    const rows = await this.database.readOne(() =>
      developerId === undefined ? all(bound, limit) : ofDeveloper(developerId, bound, limit),
    );
    return rows.map(entryOf);
  }
}

/** Ids are hexadecimal digits. */
const AFTER_EVERY_ID = 'g';

function prepare(database: SqliteDatabase) {
  const before = 'id < ? ORDER BY id DESC LIMIT ?';
  return {
    all: prepareRows<AuditRow>(database, AUDIT_COLUMNS, `FROM audit WHERE ${before}`),
    ofDeveloper: prepareRows<AuditRow>(database, AUDIT_COLUMNS, `FROM audit WHERE developer_id = ? AND ${before}`),
  };
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at),
    actor: row.actor,
    action: row.action,
    ...(row.developer_id !== null && { developerId: row.developer_id }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.changed !== null && { changed: JSON.parse(row.changed) as readonly RevisableField[] }),
    ...(row.counts !== null && { counts: JSON.parse(row.counts) as ImportCounts }),
    ...(row.address !== null && { address: row.address }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.operator_id !== null && { operatorId: row.operator_id }),
    ...(row.role !== null && { role: row.role }),
  };
}
