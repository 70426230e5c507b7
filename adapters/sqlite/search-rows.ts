import type { CategoryId } from '../../domain/category.js';
import type { SearchQuery } from '../../domain/ports.js';
import type { SearchTerms } from '../../domain/search-terms.js';
import { firstRow, type Preparer, type Statement } from './connection.js';

type Value = string | number;

/** A match: its number, and its price where the order needs it. */
export interface Match {
  readonly seq: number;
  readonly price: number;
}

/** What is asked of the index of words. */
export interface WordMatch {
  readonly expression: string;
  /** Whether the index has words of the past, which are left out; that takes a fifth more time. */
  readonly hasStale: boolean;
}

export type Slice = readonly [offset: number, limit: number];

/** What a search reads: a part of SQL that begins with FROM, and its values. */
interface Source {
  readonly from: string;
  readonly values: readonly Value[];
  /** The name of the number and of the price. */
  readonly columns: readonly [seq: string, price: string];
}

/** Up to so many rows of some prices are sorted by number. For more, all rows are read in the order of the number. */
const MAX_SORTED = 10_000;

/** Finds, counts and sorts the rows that match a query. Of the words it knows what is in the index. */
export class SearchRows {
  readonly #statements = new Map<string, Statement>();

  constructor(private readonly preparer: Preparer) {}

