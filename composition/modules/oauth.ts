import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { AccessTokenOptions } from '../../adapters/oauth/index.js';
import { AccountRightsVerifier } from '../../application/account-rights.js';
import { RoutingApiKeyVerifier } from '../../application/routing-api-key-verifier.js';
import { API_KEY_VERIFIER, DEVELOPER_REPOSITORY } from '../tokens.js';

/**
 * Loads jose, and returns a module that accepts an issuer's access tokens in addition to the keys of the bound
 * verifier. Rebind the verifier before you load this module.
 */
export async function oauthModule(options: AccessTokenOptions): Promise<ContainerModule> {
  const { JwtAccessTokenVerifier } = await import('../../adapters/oauth/index.js');
  const tokens = new JwtAccessTokenVerifier(options);
  return new ContainerModule(({ onActivation }) => {
    onActivation(API_KEY_VERIFIER, (context, keys) => {
      const bounded = new AccountRightsVerifier(tokens, context.get(DEVELOPER_REPOSITORY));
      return new RoutingApiKeyVerifier(keys, bounded);
    });
  });
}
