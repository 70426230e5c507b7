import type { Automation } from '../domain/automation.js';
import { categoryId, type Category } from '../domain/category.js';
import type { Currency } from '../domain/currency.js';
import { DomainError } from '../domain/errors.js';
import { isVerySame, movedAutomation, type UncheckedAutomation } from '../domain/moved-automation.js';
import type { AddOutcome, AutomationRepository, CategoryRepository } from '../domain/ports.js';

/** What became of one automation that was brought in. */
export type Arrival =
  | { readonly outcome: 'stored' }
  /** The very same: id, content, owner and date. */
  | { readonly outcome: 'already-there' }
  | { readonly outcome: 'refused'; readonly error: DomainError };

/** As many as a repository takes at once. */
const MOST_TOGETHER = 500;

/** Automations on their way into a store. */
export class Arrivals {
  #anyStored = false;

  constructor(
    private readonly automations: AutomationRepository,
    private readonly categories: CategoryRepository,
    private readonly currency: Currency,
    private readonly noteFirst: () => void,
  ) {}

  /**
   * Stores automations in their order, each as it was: the same rules hold for them as for a create. Answers for each, in the same order;
   * again, it stores none twice. Refuses as `invalid` with every broken rule, and as `conflict` an id that another automation has, or had.
   */
  async bringIn(unchecked: readonly UncheckedAutomation[]): Promise<readonly Arrival[]> {
    const candidates = await this.#check(unchecked);
    const moved = candidates.filter((candidate): candidate is Automation => !(candidate instanceof DomainError));
    const present = await this.#present(moved);
    const missing = moved.filter(({ id }) => !present.has(id));
    const outcomes = await this.#add(missing);
    return Promise.all(
      candidates.map(async (candidate) =>
        candidate instanceof DomainError ? refused(candidate) : this.#arrivalOf(candidate, outcomes.get(candidate), present.get(candidate.id)),
      ),
    );
  }

  async #check(unchecked: readonly UncheckedAutomation[]): Promise<readonly (Automation | DomainError)[]> {
    const categories = await this.#categoriesOf(unchecked);
    return unchecked.map((one) => {
      try {
        return movedAutomation(one, { currency: this.currency, category: categories.get(one.categoryId) });
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

  /** Looked for before, since a store takes long to find out of many ids, one after the other, that they are taken. */
  async #present(moved: readonly Automation[]): Promise<ReadonlyMap<string, Automation>> {
    const found = await Promise.all(moved.map(({ id }) => this.automations.find(id)));
    return new Map(found.flatMap((automation) => (automation === undefined ? [] : [[automation.id, automation]])));
  }

  async #add(missing: readonly Automation[]): Promise<ReadonlyMap<Automation, AddOutcome | undefined>> {
    if (missing.length === 0) return new Map();
    const outcomes: AddOutcome[] = [];
    for (let at = 0; at < missing.length; at += MOST_TOGETHER) {
      const added = await this.automations.add(missing.slice(at, at + MOST_TOGETHER).map((automation) => ({ automation })));
      if (!this.#anyStored && added.some(({ outcome }) => outcome === 'stored')) {
        this.#anyStored = true;
        this.noteFirst();
      }
      outcomes.push(...added);
    }
    return new Map(missing.map((automation, index) => [automation, outcomes[index]]));
  }

  async #arrivalOf(moved: Automation, added: AddOutcome | undefined, present: Automation | undefined): Promise<Arrival> {
    if (added?.outcome === 'stored') return { outcome: 'stored' };
    const holder = present ?? (await this.automations.find(moved.id));
    if (holder === undefined) return refused(idTaken('is that of an automation that was withdrawn from this store'));
    if (isVerySame(holder, moved)) return { outcome: 'already-there' };
    return refused(idTaken('is that of an automation in this store whose content, owner or date is another'));
  }
}

function refused(error: DomainError): Arrival {
  return { outcome: 'refused', error };
}

function idTaken(detail: string): DomainError {
  return new DomainError('conflict', 'duplicate-id', `the id ${detail}`, [{ field: 'id', code: 'taken', detail }]);
}
