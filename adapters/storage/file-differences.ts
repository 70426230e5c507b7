import type { AutomationId } from '../../domain/automation.js';
import type { Difference } from '../../domain/ports.js';

/** Returns the difference of automations whose files are not there: nothing brings them back but a revision. */
export function missingFiles(ids: readonly AutomationId[]): readonly Difference[] {
  if (ids.length === 0) return [];
  const some = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ', …' : '';
  const automations = ids.length === 1 ? '1 automation has' : `${ids.length} automations have`;
  const description = `${automations} a file whose bytes are missing: ${some}${more}`;
  return [{ description, repaired: false }];
}

/** Returns the difference of files that belong to no automation. */
export function surplusFiles(count: number, repaired: boolean): readonly Difference[] {
  return count === 0 ? [] : [{ description: `${count} files belong to no automation on sale`, repaired }];
}
