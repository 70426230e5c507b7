import type { createLocalJWKSet, JSONWebKeySet, JWTPayload } from 'jose';
import type { Connections } from '../../application/connections.js';
import type { Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { SCOPES } from '../../domain/scope.js';
import { ALGORITHM, type ServerKeys } from './keys.js';

/** The claim with the consent on which a token rests. */
export const CONNECTION_CLAIM = 'connection';

/** The issuer and the audience of tokens; undefined while the address is not known. */
export type Expected = () => { readonly issuer: string; readonly audience: string } | undefined;

const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_TOKEN_LENGTH = 16 * 1024;

/** The parts that verify tokens. */
export interface TokenParts {
  readonly expected: Expected;
  readonly keys: ServerKeys;
  readonly connections: Pick<Connections, 'findCaller'>;
  readonly now: () => Date;
  /** Verifies every other credential. */
  readonly others: ApiKeyVerifier;
}

/** Loads jose with the first token. */
let loadedJose: Promise<typeof import('jose')> | undefined;
const jose = () => (loadedJose ??= import('jose'));

/** Verifies the access tokens of the server (RFC 9068) for one audience, and that their consent still holds. */
export class OwnAccessTokenVerifier implements ApiKeyVerifier {
  #known: { readonly version: string; readonly find: ReturnType<typeof createLocalJWKSet> } | undefined;

  constructor(private readonly parts: TokenParts) {}

  async verify(credential: string): Promise<Caller | undefined> {
    const expected = this.parts.expected();
    if (expected === undefined || !(await isOf(expected.issuer, credential)))
      return this.parts.others.verify(credential);
    const { jwtVerify } = await jose();
    const find = await this.#findKey();
    const rules = { ...expected, typ: 'at+jwt', algorithms: [ALGORITHM], currentDate: this.parts.now() };
    const verified = await jwtVerify(credential, find, { ...rules, requiredClaims: ['exp', 'sub', 'client_id'] }).catch(
      () => undefined,
    );
    // One with `cnf` is bound to a key of its client, which a bearer does not prove to have (RFC 7800).
    if (verified === undefined || verified.payload['cnf'] !== undefined) return undefined;
    return this.parts.connections.findCaller(claimsOf(verified.payload));
  }

  async #findKey() {
    const { createLocalJWKSet: keysIn } = await jose();
    const { jwks, version } = await this.parts.keys.current();
    if (this.#known?.version !== version) {
      const keys = jwks.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }));
      this.#known = { version, find: keysIn({ keys } as JSONWebKeySet) };
    }
    return this.#known.find;
  }
}

/** Returns whether a credential says that it is a token of this issuer. It proves nothing yet. */
async function isOf(issuer: string, credential: string): Promise<boolean> {
  if (credential.length > MAX_TOKEN_LENGTH || !COMPACT_FORM.test(credential)) return false;
  const { decodeJwt } = await jose();
  try {
    return decodeJwt(credential).iss === issuer;
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
