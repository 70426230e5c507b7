import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { JwtAccessTokenVerifier, type AccessTokenOptions } from '../../adapters/oauth/index.js';
import { RoutingApiKeyVerifier } from '../../application/routing-api-key-verifier.js';
import { API_KEY_VERIFIER } from '../tokens.js';

/**
 * Accepts an issuer's access tokens in addition to the keys of the bound verifier. Rebind the verifier before you load
 * this.
 */
export function oauthModule(options: AccessTokenOptions): ContainerModule {
  return new ContainerModule(({ onActivation }) => {
    const tokens = new JwtAccessTokenVerifier(options);
    onActivation(API_KEY_VERIFIER, (_context, keys) => new RoutingApiKeyVerifier(keys, tokens));
  });
}
