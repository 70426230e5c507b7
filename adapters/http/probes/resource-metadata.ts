import { SCOPES } from '../../../domain/scope.js';

/** Whose access tokens are taken, and for what. At least one of the servers is there. */
export interface AccessTokens {
  /** The authorization server of the service itself, by its issuer identifier. */
  readonly ownIssuer?: string | undefined;
  /** A server elsewhere, by its issuer identifier. */
  readonly outsideIssuer?: string | undefined;
  /** The resource that a token must be for. */
  readonly audience: string;
}

/**
 * Returns whose access tokens are taken; undefined if none are. It is called when a request needs it, since the address
 * of a service without a public one is known only when it listens.
 */
export type FindAccessTokens = () => AccessTokens | undefined;

export const METADATA_PATH = '/.well-known/oauth-protected-resource';
/** That of the tools for agents, which are a resource of their own. */
export const MCP_METADATA_PATH = `${METADATA_PATH}/mcp`;

/** Where a client gets an access token, and for what (RFC 9728, section 2). The own server comes first. */
export function resourceMetadata({ ownIssuer, outsideIssuer, audience }: AccessTokens): object {
  return {
    resource: audience,
    authorization_servers: [ownIssuer, outsideIssuer].filter((issuer) => issuer !== undefined),
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  };
}
