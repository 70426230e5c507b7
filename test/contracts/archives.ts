import assert from './assert.js';
import type { AuditEntry } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, ScanQuery, Storage } from '../../domain/ports.js';

/** The archive of a store, and what it keeps together with it. */
export type ArchivedStore = Pick<Storage, 'automations' | 'archive' | 'auditLog'>;

/** A query without its part. */
export type ScanOf = Omit<ScanQuery, 'limit' | 'after'>;

/** Returns every part of this size, one after the other, until one is empty. */
export async function partsOf(
  { archive }: Pick<ArchivedStore, 'archive'>,
  wanted: ScanOf,
  limit: number,
): Promise<readonly (readonly ArchivedAutomation[])[]> {
  const parts: (readonly ArchivedAutomation[])[] = [];
  for (let after: AutomationId | undefined; ; after = parts.at(-1)?.at(-1)?.automation.id) {
    const part = await archive.scan({ ...wanted, limit, ...(after && { after }) });
    if (part.length === 0) return parts;
    parts.push(part);
    assert.ok(parts.length < 2_000, 'it comes to an end');
  }
}

/** Asserts that the parts of every size are the slices of these, which are given oldest first. */
export async function assertScanned(
  store: Pick<ArchivedStore, 'archive'>,
  wanted: Omit<ScanOf, 'order'>,
  oldestFirst: readonly ArchivedAutomation[],
  limits = [1, 3, 1_000],
): Promise<void> {
  for (const order of ['oldest-first', 'newest-first'] as const)
    for (const limit of limits) {
      const expected = order === 'oldest-first' ? oldestFirst : oldestFirst.toReversed();
      const slices = Array.from({ length: Math.ceil(expected.length / limit) }, (_, n) =>
        expected.slice(n * limit, (n + 1) * limit),
      );
      assert.deepEqual(await partsOf(store, { ...wanted, order }, limit), slices);
    }
}

/** Asserts that the audit log has these entries, which are given in the order of their ids, and no others. */
export async function assertRecorded(
  { auditLog }: Pick<ArchivedStore, 'auditLog'>,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  assert.deepEqual(await auditLog.list({ limit: 1_000 }), entries.toReversed());
}
