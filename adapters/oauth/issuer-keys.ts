import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
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

/** The keys of an issuer, fetched when a token needs them. */
export class IssuerKeys {
  #find: FindKey | undefined;
  #fetchedAt = -Infinity;
  #triedAt = -Infinity;
  #fetching: Promise<void> | undefined;
  #failure: unknown;

  constructor(
    private readonly published: () => Promise<unknown>,
    private readonly now: () => Date,
  ) {}

  /** Returns the key that a token names. Rejects as `unavailable` if no keys are known, else as jose does. */
  readonly find: JWTVerifyGetKey = async (...token) => {
    if (this.#since(this.#fetchedAt) > FRESH_MS) await this.#refresh();
    try {
      return await this.#known()(...token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.#refresh())) throw error;
      return this.#known()(...token);
    }
  };

  #known(): FindKey {
    if (this.#find !== undefined && this.#since(this.#fetchedAt) <= KEPT_MS) return this.#find;
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
      this.#find = createLocalJWKSet((await this.published()) as JSONWebKeySet);
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
