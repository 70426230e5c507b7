import type { Caller } from '../domain/access.js';
import type { ApiKeyVerifier } from '../domain/ports.js';

/**
 * In the compact form, a header that is a JSON object, which may have white space in it, a payload and a signature (RFC
 * 7515, section 7.1); no API key has a dot.
 */
const SIGNED_JWT = /^e[wy][\w-]*\.[\w-]+\.[\w-]+$/;

/** Returns whether a credential has the form of a signed JWT. */
export function isSignedJwt(credential: string): boolean {
  return SIGNED_JWT.test(credential);
}

/**
 * API keys and access tokens side by side: what has the form of a signed JWT is shown to the one who knows tokens, all
 * else to the other, and nothing to both.
 */
export class RoutingApiKeyVerifier implements ApiKeyVerifier {
  /** Passes signed JWTs to `tokens` and all other credentials to `keys`. */
  constructor(
    private readonly keys: ApiKeyVerifier,
    private readonly tokens: ApiKeyVerifier,
  ) {}

  async verify(credential: string): Promise<Caller | undefined> {
    return (isSignedJwt(credential) ? this.tokens : this.keys).verify(credential);
  }
}
