import type { AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { AutomationQuery } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import type { Query, SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';

/**
 * The sizes of the blocks of numbers in which automations on sale are counted. The second finds a block of the first
 * size among thousands: a million automations have 4,000 of them.
 */
export const BLOCK_SIZES = { large: 16_384, small: 256 } as const;

/** A row of a page; one without an automation when the page is empty. */
interface PageRow {
  readonly id: AutomationId | null;
  readonly title: string;
  readonly price: MinorUnits;
  readonly currency: Currency;
  readonly total: number;
  readonly revision: string;
}

/** Reads a page with its total, in one state of the store. */
export async function readPage({ query, dialect }: SqlConnection, { page, category }: AutomationQuery) {
  const values = [category ?? '', page.limit, (page.number - 1) * page.limit];
  const rows = await query<PageRow>(pageQuery(dialect, category !== undefined), values);
  const [{ total, revision } = { total: 0, revision: '' }] = rows;
  const items = rows.flatMap(({ id, title, price, currency }) =>
    id === null ? [] : [{ id, title, price: { minorUnits: price, currency } }],
  );
  return { items, total, revision };
}

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
function totalQuery(prefix: string): string {
  return `SELECT CAST(coalesce(sum(on_sale), 0) AS bigint) FROM ${prefix}counts
    WHERE size = ${BLOCK_SIZES.large} AND category_id = $1`;
}

/**
 * Returns the statement that reads a page, newest first, with its total. `$1` is the category, or '' for all; `$2` is
 * the length of the page, and `$3` how many come before it. It walks the counts from the newest block down to the one
 * in which the page begins, first in large blocks, then in the small ones of that one.
 */
function pageQuery({ prefix: p, state, indexedBy }: Dialect, isOfCategory: boolean): string {
  const { large, small } = BLOCK_SIZES;
  const isInLarge = `AND block >= (SELECT block FROM in_large) * ${large / small}
    AND block < (SELECT block + 1 FROM in_large) * ${large / small}`;
  const index = indexedBy(isOfCategory ? 'on_sale_by_category' : 'on_sale');
  return `
    WITH in_large AS MATERIALIZED (${walk(p, large, 'CAST($3 AS bigint)', '')}),
    in_small AS MATERIALIZED (${walk(p, small, '(SELECT skip FROM in_large)', isInLarge)}),
    page AS (
      SELECT number, id, title, price, currency FROM ${p}automations${index}
      WHERE withdrawn_at IS NULL ${isOfCategory ? 'AND category_id = $1' : ''}
        AND number < (SELECT (block + 1) * ${small} FROM in_small)
      ORDER BY number DESC LIMIT $2 OFFSET (SELECT coalesce(max(skip), 0) FROM in_small)
    )
    SELECT page.id, page.title, page.price, page.currency, ${state} AS revision, (${totalQuery(p)}) AS total
    FROM (SELECT 1) AS one LEFT JOIN page ON true ORDER BY page.number DESC`;
}

/** Returns a query for the block in which the page begins, and how many of its automations come before the page. */
function walk(prefix: string, size: number, rest: string, condition: string): string {
  return `
    SELECT block, rest - upto + on_sale AS skip FROM (
      SELECT block, on_sale, sum(on_sale) OVER (ORDER BY block DESC ROWS UNBOUNDED PRECEDING) AS upto, ${rest} AS rest
      FROM ${prefix}counts WHERE size = ${size} AND category_id = $1 ${condition}
    ) AS walked
    WHERE upto > rest AND upto - on_sale <= rest LIMIT 1`;
}
