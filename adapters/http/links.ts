import type { AutomationList, ListRequest } from '../../application/marketplace.js';
import { SLUG_MAX_LENGTH } from '../../domain/slug.js';

/**
 * The header Link (RFC 8288): the first, previous, next and last page as far as they exist, with the same filters. None for what is too long
 * for a category: a link to an empty list is worth no headers that clients refuse.
 */
export function pageLinks(url: string, query: ListRequest, { total, page }: AutomationList): { readonly Link?: string } {
  if (query.category !== undefined && query.category.length > SLUG_MAX_LENGTH) return {};
  const last = Math.max(1, Math.ceil(total / page.limit));
  const link = (rel: string, number: number) => `<${url}?${parameters(query, number)}>; rel="${rel}"`;
  const links = [
    link('first', 1),
    ...(page.number > 1 ? [link('prev', Math.min(page.number - 1, last))] : []),
    ...(page.number < last ? [link('next', page.number + 1)] : []),
    link('last', last),
  ];
  return { Link: links.join(', ') };
}

function parameters({ category, limit }: ListRequest, page: number): string {
  const filter = category === undefined ? '' : `category=${encodeURIComponent(category)}&`;
  return `${filter}${limit === undefined ? '' : `limit=${limit}&`}page=${page}`;
}
