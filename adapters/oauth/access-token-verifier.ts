import { decodeJwt, jwtVerify, type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { developerOfSubject, type Caller } from '../../domain/access.js';
import { SCOPES } from '../../domain/scope.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { publishedKeys, type Fetch } from './discovery.js';
import { isIssuer, ISSUER_RULE } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';

/** The issuer of the tokens, and the audience that they must name. */
export interface AccessTokenOptions {
  /** The issuer exactly as in its metadata and in `iss`. https, or http on a loopback address. */
  readonly issuer: string;
  /** The name of this marketplace at the issuer; `aud` must contain it. */
  readonly audience: string;
  /** Sends the requests to the issuer; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** The current time; by default that of the system clock. */
  readonly now?: (() => Date) | undefined;
}

/** Asymmetric ones only: a public key must never serve as a shared secret (RFC 8725, section 3.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_TOKEN_LENGTH = 16 * 1024;

/** The accepted difference between the issuer's clock and ours. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Verifies the JWT access tokens of one OAuth 2.0 issuer with the keys that it publishes (RFC 8414 or OpenID Connect
 * Discovery). The rights come from `scope` or `scp`, the developer from `sub`. A token with none of our scopes is
 * valid and allows nothing.
 */
export class JwtAccessTokenVerifier implements ApiKeyVerifier {
  readonly #issuer: string;
  readonly #rules: JWTVerifyOptions;
  readonly #keys: IssuerKeys;
  readonly #now: () => Date;

  /** Sends no request yet. @throws Error when the issuer is not an https URL, or when the audience is missing. */
  constructor({ issuer, audience, fetch = globalThis.fetch, now = () => new Date() }: AccessTokenOptions) {
    if (!isIssuer(issuer)) throw new Error(`The issuer ${ISSUER_RULE}.`);
    if (!isName(audience)) throw new Error('The audience must be the name of this marketplace at the issuer.');
    this.#issuer = issuer;
    this.#rules = rules(issuer, audience);
    this.#keys = new IssuerKeys(() => publishedKeys(issuer, fetch), now);
    this.#now = now;
  }

  async verify(credential: string): Promise<Caller | undefined> {
    if (!namesIssuer(this.#issuer, credential)) return undefined;
    try {
      const options = { ...this.#rules, currentDate: this.#now() };
      const { payload, protectedHeader } = await jwtVerify(credential, this.#keys.find, options);
      return isAccessToken(protectedHeader, payload) ? callerOf(payload) : undefined;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      return undefined;
    }
  }
}

/** `maxTokenAge` has no effect as a limit, but makes jose refuse a token without `iat` or from the future. */
function rules(issuer: string, audience: string): JWTVerifyOptions {
  const maxTokenAge = Number.MAX_SAFE_INTEGER;
  const requiredClaims = ['exp', 'sub'];
  return { issuer, audience, algorithms: ALGORITHMS, requiredClaims, maxTokenAge, clockTolerance: CLOCK_SKEW_SECONDS };
}

/** jose accepts any audience if none is given, and hosts in JavaScript may forget it. */
function isName(audience: unknown): boolean {
  return typeof audience === 'string' && audience !== '';
}

/** Checked before the signature, so that foreign tokens cause no request to the issuer. */
function namesIssuer(issuer: string, token: string): boolean {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT_FORM.test(token)) return false;
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/**
 * Tells an access token from the other tokens that an issuer signs. The type `at+jwt` (RFC 9068) says so. Others send
 * `JWT` (Keycloak, Auth0, Entra ID, Authentik, Zitadel) or no type (Okta), as they also do for ID tokens.
 */
function isAccessToken({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean {
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  if (type === 'at+jwt') return true;
  return (type === undefined || type === 'jwt') && !isOtherToken(payload);
}

/**
 * Recognises an ID token (`at_hash`, `c_hash`, or a `nonce` and no scope: Authentik copies the nonce into its access
 * tokens), a logout token (`events`), and what Keycloak calls other than `Bearer`.
 */
function isOtherToken(payload: JWTPayload): boolean {
  const has = (name: string) => payload[name] !== undefined;
  if (has('at_hash') || has('c_hash') || has('events')) return true;
  if (has('nonce') && !has('scope') && !has('scp')) return true;
  return has('typ') && payload['typ'] !== 'Bearer';
}

/** The credential id is the same for all tokens of a developer, so that a new token gets no new rate limit. */
function callerOf({ sub, scope, scp }: JWTPayload): Caller | undefined {
  const developerId = typeof sub === 'string' ? developerOfSubject(sub) : undefined;
  if (developerId === undefined) return undefined;
  const granted = [...listOf(scope), ...listOf(scp)];
  return { developerId, scopes: SCOPES.filter((known) => granted.includes(known)), credentialId: developerId };
}

/** Returns the scopes of a claim, which is a text (RFC 9068, Entra ID) or a list (Okta, Zitadel's actions). */
function listOf(claim: unknown): readonly unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}
