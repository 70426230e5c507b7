import type { AuditEntry } from '../audit.js';

/** A change with its entries of the audit. */
export interface Audited {
  /** Stored in the audit log together with the change: both or neither. Where nothing changes, none is stored. */
  readonly entries: readonly AuditEntry[];
}
