import { printable } from './printable.js';

const WIDE = /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /\p{M}|\p{Cf}/u;

/**
 * Returns rows as lines with aligned columns, two spaces apart. Control characters in cells are escaped.
 * For a table that comes in parts, `widths` holds the widths of the columns so far, and is updated.
 */
export function aligned(rows: readonly (readonly string[])[], widths: number[] = []): readonly string[] {
  const cells = rows.map((row) => row.map(printable));
  for (const row of cells)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Yields the lines of a table that comes in parts. */
export async function* alignedParts<Item>(
  headings: readonly string[],
  parts: AsyncIterable<readonly Item[]>,
  cellsOf: (item: Item) => readonly string[],
): AsyncGenerator<string> {
  const widths: number[] = [];
  let first = [headings];
  for await (const part of parts) {
    yield* aligned([...first, ...part.map(cellsOf)], widths);
    first = [];
  }
}

/** Returns a time to the minute for a table, or a hyphen. */
export function minuteOf(time: Date | undefined): string {
  return time === undefined ? '-' : `${time.toISOString().slice(0, 16)}Z`;
}

/** Returns the terminal columns that a text takes, approximately: terminals differ. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
