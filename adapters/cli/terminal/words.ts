const WORDS: Readonly<Record<string, string>> = { categoryId: 'category', q: 'search' };

/** Returns the name of a field for people, which is also that of its option. */
export function wordOf(field: string): string {
  return WORDS[field] ?? field;
}
