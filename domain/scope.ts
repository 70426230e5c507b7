import { DomainError } from './errors.js';

/** The rights that a credential can have: to read what is on sale, and to put automations on sale. */
export const SCOPES = ['automations:read', 'automations:write'] as const;
/**
 * The right of a key that many people see, since it stands in an address: to read libraries of templates and the files
 * in them. No key has it by default, and no app can ask for it.
 */
export const LIBRARY_SCOPE = 'library:read';
/** The rights that a key can have. */
export const KEY_SCOPES = [...SCOPES, LIBRARY_SCOPE] as const;
/** One right. */
export type Scope = (typeof KEY_SCOPES)[number];

/** @throws DomainError `invalid` that names the scopes there are: those of an app, or of another credential. */
export function parseScopes(values: readonly string[], allowed: readonly Scope[] = SCOPES): readonly Scope[] {
  const known = Array.isArray(values) ? allowed.filter((scope) => values.includes(scope)) : [];
  if (Array.isArray(values) && values.length > 0 && values.every((value) => known.some((scope) => scope === value)))
    return Object.freeze(known);
  const detail = `must be one or more of ${allowed.join(', ')}`;
  throw new DomainError('invalid', 'scopes', `scopes ${detail}`, [{ field: 'scopes', code: 'unknown-value', detail }]);
}
