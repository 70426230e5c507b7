import { parseDeveloperId, requireOperator, type Caller, type DeveloperId, type Operator } from '../domain/access.js';
import { inWrites } from '../domain/add-size.js';
import type { ImportCounts } from '../domain/audit.js';
import type { Automation, AutomationId, UncheckedDraft } from '../domain/automation.js';
import { otherCurrency } from '../domain/currency.js';
import { DomainError, type FieldError } from '../domain/errors.js';
import { isSameAutomation, type UncheckedAutomation } from '../domain/imported-automation.js';
import type { AddOutcome, AutomationArchive, AutomationRepository, NewAutomation } from '../domain/ports.js';
import { SCOPES } from '../domain/scope.js';
import { archiveLots } from './archive-lots.js';
import type { AuditTrail } from './audit-trail.js';
import { isOfDraft, type KeyedDraft } from './created.js';
import type { Marketplace } from './marketplace.js';
import { requireOptions } from '../domain/options.js';

/** The parts of one store that exports read and imports write. */
export interface TransferPorts {
  readonly automations: AutomationRepository;
  readonly archive: AutomationArchive;
}

/** The developer whose automations are imported, and from where. */
export interface ImportRequest {
  /** The developer of all drafts; undefined for automations that name their developers. */
  readonly developer?: string | undefined;
  /** The name of the file, for the history. */
  readonly file?: string | undefined;
}

/** The outcome of one imported automation. */
export type ImportOutcome =
  | { readonly outcome: 'stored' }
  /** The store has it: for a draft by its key, else with the same id, content, developer and date. */
  | { readonly outcome: 'already-there' }
  | { readonly outcome: 'refused'; readonly error: DomainError };

/** The outcome of one draft. `failed`: the store, or the rules of the host, could not judge it. */
export type DraftOutcome = ImportOutcome | { readonly outcome: 'failed'; readonly error: unknown };

type ImportMarketplace = Pick<Marketplace, 'createAutomationsOnce' | 'reviewAutomation' | 'prepareImports'>;

/** For the operator: exports what is on sale from one store, and imports it into another. */
export class AutomationTransfer {
  /** Uses the marketplace and the repositories of one store, and records imports. */
  constructor(
    private readonly marketplace: ImportMarketplace,
    private readonly ports: TransferPorts,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns everything on sale in batches, oldest first, each automation once. What is published during the export may
   * be included.
   */
  async *everything(by: Operator): AsyncGenerator<readonly Automation[]> {
    requireOperator(by);
    for await (const lot of archiveLots(this.ports.archive, { status: 'on-sale', order: 'oldest-first' }))
      yield lot.map(({ automation }) => automation);
  }

  /** Returns the bytes of an automation's file; undefined when it has none, or was withdrawn meanwhile. */
  async readFile(by: Operator, id: AutomationId): Promise<Uint8Array | undefined> {
    requireOperator(by);
    return this.ports.automations.readFile(id);
  }

  /**
   * Runs an import, and returns its counts. The history has its beginning, and its end with the counts, also when
   * `work` fails; single automations have no entries. Fails as `invalid` for the developer.
   */
  async import(
    by: Operator,
    request: ImportRequest,
    work: (session: ImportSession) => Promise<unknown>,
  ): Promise<ImportCounts> {
    requireOperator(by);
    requireOptions('transfer.import', request, { developer: true, file: true });
    const { developer, file } = request;
    const developerId = developer === undefined ? undefined : parseDeveloperId(developer);
    const session = new ImportSession(by, this.marketplace, this.ports, developerId);
    await this.audit.recordBy(by, 'import-started', developerId, { file });
    try {
      await work(session);
    } finally {
      await this.audit.recordBy(by, 'import-finished', developerId, { file, counts: session.counts });
    }
    return session.counts;
  }
}

/** An import that is under way. */
export class ImportSession {
  readonly #counts = { stored: 0, present: 0, failed: 0 };
  readonly #caller: Caller | undefined;

