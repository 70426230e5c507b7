import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { agentAddress, checkAppName, type App } from '../../domain/app.js';
import { Violations } from '../../domain/errors.js';
import type { Scope } from '../../domain/scope.js';

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** How clients authenticate, wherever they do. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** What each kind of app is as a client (RFC 7591, section 2). */
const OF_KIND = {
  web: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], application_type: 'web' },
  native: {
    grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
    response_types: ['code'],
    application_type: 'native',
  },
  machine: { grant_types: ['client_credentials'], response_types: [] },
} as const;

/** Returns the metadata of a client. In place of the secret stands its hash. */
export function metadataOf({ id, name, kind, redirectUris, scopes, secretHash }: App): AdapterPayload {
  const { grant_types: grants, response_types: responses, ...type } = OF_KIND[kind];
  return {
    client_id: id,
    client_name: name,
    redirect_uris: [...redirectUris],
    grant_types: [...grants],
    response_types: [...responses],
    scope: kind === 'machine' ? scopes.join(' ') : scopeOf(scopes),
    token_endpoint_auth_method: secretHash === undefined ? 'none' : 'client_secret_basic',
    ...(secretHash !== undefined && { client_secret: secretHash }),
    ...type,
  };
}

/** Returns what a client may ask for that acts for people. */
export function scopeOf(scopes: readonly Scope[]): string {
  return [...scopes, 'openid', 'offline_access'].join(' ');
}

/** What a client says of itself. */
interface Described {
  readonly clientId: string;
  readonly clientName?: string | undefined;
}

/** Returns the name of a client; of one whose name cannot be shown, the host of its metadata document. */
export function nameOf({ clientId, clientName = '' }: Described, brandName: string): string {
  const violations = new Violations();
  const name = checkAppName(clientName, violations.field('name'), brandName);
  if (violations.fields.length === 0) return name;
  return URL.canParse(clientId) ? new URL(clientId).host : clientId;
}

/** Returns the address of the agent that asks; undefined when it is none. */
export function agentOf({ oidc, query }: KoaContextWithOIDC): string | undefined {
  const { client_id: id = query['client_id'] } = oidc.params ?? {};
  return typeof id === 'string' ? agentAddress(id) : undefined;
}
