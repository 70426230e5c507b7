import { inWrites } from '../domain/add-size.js';
import type { Automation } from '../domain/automation.js';
import { categoryId, type Category } from '../domain/category.js';
import type { Currency } from '../domain/currency.js';
import { DomainError } from '../domain/errors.js';
import { isSameAutomation, parseImportedAutomation, type UncheckedAutomation } from '../domain/imported-automation.js';
import type { AddOutcome, AutomationArchive, AutomationRepository, CategoryRepository } from '../domain/ports.js';

/** The outcome of one imported automation. */
export type ImportOutcome =
  | { readonly outcome: 'stored' }
  /** The store has it, with the same id, content, developer and date. */
  | { readonly outcome: 'already-there' }
  | { readonly outcome: 'refused'; readonly error: DomainError };

/** One import of automations from another store. */
export class ImportSession {
  constructor(
    private readonly automations: AutomationRepository,
    private readonly archive: AutomationArchive,
    private readonly categories: CategoryRepository,
    private readonly currency: Currency,
  ) {}

  /**
   * Stores automations unchanged, in their order; the rules are those of a create. Returns an outcome for each, in the
   * same order. A repeated import stores nothing twice. Refuses as `invalid` with every broken rule, and as `conflict`
   * an id that another automation has or had.
   */
  async importBatch(unchecked: readonly UncheckedAutomation[]): Promise<readonly ImportOutcome[]> {
    const candidates = await this.#check(unchecked);
    const valid = candidates.filter((candidate): candidate is Automation => !(candidate instanceof DomainError));
    const added = await this.#add(valid);
    const outcomes: ImportOutcome[] = [];
    for (const candidate of candidates)
      outcomes.push(
        candidate instanceof DomainError ? refused(candidate) : await this.#outcomeOf(candidate, added.get(candidate)),
      );
    return outcomes;
  }

  async #check(unchecked: readonly UncheckedAutomation[]): Promise<readonly (Automation | DomainError)[]> {
    const categories = await this.#categoriesOf(unchecked);
    return unchecked.map((one) => {
      try {
        return parseImportedAutomation(one, { currency: this.currency, category: categories.get(one.categoryId) });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return error;
      }
    });
  }

  async #categoriesOf(unchecked: readonly UncheckedAutomation[]): Promise<ReadonlyMap<unknown, Category | undefined>> {
    const named = Array.from(new Set(unchecked.map((one) => one.categoryId)));
    const found = named.map(async (name) => {
      const id = typeof name === 'string' ? categoryId(name) : undefined;
      return [name, id && (await this.categories.find(id))] as const;
    });
    return new Map(await Promise.all(found));
  }

  async #add(automations: readonly Automation[]): Promise<ReadonlyMap<Automation, AddOutcome | undefined>> {
    const outcomes: AddOutcome[] = [];
    for (const write of inWrites(automations))
      outcomes.push(...(await this.automations.add(write.map((automation) => ({ automation })))));
    return new Map(automations.map((automation, index) => [automation, outcomes[index]]));
  }

  async #outcomeOf(automation: Automation, added: AddOutcome | undefined): Promise<ImportOutcome> {
    if (added?.outcome === 'stored') return { outcome: 'stored' };
    const holder = await this.archive.findAny(automation.id);
    if (holder === undefined || holder.withdrawn)
      return refused(idTaken('is that of an automation that was withdrawn from this store'));
    if (isSameAutomation(holder.automation, automation)) return { outcome: 'already-there' };
    return refused(idTaken('is that of an automation in this store with other content, owner or date'));
  }
}

function refused(error: DomainError): ImportOutcome {
  return { outcome: 'refused', error };
}

function idTaken(detail: string): DomainError {
  return new DomainError('conflict', 'duplicate-id', `the id ${detail}`, [{ field: 'id', code: 'taken', detail }]);
}
