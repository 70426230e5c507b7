import type { Category } from '../../domain/category.js';
import { firstRow, type Connection } from './connection.js';

/** The write of categories. */
export function categoryWrites(connection: Connection) {
  const count = connection.prepare('SELECT count(*) FROM categories').raw();
  const save = connection.prepare(
    'INSERT INTO categories VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name',
  );
  const countAll = () => (firstRow(count) as [number])[0];
  return {
    /** Returns how many were new. */
    saveCategories(categories: readonly Category[]): number {
      const before = countAll();
      for (const { id, name } of categories) save.run([id, name]);
      return countAll() - before;
    },
  };
}
