import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type CryptoKey,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { DomainError } from '../../domain/errors.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** After this time the keys are fetched again, so that a key that the issuer withdrew stops working. */
const FRESH_MS = 10 * MINUTE_MS;
/** While the issuer is unreachable, its last keys are used for this time. Its tokens expire much earlier. */
const KEPT_MS = 24 * 60 * MINUTE_MS;
/** The pause between two fetches: forged key ids must not make us flood the issuer. */
const PAUSE_MS = 30 * SECOND_MS;
/** The pause while no keys are known and no token can be verified. */
const RETRY_MS = 1 * SECOND_MS;

type FindKey = ReturnType<typeof createLocalJWKSet>;

interface PublishedKeys {
  readonly all: FindKey;
  /** Those without an id, which a token cannot name. */
  readonly unnamed: FindKey;
}

/** The keys of an issuer, fetched when a token needs them. */
export class IssuerKeys {
  #published: PublishedKeys | undefined;
  #fetchedAt = -Infinity;
  #triedAt = -Infinity;
  #fetching: Promise<void> | undefined;
  #failure: unknown;

  constructor(
    private readonly published: () => Promise<unknown>,
    private readonly now: () => Date,
  ) {}

  /**
   * Returns the content of a token, once a key that it may mean has verified it; several keys may have one id. Rejects
   * as `unavailable` if no keys are known, else as jose does.
   */
  async verify(token: string, rules: JWTVerifyOptions): Promise<JWTVerifyResult> {
    try {
      return await jwtVerify(token, this.#find, rules);
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(error, token, rules);
      throw error;
    }
  }

  /** Finds the key with the id that a token names; after that, one without an id. */
  readonly #find: JWTVerifyGetKey = async (header, token) => {
    if (this.#since(this.#fetchedAt) > FRESH_MS) await this.#refresh();
    const lookUp = () => this.#known().all(header, token).catch(undefinedWithoutMatch);
    const named = (await lookUp()) ?? ((await this.#refresh()) ? await lookUp() : undefined);
    return named ?? this.#known().unnamed({ alg: header.alg }, token);
  };

  #known(): PublishedKeys {
    if (this.#published !== undefined && this.#since(this.#fetchedAt) <= KEPT_MS) return this.#published;
    const message = 'the issuer of access tokens cannot be reached';
    throw new DomainError('unavailable', 'issuer-unavailable', message, [], { cause: this.#failure });
  }

  /** Fetches the keys, together with concurrent calls. Returns false, and fetches nothing, within the pause. */
  async #refresh(): Promise<boolean> {
    const pause = this.#since(this.#fetchedAt) <= KEPT_MS ? PAUSE_MS : RETRY_MS;
    if (this.#fetching === undefined && this.#since(this.#triedAt) < pause) return false;
    this.#fetching ??= this.#fetch();
    await this.#fetching;
    return true;
  }

  async #fetch(): Promise<void> {
    this.#triedAt = this.now().getTime();
    try {
      this.#published = keysIn((await this.published()) as JSONWebKeySet);
      this.#fetchedAt = this.now().getTime();
    } catch (error) {
      this.#failure = error;
    }
    this.#fetching = undefined;
  }

  /** Returns the milliseconds since a time. A clock that was set back counts like one that was set forward. */
  #since(time: number): number {
    return Math.abs(this.now().getTime() - time);
  }
}

/** @throws JWKSInvalid for what is no set of keys. */
function keysIn(set: JSONWebKeySet): PublishedKeys {
  const all = createLocalJWKSet(set);
  return { all, unnamed: createLocalJWKSet({ keys: set.keys.filter(({ kid }) => kid === undefined) }) };
}

function undefinedWithoutMatch(error: unknown): undefined {
  if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
}

async function verifyWithAny(
  keys: AsyncIterable<CryptoKey>,
  token: string,
  rules: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of keys) {
    const verified = await jwtVerify(token, key, rules).catch(undefinedUnlessVerified);
    if (verified !== undefined) return verified;
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** jose throws a TypeError for a key that is too weak, before it looks at the signature. */
function undefinedUnlessVerified(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed || error instanceof TypeError)) throw error;
}
