/** What is checked of an access token, by whichever server it was issued. */
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { SCOPES, type Scope } from '../../domain/scope.js';

export const MAX_TOKEN_LENGTH = 16 * 1024;

/** A token that breaks one of our rules. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken';

  constructor(
    readonly claim: string | undefined,
    reason: string,
  ) {
    super(reason);
  }
}

/** Returns whether the type says that it is an access token (RFC 9068). */
export function isDeclared({ typ }: JWTHeaderParameters): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === 'at+jwt';
}

/**
 * Checks that it is a bearer token (RFC 6750) for access. In place of `at+jwt`, issuers send the type `JWT` (Keycloak,
 * Auth0, Entra ID, Authentik, Zitadel) or none (Okta), as they also do for their other tokens. One with `cnf` is only
 * for the client that proves its key (RFC 8705, RFC 9449). @throws RefusedToken
 */
export function checkAccessToken(header: JWTHeaderParameters, payload: JWTPayload): void {
  if (payload['cnf'] !== undefined)
    throw new RefusedToken('cnf', 'is bound to a key of its client, and was sent as a bearer token');
  if (isDeclared(header)) return;
  const { typ } = header;
  if (typ !== undefined && !(typeof typ === 'string' && /^(?:application\/)?jwt$/i.test(typ)))
    throw new RefusedToken('typ', 'is not that of an access token');
  const other = claimOfOtherToken(payload);
  if (other !== undefined) throw new RefusedToken(other, 'belongs to another kind of token');
}

/**
 * Returns the claim that shows an ID token (`at_hash`, `c_hash`, or a `nonce` and no scope: Authentik copies the nonce
 * into its access tokens), a logout token (`events`), or what Keycloak calls other than `Bearer`.
 */
function claimOfOtherToken(payload: JWTPayload): string | undefined {
  const has = (name: string) => payload[name] !== undefined;
  if (has('nonce') && !has('scope') && !has('scp')) return 'nonce';
  if (has('typ') && payload['typ'] !== 'Bearer') return 'typ';
  return ['at_hash', 'c_hash', 'events'].find(has);
}

/** Returns the scopes that these claims grant, as far as the marketplace knows them. */
export function scopesIn(claims: readonly unknown[]): readonly Scope[] {
  const granted = claims.flatMap(listOf);
  return SCOPES.filter((known) => granted.includes(known));
}

/** Returns the scopes of a claim, which is a text (RFC 9068, Entra ID) or a list (Okta, roles, permissions). */
function listOf(claim: unknown): readonly unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}
