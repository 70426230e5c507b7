import type { FieldError } from '../../../domain/errors.js';

const WORDS: Readonly<Record<string, string>> = { categoryId: 'category', q: 'search' };

/** Returns the name of a field for people, which is also that of its option. */
export function wordOf(field: string): string {
  return WORDS[field] ?? field;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export const NO_SUCH_CATEGORY = 'must be the id of a category; `categories export` lists them';

/** Returns what is allowed for a field, as it is said on the command line. */
export function detailOf({ field, code, detail }: FieldError): string {
  return field === 'categoryId' && code === 'unknown-value' ? NO_SUCH_CATEGORY : detail;
}
