import { DomainError } from './errors.js';

/** Why a store cannot answer a search: it keeps no index of words, the index is not complete, or it takes too long. */
export type SearchFailureCode = 'search-off' | 'search-incomplete' | 'search-too-slow';

/** The same in words. */
export const SEARCH_FAILURES: Readonly<Record<SearchFailureCode, string>> = {
  'search-off': 'searching by words is switched off',
  'search-incomplete': 'the search index is being built; try again later',
  'search-too-slow': 'the search took too long; ask for more words, or for longer ones',
};

/** Returns the error with which a store rejects a search that it cannot answer. */
export function searchFailure(code: SearchFailureCode, options?: ErrorOptions): DomainError {
  return new DomainError('unavailable', code, SEARCH_FAILURES[code], [], options);
}

/** Returns why a search failed; undefined for any other error. */
export function searchFailureIn(error: unknown): SearchFailureCode | undefined {
  if (!(error instanceof DomainError) || !Object.hasOwn(SEARCH_FAILURES, error.code)) return undefined;
  return error.code as SearchFailureCode;
}
