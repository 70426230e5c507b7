/** What can command a terminal, break a line, turn its direction or is no character: controls, separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** The text with every such character written as `\u001b` is; a JSON text stays JSON and means the same. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
