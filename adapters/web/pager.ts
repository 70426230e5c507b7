import type { CursorPage, CursorRequest } from '../../application/index.js';
import { countText } from './views/locales.js';
import { COMMON_TEXTS } from './views/texts.js';

/** The addresses of the pages next to a page. */
export interface NextPages {
  readonly previous?: string;
  readonly next?: string;
}

/** The position of a page in a list without numbers, as its address has it. */
export interface Position extends CursorRequest {
  /** The `before` of the pages that led here, nearest last. */
  readonly trail: readonly string[];
}

const MAX_TRAIL = 20;
/** In characters, so that an address stays short enough for every server. */
const MAX_TRAIL_LENGTH = 1_000;
const CURSOR = /^[\w-]{1,100}$/;

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
export function cursorPages(list: string, { before, trail }: Position, { next }: CursorPage<unknown>): NextPages {
  const [last, rest] = [trail.at(-1), trail.slice(0, -1)];
  return {
    ...(before !== undefined && { previous: last === undefined ? list : addressOf(list, last, rest) }),
    ...(next !== undefined && { next: addressOf(list, next, before === undefined ? trail : [...trail, before]) }),
  };
}

function addressOf(list: string, before: string, trail: readonly string[]): string {
  const kept = trail.slice(-MAX_TRAIL);
  while (kept.join('.').length > MAX_TRAIL_LENGTH) kept.shift();
  const way = kept.join('.');
  return `${list}${list.includes('?') ? '&' : '?'}before=${before}${way === '' ? '' : `&trail=${way}`}`;
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

interface PageLink {
  readonly number: number;
  readonly address: string;
  readonly isShown: boolean;
}

/** The place of a page in a list. */
interface NumberedPages extends NextPages {
  /** Such as `1–24 of 312`; empty on a page past the end. */
  readonly range: string;
  /** The numbers of pages, undefined for a gap; none when there is one page. */
  readonly numbers: readonly (PageLink | undefined)[];
  /** On a page past the end. */
  readonly last?: string;
}

/** Returns which items of the list a page shows, and the links to the other pages. */
export function numberedPages({ page, size, total, addressOfPage }: NumberedList): NumberedPages {
  const last = Math.max(1, Math.ceil(total / size));
  const [before, end] = [(page - 1) * size, Math.min(total, page * size)];
  const linkOf = (number: number): PageLink => ({ number, address: addressOfPage(number), isShown: number === page });
  return {
    range: before < end ? COMMON_TEXTS.range(countText(before + 1), countText(end), countText(total)) : '',
    numbers: last === 1 ? [] : pageNumbers(page, last).map((one) => (one === undefined ? undefined : linkOf(one))),
    ...(page > 1 && { previous: addressOfPage(Math.min(page - 1, last)) }),
    ...(page < last && { next: addressOfPage(page + 1) }),
    ...(page > last && { last: addressOfPage(last) }),
  };
}

/** The pages next to the shown one that are always in the row. */
const NEIGHBOURS = 1;

/**
 * Returns the numbers that lead through a list: the first, the last, and those around the page that was asked for;
 * undefined for a gap.
 */
export function pageNumbers(asked: number, last: number): readonly (number | undefined)[] {
  const shown = Math.min(asked, last);
  const [from, to] = [Math.max(2, shown - NEIGHBOURS), Math.min(last - 1, shown + NEIGHBOURS)];
  const inner = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return [
    1,
    ...(from === 3 ? [2] : from > 3 ? [undefined] : []),
    ...inner,
    ...(to === last - 2 ? [last - 1] : to < last - 2 ? [undefined] : []),
    ...(last > 1 ? [last] : []),
  ];
}

/** Returns an address with the fields that are not empty. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
  return query === '' ? address : `${address}?${query}`;
}
