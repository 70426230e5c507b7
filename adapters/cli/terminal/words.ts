/** Returns the name of a field for people, which is also that of its option. */
export function wordOf(field: string): string {
  return field === 'categoryId' ? 'category' : field;
}
