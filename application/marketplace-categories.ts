import { requireOperator, type Operator } from '../domain/access.js';
import type { CategoryImport } from '../domain/audit.js';
import { byName, newCategory, type Category, type CategoryId } from '../domain/category.js';
import { DomainError, Violations } from '../domain/errors.js';
import type { AutomationRepository, CategoryRepository } from '../domain/ports.js';
import { nameKey } from '../domain/text.js';
import type { AuditTrail } from './audit-trail.js';
import { FairQueue } from './fair-queue.js';

/** A category that was not checked. */
export interface UncheckedCategory {
  readonly id?: unknown;
  readonly name?: unknown;
}

/**
 * How the operator keeps the categories. One change is made at a time, so that a process never gives two of them one
 * name or one id; several processes may do so.
 */
export class MarketplaceCategories {
  readonly #oneAtATime = new FairQueue({ atOnce: 1 });

  /** Uses the categories and the automations of one store. */
  constructor(
    private readonly categories: CategoryRepository,
    private readonly automations: Pick<AutomationRepository, 'countByCategory'>,
    private readonly audit?: AuditTrail,
  ) {}

  /** Returns every category, ordered by name. */
  async list(): Promise<readonly Category[]> {
    return (await this.categories.list()).toSorted(byName);
  }

  /** Adds a category. Fails as `invalid`, or as `conflict` when another one has its id, or its name in any case. */
  async add(by: Operator, draft: UncheckedCategory): Promise<Category> {
    requireOperator(by);
    const category = newCategory(draft);
    await this.#oneAtATime.run(async () => {
      const others = await this.categories.list();
      refuseTaken(category, others, { isNew: true });
      await this.categories.save([category]);
    });
    await this.audit?.recordBy(by, 'category-added', undefined, { subject: category.id });
    return category;
  }

  /**
   * Gives a category another name and returns whether it had another one. The id stays. Fails as `not-found`, as
   * `invalid`, or as `conflict` when another category has the name, in any case.
   */
  async rename(by: Operator, id: string, name: unknown): Promise<boolean> {
    requireOperator(by);
    const isChanged = await this.#oneAtATime.run(async () => {
      const all = await this.categories.list();
      const current = all.find((one) => one.id === id);
      if (current === undefined) throw noSuchCategory();
      const renamed = newCategory({ id, name });
      if (renamed.name === current.name) return false;
      refuseTaken(renamed, all, { isNew: false });
      await this.categories.save([renamed]);
      return true;
    });
    if (isChanged) await this.audit?.recordBy(by, 'category-renamed', undefined, { subject: id as CategoryId });
    return isChanged;
  }

  /**
   * Removes a category in which nothing is on sale. Fails as `not-found`, or as `conflict` (`category-in-use`) while an
   * automation is on sale in it, also one that was published meanwhile: then the category stays.
   */
  async remove(by: Operator, id: string): Promise<void> {
    requireOperator(by);
    await this.#oneAtATime.run(async () => {
      const category = (await this.categories.list()).find((one) => one.id === id);
      if (category === undefined) throw noSuchCategory();
      await this.#refuseUsed(category);
      if (!(await this.categories.remove(category.id))) throw noSuchCategory();
      await this.#refuseUsed(category).catch(async (error: unknown) => {
        await this.categories.save([category]);
        throw error;
      });
    });
    await this.audit?.recordBy(by, 'category-removed', undefined, { subject: id as CategoryId });
  }

  /** @throws DomainError `conflict` while an automation is on sale in the category. */
  async #refuseUsed({ id }: Category): Promise<void> {
    const count = (await this.automations.countByCategory()).get(id) ?? 0;
    if (count === 0) return;
    const used = count === 1 ? '1 automation is' : `${count} automations are`;
    const message = `${used} on sale in this category; revise or withdraw them first`;
    throw new DomainError('conflict', 'category-in-use', message);
  }

  /**
   * Adds the categories whose id is new and renames the others, all or none of them. Their names may be any: a list may
   * exchange those of two categories. `file` is the name of the file, for the history.
   */
  async import(by: Operator, categories: readonly Category[], file?: string): Promise<CategoryImport> {
    requireOperator(by);
    const counts = await this.#oneAtATime.run(async () => {
      const names = new Map((await this.categories.list()).map(({ id, name }) => [id, name]));
      const renamed = categories.filter(({ id, name }) => names.has(id) && names.get(id) !== name).length;
      const added = await this.categories.save(categories);
      return { added, renamed, unchanged: categories.length - added - renamed };
    });
    if (counts.added + counts.renamed > 0)
      await this.audit?.recordBy(by, 'categories-imported', undefined, { counts, file });
    return counts;
  }
}

/** @throws DomainError `conflict` that names each field whose value another category has */
function refuseTaken({ id, name }: Category, all: readonly Category[], { isNew }: { readonly isNew: boolean }): void {
  const taken = new Violations();
  const others = all.filter((one) => one.id !== id);
  const key = nameKey(name);
  if (isNew && others.length < all.length) taken.field('id')('taken', 'is that of another category; choose another');
  if (others.some((one) => nameKey(one.name) === key))
    taken.field('name')('taken', 'is that of another category; choose another');
  if (taken.fields.length > 0)
    throw new DomainError('conflict', 'duplicate-category', 'another category has this id or name', taken.fields);
}

function noSuchCategory(): DomainError {
  return new DomainError('not-found', 'no-such-category', 'there is no category with this id');
}
