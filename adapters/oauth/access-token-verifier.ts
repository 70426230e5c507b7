import { decodeJwt, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { developerOfSubject, SCOPES, type Caller } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { publishedKeys } from './discovery.js';
import type { Fetch } from './fetch-json.js';
import { isIssuer, ISSUER_RULE } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';

/** Whose tokens, and for whom they must be made out. */
export interface AccessTokenOptions {
  /** As it stands in the issuer's metadata and in `iss`, to the letter. https, or http on a loopback address. */
  readonly issuer: string;
  /** What `aud` must name: the marketplace, as the issuer calls it. */
  readonly audience: string;
  /** Asks the issuer; the global one by default. */
  readonly fetch?: Fetch;
  /** What time it is; by the clock of the machine, unless told otherwise. */
  readonly now?: () => Date;
}

/** Asymmetric ones only: a public key must never serve as a shared secret (RFC 8725, section 3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const LONGEST_TOKEN = 16 * 1024;

/** In seconds: how far the issuer's clock may be from ours. */
const CLOCK_SKEW = 60;

/**
 * The JWT access tokens of one OAuth 2.0 issuer (RFC 9068), by the keys that it publishes (RFC 8414 or OpenID Connect
 * Discovery): rights from `scope`, as far as they are known here; the developer from `sub`.
 */
export class JwtAccessTokenVerifier implements ApiKeyVerifier {
  readonly #issuer: string;
  readonly #rules: JWTVerifyOptions;
  readonly #keys: IssuerKeys;
  readonly #now: () => Date;

  /** Asks nobody yet. @throws Error when the issuer is no https URL, or there is no audience. */
  constructor({ issuer, audience, fetch = globalThis.fetch, now = () => new Date() }: AccessTokenOptions) {
    if (!isIssuer(issuer)) throw new Error(`The issuer ${ISSUER_RULE}.`);
    if (!isName(audience)) throw new Error('The audience must be what the issuer calls this marketplace.');
    this.#issuer = issuer;
    this.#rules = rules(issuer, audience);
    this.#keys = new IssuerKeys(() => publishedKeys(issuer, fetch), now);
    this.#now = now;
  }

  async verify(credential: string): Promise<Caller | undefined> {
    if (!claimsToBeOf(this.#issuer, credential)) return undefined;
    try {
      const { payload } = await jwtVerify(credential, this.#keys.find, { ...this.#rules, currentDate: this.#now() });
      return callerOf(payload);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      return undefined;
    }
  }
}

/** A largest age of no consequence makes `iat` be looked at: a token from the future is none. */
function rules(issuer: string, audience: string): JWTVerifyOptions {
  const maxTokenAge = Number.MAX_SAFE_INTEGER;
  const requiredClaims = ['exp', 'sub', 'scope'];
  return { issuer, audience, typ: 'at+jwt', algorithms: ALGORITHMS, requiredClaims, maxTokenAge, clockTolerance: CLOCK_SKEW };
}

/** Without one `jose` would take tokens that are made out for anybody, and a host in JavaScript may leave it out. */
function isName(audience: unknown): boolean {
  return typeof audience === 'string' && audience !== '';
}

/** Before anything is proved: what does not even say so must not make us ask the issuer. */
function claimsToBeOf(issuer: string, token: string): boolean {
  if (token.length > LONGEST_TOKEN || !COMPACT.test(token)) return false;
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** One name for all tokens of a developer, so that a new token is no new caller to whoever counts. */
function callerOf({ sub, scope }: JWTPayload): Caller | undefined {
  const developerId = typeof sub === 'string' ? developerOfSubject(sub) : undefined;
  if (developerId === undefined || typeof scope !== 'string') return undefined;
  const granted = scope.split(' ');
  return { developerId, scopes: SCOPES.filter((known) => granted.includes(known)), credentialId: developerId };
}
