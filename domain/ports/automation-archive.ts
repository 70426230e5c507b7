import type { DeveloperId } from '../access.js';
import type { Automation, AutomationId } from '../automation.js';
import type { WithdrawnBy } from './automation-repository.js';

/** An automation, on sale or withdrawn. */
export interface ArchivedAutomation {
  readonly automation: Automation;
  /** Undefined while it is on sale. */
  readonly withdrawn?: { readonly at: Date; readonly by: WithdrawnBy; readonly reason?: string };
}

/** A part of all automations, also of withdrawn ones. */
export interface ScanQuery {
  /** Only those of this developer. */
  readonly developerId?: DeveloperId | undefined;
  /** Only those on sale, or only the withdrawn ones; without it, both. */
  readonly status?: 'on-sale' | 'withdrawn' | undefined;
  readonly order: 'newest-first' | 'oldest-first';
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, the part begins at the start of the order. */
  readonly after?: AutomationId | undefined;
}

/** Everything that was ever on sale, for the panel, the operator and the transfer to another store. */
export interface AutomationArchive {
  /**
   * Returns a part of the automations that match, in the order of the market or its reverse; at most `limit` of them,
   * and fewer only at the end. With `after`, those that come after that automation in this order, also when it was
   * withdrawn; none when it is unknown, or another developer's than the one named. Every part costs the same, whatever
   * the number of automations.
   */
  scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]>;

  /**
   * Returns the automation, also a withdrawn one, with when, why and by whom it was withdrawn; undefined when the id is
   * unknown.
   */
  findAny(id: AutomationId): Promise<ArchivedAutomation | undefined>;
}
