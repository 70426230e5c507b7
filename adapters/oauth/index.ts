/// <reference types="node" preserve="true" />
/**
 * The access tokens of an OAuth 2.0 issuer in place of API keys, or beside them.
 * @module automation-marketplace/oauth
 */
export { JwtAccessTokenVerifier } from './access-token-verifier.js';
export type { AccessTokenOptions } from './access-token-verifier.js';
