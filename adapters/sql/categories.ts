import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';

/** Categories in a table. */
export class SqlCategoryRepository implements CategoryRepository {
  readonly #categories: string;

  constructor(private readonly connection: SqlConnection) {
    this.#categories = `${connection.dialect.prefix}categories`;
  }

  list(): Promise<readonly Category[]> {
    return this.connection.query<Category>(`SELECT id, name FROM ${this.#categories}`);
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const sql = `SELECT id, name FROM ${this.#categories} WHERE id = $1`;
    return (await this.connection.query<Category>(sql, [id]))[0];
  }

  /** Two processes save in the order of ids, so that they do not wait for each other in a circle. */
  save(categories: readonly Category[]): Promise<number> {
    const last = new Map(categories.map((category) => [category.id, category]));
    const saved = JSON.stringify(Array.from(last.values()).sort((one, other) => (one.id < other.id ? -1 : 1)));
    const given = `${this.connection.dialect.rowsOf('$1', { id: 'text', name: 'text' })} AS given`;
    return this.connection.transaction(async (query) => {
      const added = await query(
        `INSERT INTO ${this.#categories} (id, name) SELECT id, name FROM ${given} WHERE true ORDER BY ordinal
         ON CONFLICT DO NOTHING RETURNING id`,
        [saved],
      );
      await query(
        `INSERT INTO ${this.#categories} (id, name) SELECT id, name FROM ${given} WHERE true ORDER BY ordinal
         ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
        [saved],
      );
      return added.length;
    });
  }

  async remove(id: CategoryId): Promise<boolean> {
    const sql = `DELETE FROM ${this.#categories} WHERE id = $1 RETURNING id`;
    return (await this.connection.transaction((query) => query(sql, [id]))).length > 0;
  }
}
