import { expect } from 'chai';
import { DomainError } from '../../../domain/errors.js';
import { SEARCH_FAILURES, searchFailure, type SearchFailureCode } from '../../../domain/search-failure.js';

describe('a search that a store cannot answer', () => {
  for (const [code, message] of Object.entries(SEARCH_FAILURES))
    it(`fails as unavailable: ${code}`, () => {
      const cause = new Error('of the driver');
      const failure = searchFailure(code as SearchFailureCode, { cause });
      expect(failure).to.be.instanceOf(DomainError);
      expect(failure).to.include({ kind: 'unavailable', code, message, cause });
    });
});
