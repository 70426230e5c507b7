/// <reference types="node" preserve="true" />
/**
 * Verifies the access tokens of an OAuth 2.0 issuer, instead of API keys or in addition to them.
 * @module automation-marketplace-oauth
 */
export { JwtAccessTokenVerifier } from './access-token-verifier.js';
export type { AccessTokenOptions } from './access-token-verifier.js';
export type { TokenRefusal } from './refusal.js';
