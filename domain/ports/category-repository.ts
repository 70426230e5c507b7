import type { Category, CategoryId } from '../category.js';

/** The categories of the marketplace. */
export interface CategoryRepository {
  /** Returns every category, in any order. */
  list(): Promise<readonly Category[]>;

  /** Returns the category; undefined when there is none with this id. */
  find(id: CategoryId): Promise<Category | undefined>;

  /**
   * Adds the categories whose id is new and renames the others, all or none of them; of two with one id the last
   * counts. Returns how many were new.
   */
  save(categories: readonly Category[]): Promise<number>;

  /** Removes the category, and returns whether there was one. When raced, one call returns true. */
  remove(id: CategoryId): Promise<boolean>;
}
