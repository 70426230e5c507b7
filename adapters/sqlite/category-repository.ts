import type { Category, CategoryId } from '../../domain/category.js';
import type { CategoryRepository } from '../../domain/ports.js';
import type { SqliteDatabase } from './database.js';
import { Finds } from './finds.js';

/** Categories in SQLite. */
export class SqliteCategoryRepository implements CategoryRepository {
  readonly #statements;
  readonly #finds: Finds<CategoryId, CategoryRow>;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = {
      list: database.prepare('SELECT id, name FROM categories').raw(),
      count: database.prepare('SELECT count(*) FROM categories').raw(),
      save: database.prepare('INSERT INTO categories VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name'),
    };
    this.#finds = new Finds(database, FIND);
  }

  async list(): Promise<readonly Category[]> {
    const rows = await this.database.readOne(() => this.#statements.list.all() as CategoryRow[]);
    return rows.map(categoryOf);
  }

  async find(id: CategoryId): Promise<Category | undefined> {
    const row = await this.#finds.find(id);
    return row && categoryOf(row);
  }

  save(categories: readonly Category[]): Promise<number> {
    return this.database.write(() => {
      const before = this.#count();
      for (const { id, name } of categories) this.#statements.save.run(id, name);
      return this.#count() - before;
    });
  }

  #count(): number {
    const [count] = this.#statements.count.get() as [number];
    return count;
  }
}

const FIND =
  'SELECT json_group_array(json_array(id, name)) FROM categories WHERE id IN (SELECT value FROM json_each(?))';

type CategoryRow = [id: CategoryId, name: string];

function categoryOf([id, name]: CategoryRow): Category {
  return { id, name };
}
