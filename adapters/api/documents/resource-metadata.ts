import type { TokenAudience } from '../../../domain/connection.js';
import { SCOPES } from '../../../domain/scope.js';
import { BASES, MCP_PATH, RESOURCE_METADATA_PATH } from '../../edge/middleware/base-path.js';

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

const PATH_OF = { api: BASES[0], agents: MCP_PATH } as const satisfies Record<TokenAudience, string>;

/** Returns where a challenge leads, below the base: it is reached wherever the resource is. */
export function metadataPath(audience: TokenAudience): string {
  return RESOURCE_METADATA_PATH + PATH_OF[audience];
}

/**
 * Returns every path of the metadata of a resource: that of challenges, and the one that clients derive from the
 * address of the resource, whose whole path comes last (RFC 9728, section 3.1). Clients that know the host alone find
 * the API without its path.
 */
export function metadataPaths(audience: TokenAudience, base: string): readonly string[] {
  const ends = audience === 'api' ? [PATH_OF.api, ''] : [PATH_OF.agents];
  return Array.from(new Set(['', base].flatMap((start) => ends.map((end) => RESOURCE_METADATA_PATH + start + end))));
}

/** Where a client gets an access token, and for what (RFC 9728, section 2). The own server comes first. */
export function resourceMetadata({ ownIssuer, outsideIssuer, audience }: AccessTokens): object {
  return {
    resource: audience,
    authorization_servers: [ownIssuer, outsideIssuer].filter((issuer) => issuer !== undefined),
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  };
}
