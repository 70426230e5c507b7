import type { ArchivedAutomation, AuditEntry, DeveloperId } from '../../../application/index.js';
import type { Acting } from '../acting.js';
import type { Shelf } from '../shelf.js';
import type { Panel } from '../visit.js';

/** As many as one part of the history has. */
const MAX_PART = 100;
/** No more parts of a developer's history are read than this. */
const MAX_PARTS = 10;

/** Returns the words for who withdrew each automation, by its id, as far as the latest entries of the history say. */
export async function withdrawersOf(
  panel: Panel,
  shelf: Shelf,
  acting: Acting,
  items: readonly ArchivedAutomation[],
): Promise<ReadonlyMap<string, string>> {
  const since = new Map<DeveloperId, number>();
  for (const { automation, withdrawn } of items)
    if (withdrawn !== undefined)
      since.set(automation.developerId, Math.min(since.get(automation.developerId) ?? Infinity, +withdrawn.at));
  const found = await Promise.all(Array.from(since, ([id, start]) => withdrawalsOf(panel, acting, id, start)));
  return new Map(found.flat().map((entry) => [entry.subject ?? '', shelf.withdrawnBy(entry)]));
}

/** Returns the withdrawals of a developer's automations from a time on. */
async function withdrawalsOf(
  { audit }: Panel,
  { by }: Acting,
  developer: DeveloperId,
  start: number,
): Promise<readonly AuditEntry[]> {
  const withdrawals: AuditEntry[] = [];
  let before: string | undefined;
  for (let n = 0; n < MAX_PARTS; n += 1) {
    const { items, next } = await audit.list(by, { developer, limit: MAX_PART, before });
    withdrawals.push(...items.filter(({ action }) => action === 'automation-withdrawn'));
    if (next === undefined || (items.at(-1)?.at.getTime() ?? 0) < start) break;
    before = next;
  }
  return withdrawals;
}
