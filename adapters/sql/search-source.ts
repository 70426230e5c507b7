import type { SearchQuery } from '../../domain/ports.js';
import type { Dialect, Source, TitlePart } from './dialect.js';

/** A search for some of the matches. */
export type Part = SearchQuery & TitlePart;

/** What the rows are read for: to count them, to count those of each category, or to sort a few or many. */
export type Purpose = 'count' | 'categories' | 'few' | 'many';

/** Returns where the matches are read. */
export function sourceOf(dialect: Dialect, part: Part, purpose: Purpose): Source {
  const { terms, status } = part;
  if (terms === undefined) return automationSource(dialect, part, purpose);
  const needsPrice = purpose !== 'count' && part.order.endsWith('price');
  const numbersOnly = !hasFilter(part) && purpose !== 'categories' && !needsPrice;
  const isOnSale = status === 'on-sale';
  const matches = dialect.words.matches(terms, part, { isOnSale, numbersOnly });
  const filter = filterOf(part, matches.values.length + 1);
  return {
    ...matches,
    conditions: [...matches.conditions, ...(isOnSale ? [] : stateOf(part)), ...filter.conditions],
    values: [...matches.values, ...filter.values],
  };
}

function automationSource({ prefix, indexedBy }: Dialect, query: SearchQuery, purpose: Purpose): Source {
  const { conditions, values } = filterOf(query, 1);
  const table = `${prefix}automations`;
  const { developerId } = query;
  if (query.status !== undefined || developerId === undefined) {
    const index = indexOf(query, purpose);
    const from = `${table} AS a${index === undefined ? '' : indexedBy(index)}`;
    return { from, conditions: [...stateOf(query), ...conditions], values, number: 'a.number' };
  }
  const place = values.indexOf(developerId) + 1;
  const side = (index: string, condition: string) =>
    `SELECT number FROM ${table}${indexedBy(index)} WHERE developer_id = $${place} AND ${condition}`;
  const own = `(${side('on_sale_by_developer', 'withdrawn_at IS NULL')} UNION ALL
    ${side('withdrawn_by_developer', 'withdrawn_at IS NOT NULL')}) AS own`;
  return {
    from: `${own} CROSS JOIN ${table} AS a`,
    conditions: ['a.number = own.number', ...conditions],
    values,
    number: 'a.number',
  };
}

/** Returns the index with the fewest rows to read, or one in the order of the query. */
function indexOf(query: SearchQuery, purpose: Purpose): string | undefined {
  const { status, developerId, category, order, lowestPrice, highestPrice } = query;
  if (status === undefined) return undefined;
  const name = status === 'on-sale' ? 'on_sale' : 'withdrawn';
  if (developerId !== undefined) return `${name}_by_developer`;
  if (status === 'withdrawn') return name;
  if (purpose === 'categories') return 'on_sale_by_category_and_price';
  const byPrice = category === undefined ? 'on_sale_by_price' : 'on_sale_by_category_and_price';
  const hasPrices = lowestPrice !== undefined || highestPrice !== undefined;
  if (purpose === 'count' || order.endsWith('price') || (hasPrices && purpose === 'few')) return byPrice;
  return category === undefined || hasPrices ? name : 'on_sale_by_category';
}

function stateOf({ status }: SearchQuery): readonly string[] {
  if (status === undefined) return [];
  return [status === 'on-sale' ? 'a.withdrawn_at IS NULL' : 'a.withdrawn_at IS NOT NULL'];
}

type Filter = Pick<Source, 'conditions' | 'values'>;

/** Returns the conditions of the columns. The first value has this place. */
function filterOf({ category, developerId, lowestPrice, highestPrice }: SearchQuery, firstPlace: number): Filter {
  const all = [
    ['a.category_id =', category],
    ['a.developer_id =', developerId],
    ['a.price >=', lowestPrice],
    ['a.price <=', highestPrice],
  ] as const;
  const given = all.flatMap(([comparison, value]) => (value === undefined ? [] : [{ comparison, value }]));
  return {
    conditions: given.map(({ comparison }, index) => `${comparison} $${firstPlace + index}`),
    values: given.map(({ value }) => value),
  };
}

function hasFilter(query: SearchQuery): boolean {
  return filterOf(query, 1).conditions.length > 0;
}
