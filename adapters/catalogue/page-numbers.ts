/** A link in the row of page numbers; undefined for a gap. */
export type PageNumber = number | undefined;

/** The pages next to the shown one that are always in the row. */
const NEIGHBOURS = 1;

/** Returns the numbers that lead through a list: the first, the last, and those around the page that was asked for. */
export function pageNumbers(asked: number, last: number): readonly PageNumber[] {
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
