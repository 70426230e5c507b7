import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { apiKeyVerifierContract } from '../../contracts/index.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { claimsOf, identities, NOON, NOW, signed } from './token.js';

describe('Access tokens of an issuer', () => {
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.leave());

  apiKeyVerifierContract((callers) => {
    const verifier = new JwtAccessTokenVerifier({
      identities,
      issuer: issuer.url,
      audience: AUDIENCE,
      now: () => new Date(NOON),
    });
    const credentials = callers.map(({ developerId: sub, scopes }) =>
      signed(issuer.key, claimsOf(issuer, { sub, scope: scopes.join(' ') })),
    );
    return {
      verifier,
      credentials,
      ended: [signed(issuer.key, claimsOf(issuer, { exp: NOW - 60 }))],
    };
  });
});
