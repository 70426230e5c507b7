import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';

/** Categories in SQLite. */
export class SqliteCategoryRepository implements CategoryRepository {
  readonly #list;
  readonly #find;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#list = prepareRows<Category>(database, ['id', 'name'], 'FROM categories');
    this.#find = prepareRows<Category>(database, ['id', 'name'], 'FROM categories WHERE id = ?');
  }

  list(): Promise<readonly Category[]> {
    return this.database.readOne(() => this.#list());
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const [category] = await this.database.readOne(() => this.#find(id));
    return category;
  }

  save(categories: readonly Category[]): Promise<number> {
    return this.database.write('saveCategories', categories);
  }
}
