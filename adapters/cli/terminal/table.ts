import { printable } from './printable.js';

const WIDE = /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /\p{M}|\p{Cf}/u;
const GAP = '  ';

/** A column of a table. */
export interface Column<Item> {
  readonly heading: string;
  readonly cell: (item: Item) => string;
  /** The width down to which its texts are cut where the table is wider than the terminal. */
  readonly cutTo?: number;
  /** Where that is not enough, columns with such a number are left out; 1 goes first. */
  readonly leaveOut?: number;
}

/** Yields the lines of a table that comes in parts. It has at most `maxWidth` columns of the terminal, if it can. */
export async function* tableLines<Item>(
  columns: readonly Column<Item>[],
  parts: AsyncIterable<readonly Item[]>,
  maxWidth: number,
): AsyncGenerator<string> {
  const full = columns.map(() => 0);
  let shown: readonly number[] = [];
  for await (const part of parts) {
    const cells = part.map((item) => columns.map(({ cell }) => printable(cell(item))));
    const rows = shown.length > 0 ? cells : [columns.map(({ heading }) => heading), ...cells];
    grow(full, rows);
    if (shown.length === 0) shown = fitting(columns, full, maxWidth);
    const widths = widthsOf(shown, columns, full, maxWidth);
    yield* rows.map((row) =>
      lineOf(
        shown.map((index) => row[index] ?? ''),
        widths,
      ),
    );
  }
}

/** Returns rows as lines with aligned columns. Control characters in cells are escaped. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  grow(widths, cells);
  return cells.map((row) => lineOf(row, widths));
}

/** Returns a time to the minute for a table, or a hyphen. */
export function minuteOf(time: Date | undefined): string {
  return time === undefined ? '-' : `${time.toISOString().slice(0, 16)}Z`;
}

function grow(widths: number[], rows: readonly (readonly string[])[]): void {
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
}

/** Returns the positions of the columns that fit when every text is cut as far as it may be. */
function fitting<Item>(columns: readonly Column<Item>[], full: readonly number[], maxWidth: number): number[] {
  const order = columns.map(({ leaveOut = Infinity }) => leaveOut);
  let shown = columns.map((_, index) => index);
  for (const next of order.filter(Number.isFinite).sort((a, b) => a - b)) {
    if (totalOf(shown.map((index) => least(columns[index], full[index]))) <= maxWidth) break;
    shown = shown.filter((index) => order[index] !== next);
  }
  return shown;
}

/** Gives the columns that may be cut what the others leave, one after the other. */
function widthsOf<Item>(
  shown: readonly number[],
  columns: readonly Column<Item>[],
  full: readonly number[],
  maxWidth: number,
): readonly number[] {
  const widths = shown.map((index) => least(columns[index], full[index]));
  let left = Math.max(0, maxWidth - totalOf(widths));
  return widths.map((width, position) => {
    const more = Math.min(left, (full[shown[position] ?? 0] ?? 0) - width);
    left -= more;
    return width + more;
  });
}

function least<Item>(column: Column<Item> | undefined, width = 0): number {
  return Math.min(width, column?.cutTo ?? Infinity);
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => padded(cell, widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** Returns the text with exactly this width, cut with an ellipsis if it has more. */
function padded(text: string, width: number): string {
  const rest = width - widthOf(text);
  if (rest >= 0) return text + ' '.repeat(rest);
  let cut = '';
  for (const character of text) {
    if (widthOf(cut + character) >= width) break;
    cut += character;
  }
  return padded(`${cut}…`, width);
}

/** Returns the terminal columns that a text takes, approximately: terminals differ. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
