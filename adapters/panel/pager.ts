import type { CursorPage, CursorRequest } from '../../application/index.js';
import { countText } from '../web/views/locales.js';
import { TEXTS } from './texts/texts.js';

/** The position of a page in a long list, as its address has it. */
export interface Position extends CursorRequest {
  /** The `before` of the pages that led here, nearest last. */
  readonly trail: readonly string[];
}

/** The addresses of the pages next to a page. */
export interface PagerLinks {
  readonly newer?: string;
  readonly older?: string;
}

const MAX_TRAIL = 20;
/** In characters, so that an address stays short enough for every server. */
const MAX_TRAIL_LENGTH = 1_000;
/** An id, or one in base64url. */
const CURSOR = /^[\w-]{1,2000}$/;

export function positionIn(query: URLSearchParams): Position {
  const before = query.get('before') ?? '';
  const trail = (query.get('trail') ?? '').split('.').filter((cursor) => CURSOR.test(cursor));
  return { ...(CURSOR.test(before) && { before }), trail: trail.slice(-MAX_TRAIL) };
}

/**
 * Returns the addresses of the next and the previous page. A list knows the items after an item, but not those before
 * it. So the address keeps the way back. A way of more than 20 pages, or a very long one,
 * leads back to the start.
 */
export function pagerLinks(list: string, { before, trail }: Position, { next }: CursorPage<unknown>): PagerLinks {
  const [last, rest] = [trail.at(-1), trail.slice(0, -1)];
  return {
    ...(before !== undefined && { newer: last === undefined ? list : addressOf(list, last, rest) }),
    ...(next !== undefined && { older: addressOf(list, next, before === undefined ? trail : [...trail, before]) }),
  };
}

/** Returns the number of the page that a query asks for; 1 for one that is missing or wrong. */
export function pageNumberIn(query: URLSearchParams): number {
  return Number(/^[1-9]\d{0,6}$/.exec(query.get('page') ?? '')?.[0] ?? '1');
}

/** A list whose pages have numbers. */
interface NumberedList {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly addressOfPage: (page: number) => string;
}

/** Returns which items of the list a page shows, and the addresses of the next and the previous page. */
export function numberedPages({ page, size, total, addressOfPage }: NumberedList) {
  const [before, last] = [(page - 1) * size, Math.max(1, Math.ceil(total / size))];
  const end = Math.min(before + size, total);
  const pages: PagerLinks = {
    ...(page > 1 && { newer: addressOfPage(Math.min(page - 1, last)) }),
    ...(page < last && { older: addressOfPage(page + 1) }),
  };
  return { range: before < end ? TEXTS.range(countText(before + 1), countText(end), countText(total)) : '', pages };
}

/** Returns an address with the fields that are not empty. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
  return query === '' ? address : `${address}?${query}`;
}

function addressOf(list: string, before: string, trail: readonly string[]): string {
  const kept = trail.slice(-MAX_TRAIL);
  while (kept.join('.').length > MAX_TRAIL_LENGTH) kept.shift();
  const way = kept.join('.');
  return `${list}${list.includes('?') ? '&' : '?'}before=${before}${way === '' ? '' : `&trail=${way}`}`;
}
