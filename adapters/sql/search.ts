import type { CategoryId } from '../../domain/category.js';
import type { ArchivedAutomation, CatalogueSearch, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { titleTerms } from '../../domain/search-terms.js';
import { archivedOf, AUTOMATION } from './automation-rows.js';
import type { Query, SqlConnection } from './connection.js';
import type { TitlePart } from './dialect.js';
import type { Row } from './mapping.js';
import { BLOCK_SIZES } from './schema.js';
import { sourceOf, whereOf, type Purpose } from './search-source.js';
import { settingsOf } from './settings.js';
import { isReadable } from './words.js';

type Slice = readonly [offset: number, limit: number];

/** Returns the order of the rows, in which `best` is the same as `newest`. */
function orderOf(order: SearchQuery['order'], number: string): string {
  if (order === 'price') return `a.price, ${number} DESC`;
  return order === '-price' ? `a.price DESC, ${number}` : `${number} DESC`;
}

/** Finds automations in a relational database. The words of a search are found by an index. */
export class SqlCatalogueSearch implements CatalogueSearch {
  /** Uses an open connection and does not close it. */
  constructor(
    private readonly connection: SqlConnection,
    private readonly hasWords: boolean,
  ) {}

  search(wanted: SearchQuery): Promise<SearchPage> {
    if (wanted.terms !== undefined && !this.hasWords) return Promise.reject(searchFailure('search-off'));
    return this.connection.search(async (query) => {
      if (wanted.terms !== undefined) await this.#refuseIncomplete(query);
      const counts = wanted.countCategories === true ? await this.#countCategories(query, wanted) : undefined;
      const total = counts ? totalIn(counts, wanted.category) : await this.#count(query, { query: wanted, part: {} });
      const items = await this.#find(query, await this.#numbers(query, wanted, total));
      return { items, total, ...(counts && { categoryCounts: counts }) };
    });
  }

  /** Returns the numbers of the automations on the page: some of the `total` matches. */
  async #numbers(query: Query, wanted: SearchQuery, total: number): Promise<readonly number[]> {
    const { number, limit } = wanted.page;
    const first = (number - 1) * limit;
    const numbers: number[] = [];
    let before = 0;
    for (const part of first < total ? partsOf(wanted) : []) {
      const offset = Math.max(0, first - before);
      const some = await this.#slice(query, part, total, [offset, limit - numbers.length]);
      numbers.push(...some);
      if (numbers.length === limit || part.part.has === undefined) break;
      // A slice that is not full ends where its part ends.
      before += some.length > 0 || offset === 0 ? offset + some.length : await this.#count(query, part);
    }
    return numbers;
  }

  async #refuseIncomplete(query: Query): Promise<void> {
    if (!isReadable(await settingsOf(query, this.connection.dialect))) throw searchFailure('search-incomplete');
  }

  async #count(query: Query, part: Part): Promise<number> {
    const { prefix } = this.connection.dialect;
    if (isPlain(part.query)) {
      const sql = `SELECT CAST(coalesce(sum(on_sale), 0) AS bigint) AS count FROM ${prefix}counts
        WHERE size = ${BLOCK_SIZES.large} AND category_id = $1`;
      return (await query<{ readonly count: number }>(sql, [part.query.category ?? '']))[0]?.count ?? 0;
    }
    const source = this.#sourceOf(part, 'count');
    const rows = await query<{ readonly count: number }>(`SELECT count(*) AS count ${source.sql}`, source.values);
    return rows[0]?.count ?? 0;
  }

  /** Returns the numbers of some of the part, in the order of the query, which has `total` matches in all. */
  async #slice(query: Query, part: Part, total: number, [offset, limit]: Slice): Promise<readonly number[]> {
    const { sql, values, number } = this.#sourceOf(part, total > MAX_SORTED ? 'many' : 'few');
    const rows = await query<{ readonly number: number }>(
      `SELECT ${number} AS number ${sql} ORDER BY ${orderOf(part.query.order, number)}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, limit, offset],
    );
    return rows.map(({ number }) => number);
  }

  async #countCategories(query: Query, wanted: SearchQuery): Promise<ReadonlyMap<CategoryId, number>> {
    const inAny: SearchQuery = { ...wanted, category: undefined, order: 'newest' };
    const { prefix } = this.connection.dialect;
    const source = this.#sourceOf({ query: inAny, part: {} }, 'categories');
    const sql = isPlain(inAny)
      ? `SELECT category_id AS id, CAST(sum(on_sale) AS bigint) AS count FROM ${prefix}counts
         WHERE size = ${BLOCK_SIZES.large} AND category_id <> '' GROUP BY category_id`
      : `SELECT a.category_id AS id, count(*) AS count ${source.sql} GROUP BY a.category_id`;
    const rows = await query<{ readonly id: CategoryId; readonly count: number }>(
      sql,
      isPlain(inAny) ? [] : source.values,
    );
    return new Map(rows.filter(({ count }) => count > 0).map(({ id, count }) => [id, count]));
  }

  async #find(query: Query, numbers: readonly number[]): Promise<readonly ArchivedAutomation[]> {
    if (numbers.length === 0) return [];
    const { prefix, rowsOf } = this.connection.dialect;
    const rows = await query<Row>(
      `SELECT ${AUTOMATION.columns} FROM ${rowsOf('$1', { wanted: 'integer' })} AS given
       CROSS JOIN ${prefix}automations WHERE number = wanted ORDER BY ordinal`,
      [JSON.stringify(numbers.map((wanted) => ({ wanted })))],
    );
    return rows.map(archivedOf);
  }

  #sourceOf({ query, part }: Part, purpose: Purpose) {
    const { from, conditions, ...source } = sourceOf(this.connection.dialect, query, part, purpose);
    return { sql: `FROM ${from} ${whereOf(conditions)}`, ...source };
  }
}

/** Up to this number, rows are sorted. More are read in their order, and the others left out. */
const MAX_SORTED = 10_000;

interface Part {
  readonly query: SearchQuery;
  readonly part: TitlePart;
}

/** Returns the parts of the matches in their order. With `best` they differ in their titles. */
function partsOf(query: SearchQuery): readonly Part[] {
  const lists = query.order === 'best' && query.terms !== undefined ? titleTerms(query.terms) : [];
  return [...lists, undefined].map((has, index) => ({ query, part: { has, hasNot: lists[index - 1] } }));
}

function totalIn(counts: ReadonlyMap<CategoryId, number>, category: CategoryId | undefined): number {
  if (category !== undefined) return counts.get(category) ?? 0;
  return Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
}

/** Returns whether the query asks for no more than `counts` has. */
function isPlain({ terms, category, developerId, status, lowestPrice, highestPrice }: SearchQuery): boolean {
  // The empty text stands for all categories in `counts`.
  if (status !== 'on-sale' || category === '') return false;
  return [terms, developerId, lowestPrice, highestPrice].every((each) => each === undefined);
}
