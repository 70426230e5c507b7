import type { Category, CategoryId, CategoryRepository } from 'automation-marketplace';
import { Journal } from './journal.js';

/** Categories in a file of JSON lines, each line what was saved together. */
export class JsonLinesCategoryRepository implements CategoryRepository {
  readonly #journal: Journal<readonly Category[]>;
  readonly #categories = new Map<CategoryId, Category>();

  constructor(file: string) {
    this.#journal = new Journal(file);
    for (const saved of this.#journal.lines()) this.#apply(saved);
  }

  async list(): Promise<readonly Category[]> {
    return Array.from(this.#categories.values(), (category) => ({ ...category }));
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const category = this.#categories.get(id);
    return category && { ...category };
  }

  async save(categories: readonly Category[]): Promise<number> {
    const before = this.#categories.size;
    if (categories.length > 0) this.#apply(this.#journal.append(categories));
    return this.#categories.size - before;
  }

  #apply(saved: readonly Category[]): void {
    for (const category of saved) this.#categories.set(category.id, category);
  }
}
