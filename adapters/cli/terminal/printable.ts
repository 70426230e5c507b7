/** Characters that control a terminal, break a line or change its direction, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** Returns the text with each such character escaped, as in `\u001b`. A JSON text keeps its meaning. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
