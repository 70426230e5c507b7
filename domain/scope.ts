import { DomainError } from './errors.js';

/** The rights that a credential can have. */
export const SCOPES = ['automations:read', 'automations:write'] as const;
/** One right: to read what is on sale, or to put automations on sale. */
export type Scope = (typeof SCOPES)[number];

/** @throws DomainError `invalid` that names the scopes there are. */
export function parseScopes(values: readonly string[]): readonly Scope[] {
  const known = Array.isArray(values) ? SCOPES.filter((scope) => values.includes(scope)) : [];
  if (Array.isArray(values) && values.length > 0 && values.every((value) => known.some((scope) => scope === value)))
    return Object.freeze(known);
  const detail = `must be one or more of ${SCOPES.join(', ')}`;
  throw new DomainError('invalid', 'scopes', `scopes ${detail}`, [{ field: 'scopes', code: 'unknown-value', detail }]);
}
