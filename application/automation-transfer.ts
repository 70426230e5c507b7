import type { Automation } from '../domain/automation.js';
import { parseCurrency, type Currency } from '../domain/currency.js';
import type { AutomationRepository, CategoryRepository } from '../domain/ports.js';
import type { AuditTrail } from './audit-trail.js';
import { ImportSession } from './import-session.js';
import type { MarketplaceOptions } from './marketplace.js';

/** The number of automations that are read at a time. */
const BATCH_SIZE = 1_000;

/** For the operator: exports what is on sale from one store, and imports it unchanged into another. */
export class AutomationTransfer {
  readonly #currency: Currency;
  readonly #audit: AuditTrail | undefined;

  /** Uses the repositories of one store. @throws DomainError `invalid` when there is no such currency. */
  constructor(
    private readonly automations: AutomationRepository,
    private readonly categories: CategoryRepository,
    options: Pick<MarketplaceOptions, 'currency' | 'audit'> = {},
  ) {
    this.#currency = parseCurrency(options.currency ?? 'USD');
    this.#audit = options.audit;
  }

  /**
   * Returns everything on sale in batches, oldest first, each automation once. What is published during the export may
   * be included.
   */
  async *everything(): AsyncGenerator<readonly Automation[]> {
    for (let last: Automation | undefined; ; ) {
      const batch = await this.automations.listOldestFirst({ limit: BATCH_SIZE, ...(last && { after: last.id }) });
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH_SIZE) return;
      last = batch.at(-1);
    }
  }

  /** Begins an import. It has one entry in the audit, however many automations it stores. */
  beginImport(): ImportSession {
    const onFirstStored = () => void this.#audit?.record({ actor: 'operator', action: 'automations-brought-in' });
    return new ImportSession(this.automations, this.categories, this.#currency, onFirstStored);
  }
}
