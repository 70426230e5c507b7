import { printable } from './printable.js';

const WIDE = /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\uFF01-\uFF60]/u;
const WITHOUT_WIDTH = /\p{M}|\p{Cf}/u;

/**
 * Rows as lines whose columns stand below each other, two spaces apart. Line feeds and controls in a cell are escaped. Rows of a table
 * that comes piece by piece are told, and add to, the widths of the columns so far.
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

/** How many columns of a terminal a text takes, near enough: few terminals agree on the rest. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
