import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { DomainError } from '../../domain/errors.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** After this long the issuer is asked again: a key that it withdrew opens nothing any longer. */
const FRESH = 10 * MINUTE;
/** While the issuer is away its last keys are honoured for this long; its tokens end by themselves long before. */
const KEPT = 24 * 60 * MINUTE;
/** Between two questions: forged key ids must not make us hammer the issuer. Shorter while nothing can be verified at all. */
const COOL_DOWN = 30 * SECOND;
const NEXT_TRY = 1 * SECOND;

type FindKey = ReturnType<typeof createLocalJWKSet>;

/** The issuer's keys, asked for when they are needed. */
export class IssuerKeys {
  #find: FindKey | undefined;
  #foundAt = -Infinity;
  #askedAt = -Infinity;
  #asking: Promise<void> | undefined;
  #failure: unknown;

  constructor(
    private readonly published: () => Promise<JSONWebKeySet>,
    private readonly now: () => Date,
  ) {}

  /** The key that a token names. Rejects as `unavailable` when no keys are known, and as jose does when none of them fits. */
  readonly find: JWTVerifyGetKey = async (...token) => {
    if (this.#since(this.#foundAt) > FRESH) await this.#askAgain();
    try {
      return await this.#known()(...token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.#askAgain())) throw error;
      return this.#known()(...token);
    }
  };

  #known(): FindKey {
    if (this.#find !== undefined && this.#since(this.#foundAt) <= KEPT) return this.#find;
    const message = 'the issuer of access tokens is out of reach';
    throw new DomainError('unavailable', 'issuer-unavailable', message, [], { cause: this.#failure });
  }

  /** Whether the issuer was asked: by this call, or by one that is under way; not when it was asked only just now. */
  async #askAgain(): Promise<boolean> {
    const pause = this.#since(this.#foundAt) <= KEPT ? COOL_DOWN : NEXT_TRY;
    if (this.#asking === undefined && this.#since(this.#askedAt) < pause) return false;
    this.#asking ??= this.#ask();
    await this.#asking;
    return true;
  }

  async #ask(): Promise<void> {
    this.#askedAt = this.now().getTime();
    try {
      this.#find = createLocalJWKSet(await this.published());
      this.#foundAt = this.now().getTime();
    } catch (error) {
      this.#failure = error;
    }
    this.#asking = undefined;
  }

  /** In milliseconds; a clock that was set back counts like one that was set forward. */
  #since(time: number): number {
    return Math.abs(this.now().getTime() - time);
  }
}
