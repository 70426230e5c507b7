import type { DeveloperId } from '../../domain/access.js';
import type { AuditAction, AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import type { SqliteDatabase } from './database.js';

interface AuditRow {
  id: AuditEntryId;
  at: number;
  actor: AuditEntry['actor'];
  action: AuditAction;
  developer_id: DeveloperId | null;
  subject: NonNullable<AuditEntry['subject']> | null;
  address: string | null;
  request_id: string | null;
}

/** The audit in SQLite, by the position at which each entry was stored. */
export class SqliteAuditLog implements AuditLog {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(valuesOf);
    await this.database.write(() => {
      for (const row of rows) this.#statements.insert.run(row);
    });
  }

  async list({ developerId, limit, before }: AuditQuery): Promise<readonly AuditEntry[]> {
    const statement =
      this.#statements[`${developerId === undefined ? 'all' : 'of'}${before === undefined ? '' : 'After'}`];
    const values = [
      ...(developerId === undefined ? [] : [developerId]),
      ...(before === undefined ? [] : [before]),
      limit,
    ];
    const rows = await this.database.readOne(() => statement.all(values));
    return (rows as AuditRow[]).map(entryOf);
  }
}

function prepare(database: SqliteDatabase) {
  const after = 'position < (SELECT position FROM audit WHERE id = ?)';
  const newestFirst = 'ORDER BY position DESC LIMIT ?';
  return {
    insert: database.prepare(
      `INSERT INTO audit (id, at, actor, action, developer_id, subject, address, request_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    ),
    all: database.prepare(`SELECT * FROM audit ${newestFirst}`),
    allAfter: database.prepare(`SELECT * FROM audit WHERE ${after} ${newestFirst}`),
    of: database.prepare(`SELECT * FROM audit WHERE developer_id = ? ${newestFirst}`),
    ofAfter: database.prepare(`SELECT * FROM audit WHERE developer_id = ? AND ${after} ${newestFirst}`),
  };
}

function valuesOf({ id, at, actor, action, developerId, subject, address, requestId }: AuditEntry) {
  return [id, at.getTime(), actor, action, developerId ?? null, subject ?? null, address ?? null, requestId ?? null];
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at),
    actor: row.actor,
    action: row.action,
    ...(row.developer_id !== null && { developerId: row.developer_id }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.address !== null && { address: row.address }),
    ...(row.request_id !== null && { requestId: row.request_id }),
  };
}
