import { SCOPES } from '../../../domain/scope.js';

/** Whose access tokens are taken, and for which audience. */
export interface AccessTokens {
  readonly issuer: string;
  readonly audience: string;
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource';
/** That of the tools for agents, which are a resource of their own. */
export const MCP_METADATA_PATH = `${METADATA_PATH}/mcp`;

/** Where a client gets an access token, and for what (RFC 9728, section 2). */
export function resourceMetadata({ issuer, audience }: AccessTokens): object {
  return {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  };
}
