import { DomainError } from './errors.js';

/**
 * Why a search fails: the store keeps no index of words, the index is not complete, the search takes too long, or too
 * many wait before it.
 */
export type SearchFailureCode = 'search-off' | 'search-incomplete' | 'search-too-slow' | 'too-many-searches';

/** The same in words. */
export const SEARCH_FAILURES: Readonly<Record<SearchFailureCode, string>> = {
  'search-off': 'searching by words is switched off',
  'search-incomplete': 'the search index is being built; try again later',
  'search-too-slow': 'the search took too long; ask for more words, or for longer ones',
  'too-many-searches': 'too many searches at the moment; try again in a few seconds',
};

/** Returns the error of a search that fails. */
export function searchFailure(code: SearchFailureCode, options?: ErrorOptions): DomainError {
  return new DomainError('unavailable', code, SEARCH_FAILURES[code], [], options);
}

/** Returns why a search failed; undefined for any other error. */
export function searchFailureIn(error: unknown): SearchFailureCode | undefined {
  if (!(error instanceof DomainError) || !Object.hasOwn(SEARCH_FAILURES, error.code)) return undefined;
  return error.code as SearchFailureCode;
}
