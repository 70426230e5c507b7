import type { DeveloperId } from '../access.js';
import type { AuditEntry, AuditEntryId } from '../audit.js';
import type { CursorQuery } from './cursor-query.js';

/** A part of the log, of all developers or of one. */
export interface AuditQuery extends CursorQuery<AuditEntryId> {
  /** Only the entries that concern this developer. */
  readonly developerId?: DeveloperId | undefined;
  /** Only the entries whose ids are higher than this one, in ascending order. */
  readonly after?: AuditEntryId | undefined;
}

/** The audit: actions in the order of their ids, which are ordered by time. An entry never changes. */
export interface AuditLog {
  /**
   * Stores the entries. One whose id is stored already is not stored again. When it rejects, some may be stored; the
   * same call again stores the others.
   */
  append(entries: readonly AuditEntry[]): Promise<void>;

  /**
   * Returns the entries, field for field, in descending order of their ids; at most `limit` of them, and fewer only at
   * the end. With `developerId`, only the entries that concern this developer. With `before`, those whose id is lower,
   * also when that entry is unknown. With `after`, those whose id is higher, in ascending order, also when that entry
   * is unknown; with both, those between them. Every such part costs the same, whatever the number of entries.
   */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
