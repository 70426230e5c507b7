import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';

/** Categories in a map, for tests and for hosts that name them in code. */
export class InMemoryCategoryRepository implements CategoryRepository {
  readonly #categories = new Map<CategoryId, Category>();

  /** Starts with these categories. */
  constructor(categories: readonly Category[] = []) {
    for (const category of categories) this.#set(category);
  }

  async list(): Promise<readonly Category[]> {
    return Array.from(this.#categories.values());
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    return this.#categories.get(id);
  }

  async save(categories: readonly Category[]): Promise<number> {
    const before = this.#categories.size;
    for (const category of categories) this.#set(category);
    return this.#categories.size - before;
  }

  async remove(id: CategoryId): Promise<boolean> {
    return this.#categories.delete(id);
  }

  #set({ id, name }: Category): void {
    this.#categories.set(id, Object.freeze({ id, name }));
  }
}
