import type { DeveloperId } from '../../../domain/access.js';
import type { ApiKeyVerifier } from '../../../domain/ports.js';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { apiKeyVerifierContract } from '../../contracts/index.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { claimsOf, NOON, NOW, signed } from './token.js';

describe('Access tokens of an issuer', () => {
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.leave());

  apiKeyVerifierContract((callers) => {
    const verifier = new JwtAccessTokenVerifier({ issuer: issuer.url, audience: AUDIENCE, now: () => new Date(NOON) });
    const credentials = callers.map(({ developerId: sub, scopes }) =>
      signed(issuer.key, claimsOf(issuer, { sub, scope: scopes.join(' ') })),
    );
    return {
      verifier: withoutPrefix(verifier),
      credentials,
      ended: [signed(issuer.key, claimsOf(issuer, { exp: NOW - 60 }))],
    };
  });
});

/** The suite's developers are slugs; a subject is never one. */
function withoutPrefix(verifier: ApiKeyVerifier): ApiKeyVerifier {
  return {
    verify: async (credential) => {
      const caller = await verifier.verify(credential);
      return caller && { ...caller, developerId: caller.developerId.replace(/^oauth:/, '') as DeveloperId };
    },
  };
}
