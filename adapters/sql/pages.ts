import type { CategoryId } from '../../domain/category.js';
import { unknownAfter } from '../../domain/page.js';
import type { AutomationPage, AutomationQuery } from '../../domain/ports.js';
import { isKept, PageCache, type NamedPage } from '../storage/page-cache.js';
import { automationOf, SHOWN, SUMMARY, summaryOf } from './automation-rows.js';
import type { SqlConnection } from './connection.js';
import { BLOCK_SIZES, totalQuery } from './counts.js';
import type { Dialect } from './dialect.js';
import type { Row } from './mapping.js';

/** Pages of what is on sale. Each is read by one statement, which sees one state of the store. */
export class SqlPages {
  readonly #cache = new PageCache();
  readonly #state: string;
  /** Made once each: making one takes a tenth of the time of a page on SQLite. */
  readonly #statements = new Map<string, string>();

  /** Uses an open connection and does not close it. */
  constructor(private readonly connection: SqlConnection) {
    this.#state = `SELECT ${connection.dialect.state} AS state`;
  }

  async list(wanted: AutomationQuery): Promise<AutomationPage> {
    if (!isKept(wanted)) return this.#read(wanted);
    const [now] = await this.connection.query<{ readonly state: string }>(this.#state);
    return this.#cache.find(now?.state ?? '', wanted) ?? this.#cache.keep(wanted, await this.#read(wanted));
  }

  async #read(wanted: AutomationQuery): Promise<NamedPage> {
    const { page, category = '', whole, countCategories } = wanted;
    const start = 'after' in page ? page.after : (page.number - 1) * page.limit;
    const rows = await this.connection.query<Row>(this.#statementFor(wanted), [category, page.limit, start]);
    if (rows[0]?.['start'] === null) throw unknownAfter();
    const found = rows.filter(({ id }) => id !== null);
    return {
      items: found.map(summaryOf),
      revision: rows[0]?.['revision'] as string,
      ...(countCategories === true ? countsIn(rows, category) : { total: rows[0]?.['total'] as number }),
      ...(whole === true && { automations: found.map(automationOf) }),
    };
  }

  #statementFor(wanted: AutomationQuery): string {
    const { page, category, whole, countCategories } = wanted;
    const name = `${'after' in page} ${category !== undefined} ${whole} ${countCategories}`;
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const statement = statementFor(this.connection.dialect, wanted);
    this.#statements.set(name, statement);
    return statement;
  }
}

/** Returns the totals that the rows have. The category '' stands for all, and null for none. */
function countsIn(rows: readonly Row[], category: string) {
  const counted = rows.filter((row) => row['counted'] !== null);
  const counts = new Map(counted.map((row) => [row['counted'] as CategoryId, row['total'] as number]));
  const total = counts.get(category as CategoryId) ?? 0;
  counts.delete('' as CategoryId);
  return { total, categoryCounts: counts };
}

/**
 * Returns the statement that reads a page, newest first, with its total or those of all categories; one row at least.
 * `$1` is the category, or '' for all; `$2` is the length of the page; `$3` says where it starts.
 */
function statementFor(dialect: Dialect, { page, category, whole, countCategories }: AutomationQuery): string {
  const { prefix, state, indexedBy } = dialect;
  const isOfCategory = category !== undefined;
  const index = indexedBy(isOfCategory ? 'on_sale_by_category' : 'on_sale');
  const columns = whole === true ? SHOWN : SUMMARY;
  const start = 'after' in page ? startAfter(prefix) : startAtPosition(prefix);
  const totals = countCategories === true ? totalsOfAll(prefix) : totalOfPage(prefix);
  return `
    WITH ${start.found},
    page AS ${totals.page} (
      SELECT number, ${columns} FROM ${prefix}automations${index}
      WHERE withdrawn_at IS NULL ${isOfCategory ? 'AND category_id = $1' : ''} AND number < ${start.below}
      ORDER BY number DESC LIMIT $2 ${start.offset}
    )
    SELECT ${columns}, ${state} AS revision, ${totals.columns} ${start.columns}
    FROM (SELECT 1) AS one ${totals.join} ORDER BY page.number DESC`;
}

function totalOfPage(prefix: string) {
  return { page: '', columns: `(${totalQuery(prefix)}) AS total`, join: 'LEFT JOIN page ON true' };
}

/** The row of each category has its total; those of the category of the page have its automations. */
function totalsOfAll(prefix: string) {
  const totals = `SELECT category_id AS counted, CAST(sum(on_sale) AS bigint) AS total FROM ${prefix}counts
    WHERE size = ${BLOCK_SIZES.large} GROUP BY category_id`;
  const join = `LEFT JOIN (${totals}) AS totals ON true LEFT JOIN page ON counted = $1`;
  return { page: 'MATERIALIZED', columns: 'counted, total', join };
}

/** The page begins behind the automation `$3`. */
function startAfter(prefix: string) {
  const found = `start AS (SELECT number FROM ${prefix}automations WHERE id = $3)`;
  const number = '(SELECT number FROM start)';
  return { found, below: number, offset: '', columns: `, ${number} AS start` };
}

/**
 * `$3` come before the page. It walks the counts from the newest block down to the one in which the page begins, first
 * in large blocks, then in the small ones of that one.
 */
function startAtPosition(prefix: string) {
  const { large, small } = BLOCK_SIZES;
  const isInLarge = `AND block >= (SELECT block FROM in_large) * ${large / small}
    AND block < (SELECT block + 1 FROM in_large) * ${large / small}`;
  return {
    found: `in_large AS MATERIALIZED (${walk(prefix, large, 'CAST($3 AS bigint)', '')}),
      in_small AS MATERIALIZED (${walk(prefix, small, '(SELECT skip FROM in_large)', isInLarge)})`,
    below: `(SELECT (block + 1) * ${small} FROM in_small)`,
    offset: 'OFFSET (SELECT coalesce(max(skip), 0) FROM in_small)',
    columns: '',
  };
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
