import type { Caller } from '../access.js';

/**
 * Finds the caller of a request by its credential: an API key, an access token of an issuer, or the session of a host.
 */
export interface ApiKeyVerifier {
  /**
   * Returns the caller with this credential. Returns undefined for every other credential, such as a malformed,
   * unknown, expired or revoked one. Accepts any text of any length without failing. Rejects as `unavailable` when it
   * cannot be decided.
   */
  verify(credential: string): Promise<Caller | undefined>;
}
