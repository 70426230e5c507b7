import { DomainError } from './errors.js';
import { LIBRARY_SCOPE, SCOPES, type Scope } from './scope.js';

/** What the owner of an account may do: read; also sell; also run the marketplace. */
export const ROLES = ['buyer', 'developer', 'operator'] as const;
/** One of these roles. */
export type Role = (typeof ROLES)[number];

/** The role of a new account, of the accounts of earlier stores, and of everyone without an account. */
export const DEFAULT_ROLE: Role = 'developer';

const READ_ONLY: readonly Scope[] = Object.freeze(['automations:read']);

/** Returns the scopes that the keys and sessions of an owner with this role have by default. */
export function scopesOfRole(role: Role): readonly Scope[] {
  if (!ROLES.includes(role)) throw new TypeError(`the role must be one of ${ROLES.join(', ')}`);
  return role === 'buyer' ? READ_ONLY : SCOPES;
}

/**
 * Returns those of the scopes that the role allows: the same list if it allows all of them. Every role may read
 * libraries.
 */
export function boundedScopes(scopes: readonly Scope[], role: Role): readonly Scope[] {
  const ofRole = scopesOfRole(role);
  const isAllowed = (scope: Scope) => scope === LIBRARY_SCOPE || ofRole.includes(scope);
  return scopes.every(isAllowed) ? scopes : scopes.filter(isAllowed);
}

/** @throws DomainError `invalid` that names the roles there are. */
export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  const detail = `must be one of ${ROLES.join(', ')}`;
  throw new DomainError('invalid', 'role', `the role ${detail}`, [{ field: 'role', code: 'unknown-value', detail }]);
}
