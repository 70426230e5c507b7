import type { Document } from 'mongodb';
import type { SearchQuery } from '../../domain/ports.js';
import { AUTOMATIONS } from './collections.js';
import { conditionsOf } from './words.js';

const ORDERS = { newest: { seq: -1 }, price: { price: 1, seq: -1 }, '-price': { price: -1, seq: 1 } } as const;

const STATUSES: Readonly<Record<NonNullable<SearchQuery['status']>, Document>> = {
  'on-sale': { on_sale: true },
  withdrawn: { on_sale: { $exists: false } },
};
/** With a condition on `on_sale`, so that the indexes in which it comes first are of use. */
const ANY_STATUS = { on_sale: { $in: [true, null] } };

/** Returns the filter of what matches. */
export function filterOf(query: SearchQuery): Document {
  const { terms, category, developerId, status, order, lowestPrice, highestPrice } = query;
  const isByPrice = lowestPrice !== undefined || order === 'price' || order === '-price';
  const price = {
    ...(isByPrice && { $gte: lowestPrice ?? 0 }),
    ...(highestPrice !== undefined && { $lte: highestPrice }),
  };
  return {
    ...(status === undefined ? ANY_STATUS : STATUSES[status]),
    ...(category !== undefined && { category_id: category }),
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(Object.keys(price).length > 0 && { price }),
    ...(terms !== undefined && { $and: conditionsOf(terms, 'all') }),
  };
}

/** Returns the pipeline that counts what matches: as one number, or for each category. */
export function countPipeline({ category, ...query }: SearchQuery): readonly Document[] {
  if (query.countCategories === true)
    return [{ $match: filterOf(query) }, { $group: { _id: '$category_id', count: { $sum: 1 } } }];
  return [{ $match: filterOf({ ...query, ...(category !== undefined && { category }) }) }, { $count: 'count' }];
}

/** Returns the pipeline that finds the numbers of the automations on the page. */
export function pagePipeline(query: SearchQuery): readonly Document[] {
  const { limit, number } = query.page;
  const skip = (number - 1) * limit;
  const filter = filterOf(query);
  return [...ordered(query, filter, skip + limit), { $skip: skip }];
}

/** Finds the first in the order. No more than these pass on, so that none after them is read. */
function ordered({ order, terms }: SearchQuery, filter: Document, count: number): readonly Document[] {
  if (order !== 'best') return sorted(filter, order, count);
  const inTitle = terms === undefined ? [] : conditionsOf(terms, 'title');
  const all = filter['$and'] as readonly Document[] | undefined;
  const others = sorted({ ...filter, $nor: [{ $and: inTitle }] }, 'newest', count);
  return [
    ...sorted({ ...filter, $and: [...(all ?? []), ...inTitle] }, 'newest', count),
    { $unionWith: { coll: AUTOMATIONS, pipeline: others } },
    { $limit: count },
  ];
}

function sorted(filter: Document, order: keyof typeof ORDERS, count: number): readonly Document[] {
  return [{ $match: filter }, { $sort: ORDERS[order] }, { $limit: count }, { $project: { _id: 0, seq: 1 } }];
}
