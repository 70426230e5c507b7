import { countText } from '../web/views/locales.js';
import { PAGE_SIZE } from './list-state.js';
import { TEXTS } from './texts.js';

/** The pages next to the shown one that are always in the row. */
const NEIGHBOURS = 1;

interface PageLink {
  readonly number: number;
  readonly address: string;
  readonly isShown: boolean;
}

/** The place of a page in a list. */
interface Pages {
  /** Such as `1–24 of 312`; empty on a page past the end. */
  readonly range: string;
  /** The numbers of pages, undefined for a gap; none when there is one page. */
  readonly numbers: readonly (PageLink | undefined)[];
  readonly previous?: string;
  readonly next?: string;
  /** On a page past the end. */
  readonly last?: string;
}

export function pagesOf(shown: number, total: number, addressOf: (page: number) => string): { readonly pages: Pages } {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const first = (shown - 1) * PAGE_SIZE + 1;
  const end = Math.min(total, first + PAGE_SIZE - 1);
  const linkOf = (number: number): PageLink => ({ number, address: addressOf(number), isShown: number === shown });
  const pages = {
    range: first > total ? '' : TEXTS.range(countText(first), countText(end), countText(total)),
    numbers: last === 1 ? [] : pageNumbers(shown, last).map((one) => (one === undefined ? undefined : linkOf(one))),
    ...(shown > 1 && shown <= last && { previous: addressOf(shown - 1) }),
    ...(shown < last && { next: addressOf(shown + 1) }),
    ...(shown > last && { last: addressOf(last) }),
  };
  return { pages };
}

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
