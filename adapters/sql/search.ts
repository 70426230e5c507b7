import type { CategoryId } from '../../domain/category.js';
import type { ArchivedAutomation, CatalogueSearch, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { titleTerms } from '../../domain/search-terms.js';
import { archivedOf, AUTOMATION } from './automation-rows.js';
import { whereOf } from './conditions.js';
import type { Query, SqlConnection } from './connection.js';
import { readTotal, readTotals } from './counts.js';
import type { Condition, Dialect, Source, TitlePart } from './dialect.js';
import type { Row } from './mapping.js';
import { SIDES } from './schema.js';
import { settingsOf } from './settings.js';
import { isReadable } from './words.js';

/** A search for some of the matches. */
type Part = SearchQuery & TitlePart;

/** What the rows are read for: to count them, to count those of each category, or to sort a few or many. */
type Purpose = 'count' | 'categories' | 'few' | 'many';

type Slice = readonly [offset: number, limit: number];

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
      const total = counts ? totalIn(counts, wanted.category) : await this.#count(query, wanted);
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
      if (numbers.length === limit || part.has === undefined) break;
      // A slice that is not full ends where its part ends.
      before += some.length > 0 || offset === 0 ? offset + some.length : await this.#count(query, part);
    }
    return numbers;
  }

  async #refuseIncomplete(query: Query): Promise<void> {
    if (!isReadable(await settingsOf(query, this.connection.dialect))) throw searchFailure('search-incomplete');
  }

  async #count(query: Query, part: Part): Promise<number> {
    if (isPlain(part)) return readTotal(query, this.connection.dialect, part.category);
    const { from, where, values } = sourceOf(this.connection.dialect, part, 'count');
    const sql = `SELECT count(*) AS count FROM ${from} ${where}`;
    return (await query<{ readonly count: number }>(sql, values))[0]?.count ?? 0;
  }

  /** Returns the numbers of some of the part, in the order of the query, which has `total` matches in all. */
  async #slice(query: Query, part: Part, total: number, [offset, limit]: Slice): Promise<readonly number[]> {
    const purpose = total > MAX_SORTED ? 'many' : 'few';
    const { from, where, values, number } = sourceOf(this.connection.dialect, part, purpose);
    const rows = await query<{ readonly number: number }>(
      `SELECT ${number} AS number FROM ${from} ${where}
       ORDER BY ${orderOf(part.order, number)} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, limit, offset],
    );
    return rows.map(({ number }) => number);
  }

  async #countCategories(query: Query, wanted: SearchQuery): Promise<ReadonlyMap<CategoryId, number>> {
    const inAny: SearchQuery = { ...wanted, category: undefined, order: 'newest' };
    if (isPlain(inAny)) return readTotals(query, this.connection.dialect);
    const { from, where, values } = sourceOf(this.connection.dialect, inAny, 'categories');
    const rows = await query<{ readonly id: CategoryId; readonly count: number }>(
      `SELECT a.category_id AS id, count(*) AS count FROM ${from} ${where} GROUP BY a.category_id`,
      values,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
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
}

/** Up to this number, rows are sorted. More are read in their order, and the others left out. */
const MAX_SORTED = 10_000;

/** Returns the parts of the matches in their order. With `best` they differ in their titles. */
function partsOf(query: SearchQuery): readonly Part[] {
  const lists = query.order === 'best' && query.terms !== undefined ? titleTerms(query.terms) : [];
  return [...lists, undefined].map((has, index) => ({ ...query, has, hasNot: lists[index - 1] }));
}

/** Returns the order of the rows, in which `best` is the same as `newest`. */
function orderOf(order: SearchQuery['order'], number: string): string {
  if (order === 'price') return `a.price, ${number} DESC`;
  return order === '-price' ? `a.price DESC, ${number}` : `${number} DESC`;
}

function totalIn(counts: ReadonlyMap<CategoryId, number>, category: CategoryId | undefined): number {
  if (category !== undefined) return counts.get(category) ?? 0;
  return Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
}

/** Returns whether the query asks for no more than `counts` has. */
function isPlain({ terms, category, platform, developerId, status, lowestPrice, highestPrice }: SearchQuery): boolean {
  // The empty text stands for all categories in `counts`.
  if (status !== 'on-sale' || category === '') return false;
  return [terms, platform, developerId, lowestPrice, highestPrice].every((each) => each === undefined);
}

/** Returns what follows the columns of a SELECT of the matches. */
function sourceOf(dialect: Dialect, part: Part, purpose: Purpose) {
  const { terms, status } = part;
  const filter = filterOf(part);
  const needsPrice = purpose !== 'count' && part.order.endsWith('price');
  const isFiltered = filter.some(([, value]) => value !== undefined);
  const options = {
    isOnSale: status === 'on-sale',
    numbersOnly: !isFiltered && purpose !== 'categories' && !needsPrice,
  };
  const source = terms === undefined ? rowsOf(dialect, part, purpose) : dialect.words.matches(terms, part, options);
  // The index of words knows what is on sale by itself.
  const isAnyState = status === undefined || (terms !== undefined && options.isOnSale);
  const state: readonly Condition[] = isAnyState ? [] : [[`a.${SIDES[status].condition}`]];
  return { ...source, ...whereOf([...source.conditions, ...state, ...filter]) };
}

function rowsOf({ prefix, indexedBy }: Dialect, query: SearchQuery, purpose: Purpose): Source {
  const table = `${prefix}automations`;
  if (query.status !== undefined || query.developerId === undefined) {
    const index = indexOf(query, purpose);
    return { from: `${table} AS a${index === undefined ? '' : indexedBy(index)}`, conditions: [], number: 'a.number' };
  }
  // The developer is the first value of the filter.
  const sides = Object.values(SIDES).map(
    ({ index, condition }) =>
      `SELECT number FROM ${table}${indexedBy(`${index}_by_developer`)} WHERE developer_id = $1 AND ${condition}`,
  );
  const from = `(${sides.join(' UNION ALL ')}) AS own CROSS JOIN ${table} AS a`;
  return { from, conditions: [['a.number = own.number']], number: 'a.number' };
}

/** Returns the index with the fewest rows to read, or one in the order of the query. */
function indexOf(query: SearchQuery, purpose: Purpose): string | undefined {
  const { status, developerId, category, platform, order, lowestPrice, highestPrice } = query;
  if (status === undefined) return undefined;
  const name = SIDES[status].index;
  if (developerId !== undefined) return `${name}_by_developer`;
  if (status === 'withdrawn') return name;
  if (platform !== undefined) return `${name}_by_platform`;
  if (purpose === 'categories') return 'on_sale_by_category_and_price';
  const byPrice = category === undefined ? 'on_sale_by_price' : 'on_sale_by_category_and_price';
  const hasPrices = lowestPrice !== undefined || highestPrice !== undefined;
  if (purpose === 'count' || order.endsWith('price') || (hasPrices && purpose === 'few')) return byPrice;
  return category === undefined || hasPrices ? name : 'on_sale_by_category';
}

function filterOf({ developerId, category, platform, lowestPrice, highestPrice }: SearchQuery): readonly Condition[] {
  return [
    ['a.developer_id = ?', developerId],
    ['a.category_id = ?', category],
    ['a.platform = ?', platform],
    ['a.price >= ?', lowestPrice],
    ['a.price <= ?', highestPrice],
  ];
}
