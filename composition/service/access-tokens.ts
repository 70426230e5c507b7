import type { AuthorizationServer, AuthorizationServerOptions } from '../../adapters/authorization-server/index.js';
import type { AccessTokens } from '../../adapters/api/documents/resource-metadata.js';
import type { Overload } from '../../adapters/api/index.js';
import { isSafeForTokens } from '../../adapters/edge/public-url.js';
import type { TokenRefusal } from '../../adapters/oauth/index.js';
import { AccountRightsVerifier } from '../../application/account-rights.js';
import type { UseCases } from '../../application/core.js';
import { RoutingApiKeyVerifier } from '../../application/routing-api-key-verifier.js';
import type { TokenAudience } from '../../domain/connection.js';
import type { ApiKeyVerifier, Storage } from '../../domain/ports.js';
import type { ServiceLog } from './service-log.js';
import type { ServiceParts } from './service-parts.js';

/** An issuer elsewhere, whose tokens a service takes. */
interface OutsideIssuer {
  readonly issuer: string;
  /** What its tokens must be for; undefined where none of them is taken. */
  readonly audiences: Readonly<Record<TokenAudience, string | undefined>>;
  readonly verifiers: Readonly<Record<TokenAudience, ApiKeyVerifier>>;
}

/** Those who take the credentials of programs. */
export interface Takers {
  /** The authorization server of the service itself, where it has one. */
  readonly own: AuthorizationServer | undefined;
  /** An issuer elsewhere, where one is set. */
  readonly outside: OutsideIssuer | undefined;
  /** API keys, or what a host takes in their place. */
  readonly keys: ApiKeyVerifier;
}

/** Returns who takes a credential: our own server takes its tokens, then an issuer elsewhere every other JWT. */
export function verifierFor(audience: TokenAudience, { own, outside, keys }: Takers): ApiKeyVerifier {
  const others = outside === undefined ? keys : new RoutingApiKeyVerifier(keys, outside.verifiers[audience]);
  return own === undefined ? others : own.verifier(audience, others);
}

/** Returns whose tokens are taken; undefined when none are. The own server has no address until it listens. */
export function tokensTaken(audience: TokenAudience, { own, outside }: Takers): AccessTokens | undefined {
  const outsideAudience = outside?.audiences[audience];
  const outsideIssuer = outsideAudience === undefined ? undefined : outside?.issuer;
  const { issuer: ownIssuer, resource = outsideAudience } = own?.describe(audience) ?? {};
  if (resource === undefined || (ownIssuer ?? outsideIssuer) === undefined) return undefined;
  return { ownIssuer, outsideIssuer, audience: resource };
}

/** Returns the authorization server of a service; undefined where it cannot have one, which the log says. */
export async function ownServer(
  { apps, connections, profiles, oauthRecords }: UseCases & Pick<Storage, 'oauthRecords'>,
  options: AuthorizationServerOptions,
  overload: Overload,
  log: ServiceLog,
): Promise<AuthorizationServer | undefined> {
  const { publicUrl = '' } = options;
  if (apps && connections && oauthRecords && (publicUrl === '' || isSafeForTokens(publicUrl))) {
    const { createAuthorizationServer } = await import('../../adapters/authorization-server/index.js');
    return createAuthorizationServer({ apps, connections, profiles, oauthRecords }, options, overload);
  }
  const why = apps ? 'PUBLIC_URL is neither https nor of this machine' : 'the storage has no records of one';
  log.warn({}, `there is no authorization server, since ${why}`);
  return undefined;
}

/** Loads jose, and returns the issuer elsewhere; undefined where none is set. */
export async function outsideIssuer(
  { config, log, host }: ServiceParts,
  { identities, developers }: Pick<UseCases, 'identities'> & Pick<Storage, 'developers'>,
): Promise<OutsideIssuer | undefined> {
  const { accessTokens, PUBLIC_URL: publicUrl } = config;
  if (accessTokens === undefined) return undefined;
  const { JwtAccessTokenVerifier } = await import('../../adapters/oauth/index.js');
  const onRefused = (refusal: TokenRefusal) => log.debug({ ...refusal }, 'an access token was refused');
  const verifier = (audience: string | undefined): ApiKeyVerifier => {
    if (audience === undefined) return { verify: async () => undefined };
    const options = { ...accessTokens, audience, identities, onRefused, now: host.now };
    return new AccountRightsVerifier(new JwtAccessTokenVerifier(options), developers);
  };
  // Without a public address, nothing tells the tokens for agents from those for the API.
  const agents = publicUrl ? `${publicUrl}${host.mountPath ?? ''}/mcp` : undefined;
  const audiences = { api: accessTokens.audience, agents };
  const verifiers = { api: verifier(audiences.api), agents: verifier(agents) };
  return { issuer: accessTokens.issuer, audiences, verifiers };
}
