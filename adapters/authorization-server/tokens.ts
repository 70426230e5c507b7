import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { createLocalJWKSet, JSONWebKeySet, JWTPayload, JWTVerifyOptions } from 'jose';
import type { Connections } from '../../application/connections.js';
import { isSignedJwt } from '../../application/routing-api-key-verifier.js';
import type { Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { SCOPES } from '../../domain/scope.js';
import type { ServerDescription } from '../http/consents.js';
import { ALGORITHM, type KeySet, type ServerKeys } from './keys.js';

/** The claim with the consent on which a token rests. */
export const CONNECTION_CLAIM = 'connection';

const MAX_TOKEN_LENGTH = 16 * 1024;
/** What they say takes up to 10 MB. */
const MAX_PAYLOADS = 10_000;

/** The parts that verify tokens. */
export interface TokenParts {
  /** Returns the issuer and the resource of tokens; undefined while the address is not known. */
  readonly describe: () => ServerDescription | undefined;
  readonly keys: ServerKeys;
  readonly connections: Pick<Connections, 'findCaller'>;
  readonly now: () => Date;
  /** Verifies every other credential. */
  readonly others: ApiKeyVerifier;
}

/** Loads jose with the first token. */
let loadedJose: Promise<typeof import('jose')> | undefined;
const jose = () => (loadedJose ??= import('jose'));

/** What was found with the keys of a server. */
interface Known {
  readonly version: string;
  readonly find: ReturnType<typeof createLocalJWKSet>;
  /**
   * What valid tokens say, by their hashes. Each request checked the signature, which takes 172 us of CPU, and a key 5:
   * there were 0.30 times as many requests with tokens as with keys, and are 0.75 times (`bench/tokens`: 27 us).
   */
  readonly payloads: LRUCache<string, JWTPayload>;
}

/** Verifies the access tokens of the server (RFC 9068) for one audience, and that their consent still holds. */
export class OwnAccessTokenVerifier implements ApiKeyVerifier {
  #known: Known | undefined;

  constructor(private readonly parts: TokenParts) {}

  async verify(credential: string): Promise<Caller | undefined> {
    // Keys are told apart first: with the address before, a request with a key took an eighth longer.
    const server = isToken(credential) ? this.parts.describe() : undefined;
    if (server === undefined || !(await isOf(server.issuer, credential))) return this.parts.others.verify(credential);
    const payload = await this.#payloadOf(credential, server);
    // One with `cnf` is bound to a key of its client, which a bearer does not prove to have (RFC 7800).
    if (payload === undefined || payload['cnf'] !== undefined) return undefined;
    return this.parts.connections.findCaller(claimsOf(payload));
  }

  /** Returns what a token says; undefined when it is not valid. Rejects as `unavailable` without the keys. */
  async #payloadOf(token: string, { issuer, resource }: ServerDescription): Promise<JWTPayload | undefined> {
    const { keys, now } = this.parts;
    const claims = { typ: 'at+jwt', algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub', 'client_id'] };
    const rules = { issuer, audience: resource, ...claims, currentDate: now() };
    const verified = await this.#verified(token, await keys.current(), rules);
    const again = verified === 'unknown-key' ? await this.#verified(token, await keys.renewed(), rules) : verified;
    return again === 'unknown-key' ? undefined : again;
  }

  /** The signature of a token, its issuer and its audience are checked once, its end each time. */
  async #verified(token: string, keys: KeySet, rules: Rules): Promise<Verified> {
    const { find, payloads } = await this.#knownOf(keys, rules);
    const id = hash('sha256', token);
    const known = payloads.get(id);
    if (known !== undefined) return Number(known.exp) * 1000 > rules.currentDate.getTime() ? known : undefined;
    const { jwtVerify, errors } = await jose();
    try {
      const { payload } = await jwtVerify(token, find, rules);
      payloads.set(id, payload);
      return payload;
    } catch (error) {
      return error instanceof errors.JWKSNoMatchingKey ? 'unknown-key' : undefined;
    }
  }

  async #knownOf({ jwks, version: ofKeys }: KeySet, { issuer, audience }: Rules): Promise<Known> {
    const version = `${issuer} ${audience} ${ofKeys}`;
    if (this.#known?.version !== version) {
      const { createLocalJWKSet: keysIn } = await jose();
      const keys = jwks.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }));
      const find = keysIn({ keys } as JSONWebKeySet);
      this.#known = { version, find, payloads: new LRUCache({ max: MAX_PAYLOADS }) };
    }
    return this.#known;
  }
}

/** What a token must be. */
type Rules = JWTVerifyOptions & { readonly issuer: string; readonly audience: string; readonly currentDate: Date };

/** What a token says, or why it says nothing. */
type Verified = JWTPayload | 'unknown-key' | undefined;

function isToken(credential: string): boolean {
  return credential.length <= MAX_TOKEN_LENGTH && isSignedJwt(credential);
}

/** Returns whether a token says that it is of this issuer. It proves nothing yet. */
async function isOf(issuer: string, token: string): Promise<boolean> {
  const { decodeJwt } = await jose();
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

function claimsOf(payload: JWTPayload) {
  const { client_id: clientId, scope, [CONNECTION_CLAIM]: connectionId } = payload;
  const granted = typeof scope === 'string' ? scope.split(' ') : [];
  return {
    clientId: String(clientId),
    connectionId: typeof connectionId === 'string' ? connectionId : undefined,
    scopes: SCOPES.filter((known) => granted.includes(known)),
  };
}