  constructor(
    private readonly by: Operator,
    private readonly marketplace: ImportMarketplace,
    private readonly ports: TransferPorts,
    developerId: DeveloperId | undefined,
  ) {
    this.#caller = developerId && { developerId, scopes: SCOPES, actor: by };
  }

  /** The outcomes so far. */
  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  /** Counts an automation that could not be read. */
  countUnreadable(): void {
    this.#counts.failed += 1;
  }

  /**
   * Creates automations of the developer of this import, in their order; asked again with the same keys, it stores
   * nothing. Returns an outcome for each. The first that is `failed`, by anything but its draft, is the last of the
   * list: nothing behind it is stored. @throws TypeError when the import has no developer.
   */
  async createBatch(drafts: readonly KeyedDraft[]): Promise<readonly DraftOutcome[]> {
    const settled = await this.marketplace.createAutomationsOnce(this.#requireCaller(), drafts);
    return settled.map((one) => {
      if (one.status === 'fulfilled') return this.#count({ outcome: one.value.replayed ? 'already-there' : 'stored' });
      const error: unknown = one.reason;
      return isOfDraft(error) ? this.#count(refused(error)) : { outcome: 'failed', error };
    });
  }

  /** Returns every rule that a draft breaks, as `createBatch` would refuse it. @throws as `createBatch`. */
  review(draft: UncheckedDraft): Promise<readonly FieldError[]> {
    return this.marketplace.reviewAutomation(this.#requireCaller(), draft);
  }

  /**
   * Stores automations unchanged, in their order; the rules are those of a create. Returns an outcome for each, in the
   * same order. A repeated import stores nothing twice. Refuses as `invalid` with every broken rule, and as `conflict`
   * an id that another automation has or had.
   */
  async importBatch(unchecked: readonly UncheckedAutomation[]): Promise<readonly ImportOutcome[]> {
    const candidates = await this.marketplace.prepareImports(this.by, unchecked);
    const added = await this.#add(candidates.flatMap((one) => (one instanceof DomainError ? [] : one)));
    const outcomes: ImportOutcome[] = [];
    for (const candidate of candidates) {
      const isRefused = candidate instanceof DomainError;
      const outcome = isRefused ? refused(candidate) : await this.#outcomeOf(candidate, added.get(candidate));
      outcomes.push(this.#count(outcome));
    }
    return outcomes;
  }

  #requireCaller(): Caller {
    if (this.#caller === undefined) throw new TypeError('name the developer of the import, who offers its drafts');
    return this.#caller;
  }

  #count(outcome: ImportOutcome): ImportOutcome {
    this.#counts[COUNT_OF[outcome.outcome]] += 1;
    return outcome;
  }

  async #add(offers: readonly NewAutomation[]): Promise<ReadonlyMap<NewAutomation, AddOutcome | undefined>> {
    const outcomes: AddOutcome[] = [];
    for (const write of inWrites(offers)) outcomes.push(...(await this.ports.automations.add(write)));
    return new Map(offers.map((offer, index) => [offer, outcomes[index]]));
  }

  async #outcomeOf({ automation }: NewAutomation, added: AddOutcome | undefined): Promise<ImportOutcome> {
    if (added?.outcome === 'stored') return { outcome: 'stored' };
    if (added?.outcome === 'other-currency') return refused(otherCurrency(added.currency, automation.price.currency));
    const holder = await this.ports.archive.findAny(automation.id);
    if (holder === undefined || holder.withdrawn)
      return refused(idTaken('is that of an automation that was withdrawn from this store'));
    if (isSameAutomation(holder.automation, automation)) return { outcome: 'already-there' };
    return refused(idTaken('is that of an automation in this store with other content, owner or date'));
  }
}

const COUNT_OF = { stored: 'stored', 'already-there': 'present', refused: 'failed' } as const;

function refused(error: DomainError): ImportOutcome {
  return { outcome: 'refused', error };
}

function idTaken(detail: string): DomainError {
  return new DomainError('conflict', 'duplicate-id', `the id ${detail}`, [{ field: 'id', code: 'taken', detail }]);
}
