import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { AccessTokenOptions } from '../../adapters/oauth/index.js';
import { AccountRightsVerifier } from '../../application/account-rights.js';
import { RoutingApiKeyVerifier } from '../../application/routing-api-key-verifier.js';
import { requireOptions } from '../../domain/options.js';
import { API_KEY_VERIFIER, DEVELOPER_REPOSITORY } from '../tokens.js';
import { NEW_CORE } from './tokens.js';

/**
 * Loads jose, and returns a module that accepts an issuer's access tokens in addition to the keys of the bound
 * verifier. Rebind the verifier before you load this module.
 */
export async function oauthModule(options: Omit<AccessTokenOptions, 'identities'>): Promise<ContainerModule> {
  const { ACCESS_TOKEN_OPTIONS, JwtAccessTokenVerifier } =
    await import('../../adapters/oauth/access-token-verifier.js');
  const tokensOf = (identities: AccessTokenOptions['identities']) =>
    new JwtAccessTokenVerifier({ ...options, identities });
  const { identities: _bound, ...known } = ACCESS_TOKEN_OPTIONS;
  requireOptions('oauthModule', options, known);
  // Refuses a wrong issuer here, not when the container is asked.
  tokensOf({ accountOf: () => Promise.reject(new Error('this verifier is not used')) });
  return new ContainerModule(({ onActivation }) => {
    onActivation(API_KEY_VERIFIER, (context, keys) => {
      const tokens = tokensOf(context.get(NEW_CORE).identities);
      const bounded = new AccountRightsVerifier(tokens, context.get(DEVELOPER_REPOSITORY));
      return new RoutingApiKeyVerifier(keys, bounded);
    });
  });
}
