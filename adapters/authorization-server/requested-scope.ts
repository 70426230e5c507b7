import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { SCOPES } from '../../domain/scope.js';

/** What clients of OpenID Connect ask for by themselves (Core 1.0, sections 5.4 and 11): they are no rights. */
const OPENID_SCOPES: readonly string[] = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];

/**
 * Has a request without a right of the marketplace ask for reading alone, and one of a machine, which has no person,
 * for all of its own (RFC 6749, section 3.3). Refuses a scope with nothing in it that is known.
 */
export function requireScope({ params = {} }: KoaContextWithOIDC['oidc'], ofMachine?: string): void {
  const { scope = '' } = params as { readonly scope?: string };
  const asked = scope.split(' ').filter(Boolean);
  const rights = asked.filter((one) => !OPENID_SCOPES.includes(one));
  if (rights.length > 0 && !SCOPES.some((known) => rights.includes(known)))
    throw new errors.InvalidScope('unknown scope', scope);
  const ofPerson = ofMachine === undefined ? asked.filter((one) => OPENID_SCOPES.includes(one)) : [];
  const used = rights.length > 0 ? rights : [ofMachine ?? 'automations:read'];
  params['scope'] = [...ofPerson, ...used].join(' ');
}
