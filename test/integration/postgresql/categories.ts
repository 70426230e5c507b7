import type { Category, CategoryRepository } from 'automation-marketplace';
import type { Database } from './database.js';

const LIST = 'SELECT id, name FROM categories';
const SAVED = 'FROM json_populate_recordset(null::categories, $1) AS saved';
const ADD = `INSERT INTO categories SELECT saved.* ${SAVED} ON CONFLICT DO NOTHING RETURNING id`;
const RENAME = `UPDATE categories SET name = saved.name ${SAVED} WHERE categories.id = saved.id`;

/** The categories of the marketplace. */
export function postgresCategories(database: Database): CategoryRepository {
  return {
    list: () => database.read<Category>(LIST),
    find: async (id) => (await database.read<Category>(`${LIST} WHERE id = $1`, [id]))[0],
    save(categories) {
      const last = new Map(categories.map((category) => [category.id, category]));
      const saved = JSON.stringify(Array.from(last.values()));
      return database.write(async (query) => {
        const added = await query(ADD, [saved]);
        await query(RENAME, [saved]);
        return added.length;
      });
    },
  };
}
