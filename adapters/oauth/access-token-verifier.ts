import { decodeJwt, type JWTPayload, type JWTVerifyOptions } from 'jose';
import type { Caller, DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import { IDENTITY_TEXT_RULE, isIdentityText, type Identity } from '../../domain/identity.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { publishedKeys, type Fetch } from './discovery.js';
import { isConfidential, isIssuer, ISSUER_RULE, KEYS_RULE } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';
import { refusalOf, type TokenRefusal } from './refusal.js';
import { checkAccessToken, isDeclared, MAX_TOKEN_LENGTH, RefusedToken, scopesIn } from './token-checks.js';

/** The issuer of the tokens, and the audience that they must name. */
export interface AccessTokenOptions {
  /** The issuer exactly as in its metadata and in `iss`. https, or http on a loopback address. */
  readonly issuer: string;
  /** The name of this marketplace at the issuer; `aud` must contain it. */
  readonly audience: string;
  /** The identities of the core. */
  readonly identities: {
    /** Finds the account of a subject, and makes one the first time. */
    accountOf(identity: Identity): Promise<DeveloperId>;
  };
  /** The claim that is the subject. Default: `sub`; `oid` for Entra ID, whose `sub` is another one for each app. */
  readonly subject?: string | undefined;
  /**
   * Where the keys of the issuer are, in place of the address that its metadata names; then the metadata is not asked
   * for. https, or http on a loopback address.
   */
  readonly jwksUrl?: string | undefined;
  /** Is told why a token is refused, for a log. It must not throw. */
  readonly onRefused?: ((refusal: TokenRefusal) => void) | undefined;
  /** Sends the requests to the issuer; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** The current time; by default that of the system clock. */
  readonly now?: (() => Date) | undefined;
}

/** What a good token says. */
interface TokenContent extends Pick<Caller, 'scopes'> {
  readonly subject: string;
}

export const ACCESS_TOKEN_OPTIONS = {
  issuer: true,
  audience: true,
  identities: true,
  subject: true,
  jwksUrl: true,
  onRefused: true,
  fetch: true,
  now: true,
} as const;

/** Asymmetric ones only: a public key must never serve as a shared secret (RFC 8725, section 3.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The accepted difference between the issuer's clock and ours. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Verifies the JWT access tokens of one OAuth 2.0 issuer with the keys that it publishes (RFC 8414 or OpenID Connect
 * Discovery). The rights come from `scope`, `scp`, `roles` or `permissions`, the developer is the account of the
 * subject. A token with none of our scopes is valid and allows nothing.
 */
export class JwtAccessTokenVerifier implements ApiKeyVerifier {
  readonly #issuer: string;
  readonly #subject: string;
  readonly #identities: AccessTokenOptions['identities'];
  readonly #rules: JWTVerifyOptions;
  readonly #keys: IssuerKeys;
  readonly #now: () => Date;
  readonly #onRefused: (refusal: TokenRefusal) => void;

  /**
   * Sends no request yet.
   * @throws Error when the issuer, or the address of its keys, is not an https URL, or when the audience or the name of
   *   the claim is missing; TypeError for an unknown option, and without identities.
   */
  constructor(options: AccessTokenOptions) {
    requireOptions('JwtAccessTokenVerifier', options, ACCESS_TOKEN_OPTIONS);
    requireParts('JwtAccessTokenVerifier', 'the identities of a core', options.identities, ['accountOf']);
    const { issuer, audience, identities, subject = 'sub', jwksUrl } = options;
    const { fetch = globalThis.fetch, now = () => new Date() } = options;
    if (!isIssuer(issuer)) throw new Error(`The issuer ${ISSUER_RULE}.`);
    if (!isName(audience)) throw new Error('The audience must be the name of this marketplace at the issuer.');
    if (jwksUrl !== undefined && !isConfidential(jwksUrl)) throw new Error(`The address of the keys ${KEYS_RULE}.`);
    if (!isName(subject)) throw new Error('The subject must be the name of a claim, such as sub or oid.');
    this.#issuer = issuer;
    this.#subject = subject;
    this.#identities = identities;
    this.#rules = rules(issuer, audience);
    this.#keys = new IssuerKeys(() => publishedKeys(issuer, fetch, jwksUrl), now);
    this.#now = now;
    this.#onRefused = options.onRefused ?? (() => undefined);
  }

  async verify(credential: string): Promise<Caller | undefined> {
    const content = await this.#contentOf(credential);
    if (content === undefined) return undefined;
    const { subject, scopes } = content;
    // After every check of the token: one that is refused makes no account. One without scopes does.
    const developerId = await this.#identities.accountOf({ issuer: this.#issuer, subject });
    // The same for all tokens of a developer, so that a new token gets no new rate limit.
    return { developerId, scopes, credentialId: developerId };
  }

  /** Returns what a token says; undefined for one that is refused. */
  async #contentOf(token: string): Promise<TokenContent | undefined> {
    try {
      checkIssuer(this.#issuer, token);
      const options = { ...this.#rules, currentDate: this.#now() };
      const { payload, protectedHeader } = await this.#keys.verify(token, options);
      checkAccessToken(protectedHeader, payload);
      const scopes = scopesIn(claimsOfScopes(payload, isDeclared(protectedHeader)));
      return { subject: subjectIn(payload, this.#subject), scopes };
    } catch (error) {
      if (error instanceof DomainError) throw error;
      this.#onRefused(refusalOf(error));
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
function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '';
}

/** Checked before the signature, so that foreign tokens cause no request to the issuer. @throws RefusedToken */
function checkIssuer(issuer: string, token: string): void {
  if (token.length > MAX_TOKEN_LENGTH) throw new RefusedToken(undefined, 'is longer than 16 KiB');
  if (!COMPACT_FORM.test(token)) throw new RefusedToken(undefined, 'is not a signed JSON Web Token');
  if (decodeJwt(token).iss !== issuer) throw new RefusedToken('iss', 'names another issuer');
}

/** @throws RefusedToken for a subject that no identity can have */
function subjectIn(payload: JWTPayload, claim: string): string {
  const subject = payload[claim];
  if (isIdentityText(subject)) return subject;
  throw new RefusedToken(claim, `must be ${IDENTITY_TEXT_RULE}`);
}

/**
 * Returns the claims with scopes, and what Entra ID (`roles`) and Auth0 (`permissions`) write in place of them. ID
 * tokens of Entra ID have the roles of a person, too; they name no client.
 */
function claimsOfScopes(payload: JWTPayload, isAccessToken: boolean): readonly unknown[] {
  const { scope, scp, roles, permissions } = payload;
  const isForClient = isAccessToken || ['azp', 'appid', 'client_id'].some((name) => payload[name] !== undefined);
  return isForClient ? [scope, scp, roles, permissions] : [scope, scp];
}
