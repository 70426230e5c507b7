import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** In seconds. */
const WINDOW = 60;

/** How many subjects are remembered; beyond that the one that came first starts anew. */
const MOST_SUBJECTS = 50_000;

/** Where a subject stands in its window. */
export interface Standing {
  readonly exceeded: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, after which the window begins anew. */
  readonly reset: number;
  /** The same as a time, in milliseconds since 1970. */
  readonly end: number;
}

/** So many requests a minute and subject, counted in the memory of this process. */
export class Quota {
  readonly #policy: string;
  readonly #limit: string;
  readonly #limiter: RateLimiterMemory;
  readonly #subjects = new Set<string>();

  constructor(
    readonly name: string,
    readonly limit: number,
  ) {
    this.#policy = `"${name}";q=${limit};w=${WINDOW}`;
    this.#limit = String(limit);
    this.#limiter = new RateLimiterMemory({ points: limit, duration: WINDOW, keyPrefix: '' });
  }

  /** Counts one request more, also of those that are too many. */
  async take(subject: string): Promise<Standing> {
    this.#remember(subject);
    try {
      return standing(await this.#limiter.consume(subject), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return standing(refusal, true);
      throw refusal;
    }
  }

  /** Gives back what was taken, unless that was in a window that is over. */
  async giveBack(subject: string, taken: Standing): Promise<Standing> {
    if (Date.now() >= taken.end) return { ...taken, reset: 1 };
    return standing(await this.#limiter.reward(subject), false);
  }

  /** What there is to say of it (draft-ietf-httpapi-ratelimit-headers), and the names that GitHub gave to the same. */
  headers({ remaining, reset, end }: Standing): Readonly<Record<string, string>> {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.name}";r=${remaining};t=${reset}`,
      'X-RateLimit-Limit': this.#limit,
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil(end / 1000)),
    };
  }

  #remember(subject: string): void {
    if (this.#subjects.has(subject)) return;
    this.#subjects.add(subject);
    if (this.#subjects.size <= MOST_SUBJECTS) return;
    const [oldest = ''] = this.#subjects;
    this.#subjects.delete(oldest);
    void this.#limiter.delete(oldest);
  }
}

function standing({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Standing {
  return { exceeded, remaining: remainingPoints, reset: Math.max(1, Math.ceil(msBeforeNext / 1000)), end: Date.now() + msBeforeNext };
}
