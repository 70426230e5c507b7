import { parseAnyDeveloperId, requireOperator, type Operator } from '../domain/access.js';
import type { AutomationRepository } from '../domain/ports.js';
import type { AuditTrail } from './audit-trail.js';
import { now } from './defaults.js';
import { parseWithdrawalReason } from './marketplace.js';

/** The automations that are withdrawn in one write. */
const LOT_SIZE = 500;

/** Takes everything that one developer sells off the market. */
export class DeveloperWithdrawals {
  /** Uses the automations of one store. */
  constructor(
    private readonly automations: Pick<AutomationRepository, 'withdrawAll'>,
    private readonly audit: AuditTrail,
    private readonly clock: () => Date = now,
  ) {}

  /**
   * Withdraws everything that the developer has on sale, and returns how many automations there were. May be repeated
   * after a failure. Fails as `invalid`.
   */
  async withdrawAll(by: Operator, developer: string, reason?: string): Promise<number> {
    requireOperator(by);
    const developerId = parseAnyDeveloperId(developer);
    const because = reason === undefined ? {} : { reason: parseWithdrawalReason(reason) };
    for (let total = 0; ;) {
      const entries = this.audit.entriesOf(by, { action: 'automation-withdrawn', developerId }, LOT_SIZE);
      const withdrawal = { developerId, at: this.clock(), by: 'operator', ...because, ...entries } as const;
      const withdrawn = await this.automations.withdrawAll(withdrawal);
      total += withdrawn.length;
      if (withdrawn.length < LOT_SIZE) return total;
    }
  }
}
