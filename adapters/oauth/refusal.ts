import { errors } from 'jose';
import { RefusedToken } from './token-checks.js';

/** Why a token was refused. It contains nothing that a token says. */
export interface TokenRefusal {
  /** The claim, or the header parameter, that is at fault; undefined when it is the token as a whole. */
  readonly claim: string | undefined;
  readonly reason: string;
}

/** Returns the claim and the reason of an error of this adapter or of jose. */
export function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof RefusedToken || error instanceof errors.JWTClaimValidationFailed)
    return { claim: error.claim, reason: error.message };
  if (error instanceof errors.JWTExpired) return { claim: error.claim, reason: error.message };
  if (error instanceof errors.JWKSNoMatchingKey) return { claim: 'kid', reason: error.message };
  if (error instanceof errors.JOSEAlgNotAllowed) return { claim: 'alg', reason: error.message };
  if (error instanceof errors.JWSSignatureVerificationFailed) return { claim: undefined, reason: error.message };
  return { claim: undefined, reason: 'is malformed' };
}
