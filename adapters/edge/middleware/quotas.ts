import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { requireOptions } from '../../../domain/options.js';

/** How many requests a minute are allowed; `off` for any number. */
export interface RateLimits {
  /** Per developer, all requests except creates. */
  readonly reads: number | 'off';
  /** Per developer. */
  readonly creates: number | 'off';
  /**
   * Per address, requests with a key that is malformed, unknown, expired or revoked. Valid keys from the same address
   * are served.
   */
  readonly failedAuthentications: number | 'off';
}

/** Some of the limits; the others have their defaults. */
export type LimitOptions = { readonly [Name in keyof RateLimits]?: RateLimits[Name] | undefined };

export const RATE_LIMITS: RateLimits = { reads: 600, creates: 60, failedAuthentications: 30 };

/**
 * The requests of each developer in this process, over all keys and tokens, and over the forms of the panel that store
 * an automation. API and panel of one process share it.
 */
export class DeveloperQuotas {
  /** @hidden */
  readonly reads: Quota | undefined;
  /** @hidden */
  readonly creates: Quota | undefined;

  /** Default: 600 reads and 60 creates a minute. @throws TypeError for a limit that cannot be. */
  constructor(limits: LimitOptions = {}) {
    const { reads, creates } = checkedLimits(limits);
    this.reads = newQuota('reads', reads);
    this.creates = newQuota('creates', creates);
  }
}

/** Returns the limits with their defaults. @throws TypeError that names what is wrong and what is allowed. */
export function checkedLimits(given: LimitOptions = {}): RateLimits {
  requireOptions('rateLimits', given, { reads: true, creates: true, failedAuthentications: true });
  const {
    reads = RATE_LIMITS.reads,
    creates = RATE_LIMITS.creates,
    failedAuthentications = RATE_LIMITS.failedAuthentications,
  } = given;
  const limits = { reads, creates, failedAuthentications };
  for (const [name, limit] of Object.entries(limits)) {
    if (!isLimit(limit)) throw new TypeError(`rateLimits.${name} must be an integer above 0, or off`);
  }
  return limits;
}

export function newQuota(name: string, limit: number | 'off'): Quota | undefined {
  return limit === 'off' ? undefined : new Quota(name, limit);
}

const WINDOW_SECONDS = 60;

/** Beyond that the subject that asked least recently starts again. */
const MAX_SUBJECTS = 50_000;

/** Where a subject stands in its window. */
export interface Standing {
  readonly exceeded: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the next window. */
  readonly resetSeconds: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly end: number;
}

/** Returns whether a quota can have this limit. */
export function isLimit(limit: unknown): boolean {
  return limit === 'off' || (Number.isInteger(limit) && Number(limit) > 0);
}

/** A number of requests per minute, or another time, and subject, counted in the memory of this process. */
export class Quota {
  readonly #policy: string;
  readonly #limiter: RateLimiterMemory;
  readonly #subjects = new LRUCache<string, true>({
    // Grows with its subjects: `max` would take 8 ms and 1.4 MB in advance.
    maxSize: MAX_SUBJECTS,
    sizeCalculation: () => 1,
    dispose: (_, subject, reason) => reason === 'evict' && void this.#limiter.delete(subject),
  });

  constructor(
    readonly name: string,
    readonly limit: number,
    windowSeconds = WINDOW_SECONDS,
  ) {
    this.#policy = `"${name}";q=${limit};w=${windowSeconds}`;
    this.#limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds, keyPrefix: '' });
  }

  /** Counts one more request, also one that is too many. */
  async take(subject: string): Promise<Standing> {
    this.#subjects.set(subject, true);
    try {
      return standing(await this.#limiter.consume(subject), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return standing(refusal, true);
      throw refusal;
    }
  }

  /** Gives one request back, unless its window is over. */
  async giveBack(subject: string, taken: Standing): Promise<Standing> {
    if (Date.now() >= taken.end) return { ...taken, resetSeconds: 1 };
    return standing(await this.#limiter.reward(subject), false);
  }

  /** Returns the headers of draft-ietf-httpapi-ratelimit-headers, and GitHub's names for the same. */
  headers({ remaining, resetSeconds, end }: Standing): Record<string, string> {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.name}";r=${remaining};t=${resetSeconds}`,
      'X-RateLimit-Limit': String(this.limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil(end / 1000)),
    };
  }
}

function standing({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Standing {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return { exceeded, remaining: remainingPoints, resetSeconds, end: Date.now() + msBeforeNext };
}
