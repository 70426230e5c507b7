import { expect } from 'chai';
import { DomainError, isDomainError } from '../../../domain/errors.js';

/** A class of a host, which has the same name by chance, and a kind and a code of its own. */
class HostError extends Error {
  override readonly name = 'DomainError';
  readonly kind = 'billing';
  readonly code = 'card-declined';
}

describe('An error of the core', () => {
  it('is recognised, also when it is made by a class of a host that extends DomainError', () => {
    class Extended extends DomainError {}
    for (const Class of [DomainError, Extended]) {
      const error = new Class('conflict', 'duplicate-id', 'an automation has this id already');
      expect([isDomainError(error), error instanceof DomainError]).to.deep.equal([true, true]);
    }
  });

  it('is not taken for one when it is of a host whose own class is named DomainError', () => {
    for (const value of [new HostError(), { name: 'DomainError', kind: 'conflict', code: 'x' }, undefined, null, 'x'])
      expect([isDomainError(value), value instanceof DomainError]).to.deep.equal([false, false]);
  });

  it('shows no mark among its members', () => {
    const error = new DomainError('conflict', 'duplicate-id', 'an automation has this id already');
    expect(Reflect.ownKeys(error).sort()).to.deep.equal(['code', 'fields', 'kind', 'message', 'name', 'stack']);
  });
});
