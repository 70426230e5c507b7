import type { DeveloperId } from '../../domain/access.js';
import type { AuditAction, AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { Role } from '../../domain/role.js';
import type { Connection } from './connection.js';

export interface AuditRow {
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
  readonly operator_id: DeveloperId | null;
  readonly role: Role | null;
}

export const AUDIT_COLUMNS = [
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
  'operator_id',
  'role',
] as const satisfies readonly (keyof AuditRow)[];

/** The write of the audit. Writes of automations use it in their transactions. */
export function auditWrites(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO audit (${AUDIT_COLUMNS.join(', ')}) VALUES (${AUDIT_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT DO NOTHING`,
  );
  return {
    appendAudit(entries: readonly AuditEntry[]): void {
      for (const entry of entries) insert.run(valuesOf(entry));
    },
  };
}

function valuesOf(entry: AuditEntry) {
  const { id, at, actor, action, developerId, subject, changed, counts, address, requestId, operatorId, role } = entry;
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
    operatorId ?? null,
    role ?? null,
  ];
}
