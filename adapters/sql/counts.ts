import type { CategoryId } from '../../domain/category.js';
import type { Query } from './connection.js';
import type { Dialect } from './dialect.js';

/**
 * The sizes of the blocks of numbers in which automations on sale are counted. The second finds a block of the first
 * size among thousands: a million automations have 4,000 of them.
 */
export const BLOCK_SIZES = { large: 16_384, small: 256 } as const;

/** Reads the number of automations on sale, of one category or of all. */
export async function readTotal(query: Query, { prefix }: Dialect, category: CategoryId | undefined): Promise<number> {
  const rows = await query<{ readonly total: number }>(`SELECT (${totalQuery(prefix)}) AS total`, [category ?? '']);
  return rows[0]?.total ?? 0;
}

/** Reads the number of automations on sale in each category that has any. */
export async function readTotals(query: Query, { prefix }: Dialect): Promise<ReadonlyMap<CategoryId, number>> {
  const rows = await query<{ readonly id: CategoryId; readonly count: number }>(
    `SELECT category_id AS id, CAST(sum(on_sale) AS bigint) AS count FROM ${prefix}counts
     WHERE size = ${BLOCK_SIZES.large} AND category_id <> '' GROUP BY category_id HAVING sum(on_sale) > 0`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Returns the query for the total. `$1` is the category, or '' for all. */
export function totalQuery(prefix: string): string {
  return `SELECT CAST(coalesce(sum(on_sale), 0) AS bigint) FROM ${prefix}counts
    WHERE size = ${BLOCK_SIZES.large} AND category_id = $1`;
}
