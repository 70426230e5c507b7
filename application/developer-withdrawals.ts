import { parseAnyDeveloperId, requireOperator, type Operator } from '../domain/access.js';
import type { AutomationArchive } from '../domain/ports.js';
import type { Marketplace } from './marketplace.js';

const AT_ONCE = 100;

/** Takes everything that one developer sells off the market. */
export class DeveloperWithdrawals {
  /** Uses the archive of the marketplace's own store. */
  constructor(
    private readonly archive: AutomationArchive,
    private readonly marketplace: Marketplace,
  ) {}

  /**
   * Withdraws each automation that the developer has on sale, and returns how many there were. May be repeated after a
   * failure. Fails as `invalid`.
   */
  async withdrawAll(by: Operator, developer: string, reason?: string): Promise<number> {
    requireOperator(by);
    const query = { developerId: parseAnyDeveloperId(developer), status: 'on-sale', order: 'oldest-first' } as const;
    for (let total = 0; ;) {
      const some = await this.archive.scan({ ...query, limit: AT_ONCE });
      if (some.length === 0) return total;
      for (const { automation } of some) await this.marketplace.withdrawAutomation(by, automation.id, reason);
      total += some.length;
    }
  }
}
