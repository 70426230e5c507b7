import type { AutomationList, ListRequest } from '../../application/marketplace.js';

/** In characters. Many clients take 16 KiB of headers in all, and a filter of 8 KiB, which no category has, would be in each link. */
const LONGEST = 8 * 1024;

/** The header Link (RFC 8288): the first, previous, next and last page as far as they exist, with the same filters. Undefined where it would be too long to be read. */
export function pageLinks(url: string, query: ListRequest, { total, page }: AutomationList): string | undefined {
  const last = Math.max(1, Math.ceil(total / page.limit));
  const link = (rel: string, number: number) => `<${url}?${parameters(query, number)}>; rel="${rel}"`;
  const links = [
    link('first', 1),
    ...(page.number > 1 ? [link('prev', Math.min(page.number - 1, last))] : []),
    ...(page.number < last ? [link('next', page.number + 1)] : []),
    link('last', last),
  ].join(', ');
  return links.length <= LONGEST ? links : undefined;
}

function parameters({ category, limit }: ListRequest, page: number): string {
  const filter = category === undefined ? '' : `category=${encodeURIComponent(category)}&`;
  return `${filter}${limit === undefined ? '' : `limit=${limit}&`}page=${page}`;
}
