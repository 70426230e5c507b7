import { parseDeveloperId } from '../domain/access.js';
import { checkKeyName, expiryOf, type ApiKey } from '../domain/api-key.js';
import { DomainError, Violations } from '../domain/errors.js';
import { requireOptions } from '../domain/options.js';
import { boundedScopes, scopesOfRole, type Role } from '../domain/role.js';
import { KEY_SCOPES, parseScopes, type Scope } from '../domain/scope.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_OVERLAP_MS = 365 * DAY_MS;
/** How long a key works along with its successor by default. */
export const DEFAULT_OVERLAP_MS = DAY_MS;

/** The properties of a new key. */
export interface KeyRequest {
  /** The id of its owner. */
  readonly developer: string;
  /** 1 to 100 characters, for its owner; `API key` by default. */
  readonly name?: string | undefined;
  /** Those of the owner's role by default. */
  readonly scopes?: readonly string[] | undefined;
  /** The lifetime in milliseconds; unlimited by default. */
  readonly lifetime?: number | undefined;
}

/** A request that keeps the rules. Without scopes it asks for those of the owner's role. */
type RequestedKey = Pick<ApiKey, 'developerId' | 'name'> & {
  readonly scopes: readonly Scope[] | undefined;
  readonly lifetime: number | undefined;
};

/**
 * Checks whose key it will be, and what it will allow.
 * @throws DomainError `invalid` that lists every rule the request breaks.
 */
export function parseKeyRequest(request: KeyRequest, at: Date): RequestedKey {
  requireOptions('keys.issue', request, { developer: true, name: true, scopes: true, lifetime: true });
  const { developer, name = 'API key', scopes, lifetime } = request;
  const violations = new Violations();
  const owner = {
    name: checkKeyName(name, violations.field('name')),
    developerId: violations.collect(() => parseDeveloperId(developer)),
    scopes: scopes && violations.collect(() => parseScopes(scopes, KEY_SCOPES)),
    lifetime,
  };
  violations.collect(() => expiryOf(lifetime, at));
  violations.throwIfAny('the key');
  return owner as RequestedKey;
}

/**
 * Returns the scopes of a key whose owner has this role.
 * @throws DomainError `invalid` for a scope that the role does not allow.
 */
export function allowedScopes(scopes: readonly Scope[] | undefined, role: Role): readonly Scope[] {
  const allowed = scopesOfRole(role);
  if (scopes === undefined) return allowed;
  if (boundedScopes(scopes, role) === scopes) return scopes;
  const detail = `must be among those of a ${role}: ${allowed.join(', ')}`;
  throw new DomainError('invalid', 'scopes', `scopes ${detail}`, [{ field: 'scopes', code: 'unknown-value', detail }]);
}

/** @throws DomainError `invalid` unless the old key may work for this number of milliseconds after a rotation. */
export function checkOverlap(overlapMs: number): void {
  if (overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS) return;
  const detail = 'must be from 0 to 365 days';
  throw new DomainError('invalid', 'key-overlap', `the overlap ${detail}`, [
    { field: 'overlap', code: 'out-of-range', detail },
  ]);
}
