import type { ArchivedAutomation } from '../../../application/index.js';
import { TEXTS } from '../texts.js';
import type { Panel, SignedInDeveloper } from '../visit.js';

/** As many as one part of the history has. */
const MAX_ENTRIES = 100;

/** Returns the words for who withdrew each automation, by its id, as far as the latest entries of the history say. */
export async function withdrawersOf(
  { audit }: Panel,
  { caller }: SignedInDeveloper,
  items: readonly ArchivedAutomation[],
): Promise<ReadonlyMap<string, string>> {
  if (items.every(({ withdrawn }) => withdrawn === undefined)) return new Map();
  const entries = (await audit.list(caller, { limit: MAX_ENTRIES })).items;
  const withdrawals = entries.filter(({ action }) => action === 'automation-withdrawn');
  return new Map(withdrawals.map(({ subject = '', actor }) => [subject, TEXTS.automation.withdrawnBy[actor]]));
}
