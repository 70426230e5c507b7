import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { SCOPES } from '../../domain/scope.js';
import { scopeOf } from './clients.js';

/** With the rest of a record it is at most 2 KB. */
const MAX_BYTES = 1_300;

/** What no part of the server reads once the request was checked: each person is asked, on pages in one language. */
const UNUSED = ['acr_values', 'claims_locales', 'display', 'id_token_hint', 'login_hint', 'ui_locales'];

const KNOWN_SCOPES = scopeOf(SCOPES).split(' ');

/**
 * Drops the parameters and the scopes that nothing uses later, and refuses others that are too long: the request is
 * stored until a person answers, and everyone can send one.
 */
export function limitStored({ params = {} }: KoaContextWithOIDC['oidc']): void {
  for (const name of UNUSED) params[name] = undefined;
  const { scope } = params;
  if (typeof scope === 'string') params['scope'] = knownIn(scope).join(' ');
  const size = Buffer.byteLength(JSON.stringify(params));
  if (size > MAX_BYTES)
    throw new errors.InvalidRequest(
      `the parameters have ${size} bytes as JSON, and at most ${MAX_BYTES} are kept: shorten them, such as state`,
    );
}

function knownIn(scope: string): readonly string[] {
  return Array.from(new Set(scope.split(' '))).filter((one) => KNOWN_SCOPES.includes(one));
}
