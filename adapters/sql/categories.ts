import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';

export class SqlCategoryRepository implements CategoryRepository {
  constructor(private readonly connection: SqlConnection) {}
  list(): Promise<readonly Category[]> {
    return this.connection.query<Category>(`SELECT id, name FROM ${this.connection.dialect.prefix}categories`);
  }
  async find(id: CategoryId): Promise<Category | undefined> {
    return (await this.list()).find((each) => each.id === id);
  }
  save(categories: readonly Category[]): Promise<number> {
    const table = `${this.connection.dialect.prefix}categories`;
    return this.connection.transaction(async (query) => {
      const count = async () => (await query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n ?? 0;
      const before = await count();
      for (const { id, name } of categories)
        await query(`INSERT INTO ${table} (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = $2`, [
          id,
          name,
        ]);
      return (await count()) - before;
    });
  }
}
