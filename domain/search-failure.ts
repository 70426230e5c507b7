import { DomainError } from './errors.js';

/** Why a store cannot answer a search, by the code of the error. */
export const SEARCH_FAILURES = {
  'search-off': 'searching by words is switched off',
  'search-incomplete': 'the search index is being built; try again later',
  'search-too-slow': 'the search took too long; ask for more words, or for longer ones',
} as const;

export type SearchFailureCode = keyof typeof SEARCH_FAILURES;

/** Returns the error with which a store rejects a search that it cannot answer. */
export function searchFailure(code: SearchFailureCode, options?: ErrorOptions): DomainError {
  return new DomainError('unavailable', code, SEARCH_FAILURES[code], [], options);
}
