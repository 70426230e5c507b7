import type { AutomationList, ListRequest } from '../../application/marketplace.js';

/** The header Link (RFC 8288): the first, previous, next and last page as far as they exist, with the same filters. */
export function pageLinks(url: string, query: ListRequest, { total, page }: AutomationList): string {
  const last = Math.max(1, Math.ceil(total / page.limit));
  const link = (rel: string, number: number) => `<${url}?${parameters(query, number)}>; rel="${rel}"`;
  return [
    link('first', 1),
    ...(page.number > 1 ? [link('prev', Math.min(page.number - 1, last))] : []),
    ...(page.number < last ? [link('next', page.number + 1)] : []),
    link('last', last),
  ].join(', ');
}

function parameters({ category, limit }: ListRequest, page: number): string {
  const filter = category === undefined ? '' : `category=${encodeURIComponent(category)}&`;
  return `${filter}${limit === undefined ? '' : `limit=${limit}&`}page=${page}`;
}
