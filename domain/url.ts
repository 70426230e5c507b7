/**
 * Returns the URL that a text is; undefined for any other text. `URL.canParse` would refuse letters such as ë after
 * some thousand calls, in Node 20 and 22.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
