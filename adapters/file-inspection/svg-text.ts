const MAX_CHARACTERS = 200;

/** Breaks a text between words into lines of at most this width; what does not fit is left out. */
export function linesOf(text: string, width: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.slice(0, MAX_CHARACTERS).split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, maxLines).map((line) => cut(line, width));
  return lines.length > maxLines ? [...shown.slice(0, -1), cut(`${shown.at(-1)}…`, width)] : shown;
}

/** Returns a text as it may stand in XML, within an attribute as well. */
export function escaped(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
  return shown.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function cut(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let shown = '';
  for (const char of line) {
    if (widthOf(`${shown}${char}…`) > width) break;
    shown += char;
  }
  return `${shown}…`;
}

/** A character of Chinese or Japanese, or an emoji, is as wide as two letters. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (char > '\u2E80' ? 2 : 1), 0);
}
