import type { DeveloperId } from '../../domain/access.js';
import type { AuditAction, AuditEntry, AuditEntryId, ImportCounts } from '../../domain/audit.js';
import type { RevisableField } from '../../domain/automation.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { prepareRows, type Connection } from './connection.js';
import type { SqliteDatabase } from './database.js';

interface AuditRow {
  readonly id: AuditEntryId;
  readonly at: number;
  readonly actor: AuditEntry['actor'];
  readonly action: AuditAction;
  readonly developer_id: DeveloperId | null;
  readonly subject: NonNullable<AuditEntry['subject']> | null;
  /** JSON */
  readonly changed: string | null;
  /** JSON */
  readonly counts: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

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

const COLUMNS = [
  'id',
  'at',
  'actor',
  'action',
  'developer_id',
  'subject',
  'changed',
  'counts',
  'address',
  'request_id',
] as const satisfies readonly (keyof AuditRow)[];

function prepare(database: SqliteDatabase) {
  const before = 'id < ? ORDER BY id DESC LIMIT ?';
  return {
    all: prepareRows<AuditRow>(database, COLUMNS, `FROM audit WHERE ${before}`),
    ofDeveloper: prepareRows<AuditRow>(database, COLUMNS, `FROM audit WHERE developer_id = ? AND ${before}`),
  };
}

/** The write of the audit. Writes of automations use it in their transactions. */
export function auditWrites(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO audit (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );
  return {
    appendAudit(entries: readonly AuditEntry[]): void {
      for (const entry of entries) insert.run(valuesOf(entry));
    },
  };
}

function valuesOf({ id, at, actor, action, developerId, subject, changed, counts, address, requestId }: AuditEntry) {
  return [
    id,
    at.getTime(),
    actor,
    action,
    developerId ?? null,
    subject ?? null,
    changed === undefined ? null : JSON.stringify(changed),
    counts === undefined ? null : JSON.stringify(counts),
    address ?? null,
    requestId ?? null,
  ];
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
  };
}
