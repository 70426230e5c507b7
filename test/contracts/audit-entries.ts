import type { AuditEntry } from '../../domain/audit.js';
import { ADA, at, auditEntry, BOB, entryIdOf, numbers } from './offers.js';

/** The nth entry, of no account. */
export const ofNoAccount = (n: number): AuditEntry => ({
  id: entryIdOf(n),
  at: at(n),
  actor: 'anonymous',
  action: 'sign-in-failed',
});

/** Entries 1 to `count`, in turn of Bob, of no developer, and of Ada. */
export function mixedEntries(count: number): readonly AuditEntry[] {
  return numbers(count).map((n) =>
    n % 3 === 2 ? ofNoAccount(n) : auditEntry(n, { developerId: n % 3 === 0 ? ADA : BOB }),
  );
}