  count(query: SearchQuery, match: WordMatch | undefined): number {
    const { from, values } = sourceOf(query, match, 'count');
    return (firstRow(this.#prepared(`SELECT count(*) ${from}`), values) as [number])[0];
  }

  countCategories(query: SearchQuery, match: WordMatch | undefined): Map<CategoryId, number> {
    const { from, values } = sourceOf(query, match, 'categories');
    const sql = `SELECT json_group_array(a.category_id) ${from}`;
    const counts = new Map<CategoryId, number>();
    const ids = parsed(firstRow(this.#prepared(sql), values)) as CategoryId[];
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  }

  /** Returns some of the `total` matches in the order of the query, in which `best` is the same as `newest`. */
  slice(query: SearchQuery, match: WordMatch | undefined, total: number, [offset, limit]: Slice): readonly Match[] {
    if (limit <= 0 || offset >= total) return [];
    const { from, values, columns } = sourceOf(query, match, total > MAX_SORTED ? 'in-order' : 'sorted');
    const [seq, price] = columns;
    const newest = `${seq} DESC`;
    const order = { newest, best: newest, price: `${price}, ${newest}`, '-price': `${price} DESC, ${seq}` };
    const sql = `SELECT json_group_array(json_object('seq', number, 'price', cost)) FROM (
      SELECT ${seq} AS number, ${price} AS cost ${from} ORDER BY ${order[query.order]} LIMIT ? OFFSET ?)`;
    return parsed(firstRow(this.#prepared(sql), [...values, limit, offset])) as Match[];
  }

  #prepared(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.preparer.prepare(sql).raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Returns a query of the index (https://sqlite.org/fts5.html#full_text_query_syntax). */
export function matchOf({ words, prefix }: SearchTerms): string {
  return [...words.map((word) => `"${word}"`), `"${prefix}" *`].join(' AND ');
}

function parsed(row: unknown): unknown {
  return JSON.parse((row as [string])[0]);
}

type Purpose = 'count' | 'categories' | 'sorted' | 'in-order';

function sourceOf(query: SearchQuery, match: WordMatch | undefined, purpose: Purpose): Source {
  return match === undefined ? automationSource(query, purpose) : wordSource(query, match, purpose);
}

/** The order of the tables is fixed: otherwise SQLite asks the index of words once for each automation. */
function wordSource(query: SearchQuery, { expression, hasStale }: WordMatch, purpose: Purpose): Source {
  const { status, order } = query;
  const side = { 'on-sale': 'words.rowid > 0', withdrawn: 'words.rowid < 0' };
  const seq = status === 'on-sale' ? 'words.rowid' : 'abs(words.rowid)';
  const filter = filterOf(query);
  const isPriced = purpose !== 'count' && purpose !== 'categories' && order.endsWith('price');
  const isJoined = filter.conditions.length > 0 || purpose === 'categories' || isPriced;
  const isCovered = status === 'on-sale' && query.developerId === undefined;
  const hint = isCovered ? 'INDEXED BY on_sale' : 'NOT INDEXED';
  const conditions = [
    'words MATCH ?',
    ...(status === undefined ? [] : [side[status]]),
    ...(isJoined && isCovered ? ['a.withdrawn_at IS NULL'] : []),
    ...filter.conditions,
    ...(hasStale ? ['words.rowid NOT IN (SELECT stale FROM unindexed WHERE stale IS NOT NULL)'] : []),
  ];
  const join = isJoined ? `CROSS JOIN automations AS a ${hint} ON a.seq = ${seq}` : '';
  return {
    from: `FROM words ${join} WHERE ${conditions.join(' AND ')}`,
    values: [expression, ...filter.values],
    columns: [seq, isPriced ? 'a.price' : '0'],
  };
}

function automationSource(query: SearchQuery, purpose: Purpose): Source {
  const { developerId, status } = query;
  const columns = ['a.seq', 'a.price'] as const;
  const filter = filterOf(query);
  if (status === undefined && developerId !== undefined) {
    const ofDeveloper = (index: string, condition: string) =>
      `SELECT seq AS number FROM automations INDEXED BY ${index} WHERE developer_id = ? AND withdrawn_at ${condition}`;
    const numbers = `${ofDeveloper('on_sale_by_developer', 'IS NULL')} UNION ALL
      ${ofDeveloper('withdrawn_by_developer', 'IS NOT NULL')}`;
    const from = `FROM (${numbers}) CROSS JOIN automations AS a ON a.seq = number ${whereOf(filter.conditions)}`;
    return { from, values: [developerId, developerId, ...filter.values], columns };
  }
  const index = indexOf(query, purpose);
  const state = { 'on-sale': ['a.withdrawn_at IS NULL'], withdrawn: ['a.withdrawn_at IS NOT NULL'] };
  const conditions = [...(status === undefined ? [] : state[status]), ...filter.conditions];
  const hint = index === undefined ? '' : `INDEXED BY ${index}`;
  return { from: `FROM automations AS a ${hint} ${whereOf(conditions)}`, values: filter.values, columns };
}

/** Returns the index with the fewest rows to read, or one in the order of the query. */
function indexOf({ status, developerId, category, order, ...prices }: SearchQuery, purpose: Purpose) {
  if (status === undefined) return undefined;
  const name = status === 'on-sale' ? 'on_sale' : 'withdrawn';
  if (developerId !== undefined) return `${name}_by_developer`;
  if (status === 'withdrawn') return name;
  const byPrice = category === undefined ? 'on_sale_by_price' : 'on_sale_by_category_and_price';
  if (purpose === 'categories') return 'on_sale_by_category_and_price';
  const hasPrices = prices.lowestPrice !== undefined || prices.highestPrice !== undefined;
  if (purpose === 'count') return byPrice;
  if (order.endsWith('price') || (hasPrices && purpose === 'sorted')) return byPrice;
  return category === undefined || hasPrices ? name : 'on_sale_by_category';
}

interface Filter {
  readonly conditions: readonly string[];
  readonly values: readonly Value[];
}

function filterOf({ category, developerId, lowestPrice, highestPrice }: SearchQuery): Filter {
  const all = [
    ['a.category_id = ?', category],
    ['a.developer_id = ?', developerId],
    ['a.price >= ?', lowestPrice],
    ['a.price <= ?', highestPrice],
  ] as const;
  const given = all.filter((one): one is [(typeof one)[0], Value] & typeof one => one[1] !== undefined);
  return { conditions: given.map(([condition]) => condition), values: given.map(([, value]) => value) };
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
