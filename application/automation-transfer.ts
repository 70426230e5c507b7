import type { Automation } from '../domain/automation.js';
import { parseCurrency, type Currency } from '../domain/currency.js';
import type { AutomationRepository, CategoryRepository } from '../domain/ports.js';
import { Arrivals } from './arrivals.js';
import type { AuditTrail } from './audit-trail.js';
import type { MarketplaceOptions } from './marketplace.js';

/** Automations read at a time. */
const TOGETHER = 1_000;

/** Moves what is on sale from one store into another, as it is: for the operator, who reads it out of the one and brings it into the other. */
export class AutomationTransfer {
  readonly #currency: Currency;
  readonly #audit: AuditTrail | undefined;

  /** Over the repositories that are read from or brought into. @throws DomainError `invalid` when there is no such currency. */
  constructor(
    private readonly automations: AutomationRepository,
    private readonly categories: CategoryRepository,
    options: Pick<MarketplaceOptions, 'currency' | 'audit'> = {},
  ) {
    this.#currency = parseCurrency(options.currency ?? 'USD');
    this.#audit = options.audit;
  }

  /** Everything on sale, oldest first, a stretch at a time. What comes meanwhile may be in it, what was there before is, and each once. */
  async *everything(): AsyncGenerator<readonly Automation[]> {
    for (let last: Automation | undefined; ; ) {
      const stretch = await this.automations.listOldestFirst({ limit: TOGETHER, ...(last && { after: last.id }) });
      if (stretch.length > 0) yield stretch;
      if (stretch.length < TOGETHER) return;
      last = stretch.at(-1);
    }
  }

  /** Begins to bring automations in: one entry in the audit, however many they are. */
  begin(): Arrivals {
    const noteFirst = () => void this.#audit?.note({ actor: 'operator', action: 'automations-brought-in' });
    return new Arrivals(this.automations, this.categories, this.#currency, noteFirst);
  }
}
