import { requireOperator, type Operator } from '../domain/access.js';
import type { Automation } from '../domain/automation.js';
import { parseCurrency, type Currency } from '../domain/currency.js';
import type { AutomationArchive, AutomationRepository, CategoryRepository } from '../domain/ports.js';
import { archiveLots } from './archive-lots.js';
import { ImportSession } from './import-session.js';
import type { MarketplaceOptions } from './marketplace.js';

/** For the operator: exports what is on sale from one store, and imports it unchanged into another. */
export class AutomationTransfer {
  readonly #currency: Currency;

  /** Uses the repositories of one store. @throws DomainError `invalid` when there is no such currency. */
  constructor(
    private readonly automations: AutomationRepository,
    private readonly archive: AutomationArchive,
    private readonly categories: CategoryRepository,
    options: Pick<MarketplaceOptions, 'currency'> = {},
  ) {
    this.#currency = parseCurrency(options.currency ?? 'USD');
  }

  /**
   * Returns everything on sale in batches, oldest first, each automation once. What is published during the export may
   * be included.
   */
  async *everything(by: Operator): AsyncGenerator<readonly Automation[]> {
    requireOperator(by);
    for await (const lot of archiveLots(this.archive, { status: 'on-sale', order: 'oldest-first' }))
      yield lot.map(({ automation }) => automation);
  }

  /** Begins an import. */
  beginImport(by: Operator): ImportSession {
    requireOperator(by);
    return new ImportSession(this.automations, this.archive, this.categories, this.#currency);
  }
}
