import type { AutomationList, ListRequest } from '../../application/list-request.js';

/**
 * Many clients accept 16 KiB of headers in total, and a filter of 8 KiB, which no category has, would be in each link.
 */
const MAX_LENGTH = 8 * 1024;

/**
 * Returns the header Link (RFC 8288): the first, previous, next and last page as far as they exist, with the same
 * filters; with `after`, the next one when this one is full. Undefined when there is none, and when it would be too
 * long to be read.
 */
export function pageLinks(url: string, query: ListRequest, list: AutomationList): string | undefined {
  const links = query.after === undefined ? numberedLinks(url, query, list) : nextLink(url, query, list);
  return links !== undefined && links.length <= MAX_LENGTH ? links : undefined;
}

function nextLink(url: string, query: ListRequest, { items, page }: AutomationList): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < page.limit) return undefined;
  return `<${url}?${filters(query)}after=${last.id}>; rel="next"`;
}

function numberedLinks(url: string, query: ListRequest, { total, page }: AutomationList): string {
  const last = Math.max(1, Math.ceil(total / page.limit));
  const start = `<${url}?${filters(query)}page=`;
  const link = (rel: string, number: number) => `${start}${number}>; rel="${rel}"`;
  return [
    link('first', 1),
    ...(page.number > 1 ? [link('prev', Math.min(page.number - 1, last))] : []),
    ...(page.number < last ? [link('next', page.number + 1)] : []),
    link('last', last),
  ].join(', ');
}

function filters({ category, platform, q, sort, priceMin, priceMax, limit }: ListRequest): string {
  return (
    filter('category', category) +
    filter('platform', platform) +
    filter('q', q) +
    filter('sort', sort) +
    filter('price_min', priceMin) +
    filter('price_max', priceMax) +
    filter('limit', limit)
  );
}

function filter(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `${name}=${encodeURIComponent(value)}&`;
}
