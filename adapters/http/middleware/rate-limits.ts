import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../../domain/address.js';
import type { Context, HttpMiddleware, RateLimits } from '../context.js';
import { Problem } from '../problems/problem.js';

export const RATE_LIMITS: RateLimits = { reads: 600, creates: 60, failedAuthentications: 30 };

/**
 * Counts the requests of each key, and reports in every response how many are left. A 304 is free while at least one is
 * left.
 */
export function rateLimits(limits: RateLimits): HttpMiddleware {
  const reads = newQuota('reads', limits.reads);
  const creates = newQuota('creates', limits.creates);
  return async (ctx, next) => {
    const quota = ctx.method === 'POST' ? creates : reads;
    if (quota === undefined) {
      await next();
      return;
    }
    const { credentialId, developerId } = ctx.state.caller;
    const subject = credentialId ?? developerId;
    const taken = await quota.take(subject);
    spend(ctx, quota, taken);
    await next();
    if (ctx.status === 304) ctx.set(quota.headers(await quota.giveBack(subject, taken)));
  };
}

type AddressOf = (ctx: Context) => string;

/** Counts failed authentications. */
export function failedAuthentications(limits: RateLimits, addressOf: AddressOf) {
  return perAddress('failed-authentications', limits.failedAuthentications, addressOf);
}

/** Counts something by the client's network. @throws Problem `quota-exceeded` when it is too much. */
export function perAddress(name: string, limit: number | 'off', addressOf: AddressOf) {
  const count = perSubject(name, limit);
  return (ctx: Context): Promise<void> => count(ctx, networkOf(addressOf(ctx)));
}

/** Counts something by its subject. @throws Problem `quota-exceeded` when it is too much. */
export function perSubject(name: string, limit: number | 'off') {
  const quota = newQuota(name, limit);
  return async (ctx: Context, subject: string): Promise<void> => {
    const standing = await quota?.take(subject);
    if (quota !== undefined && standing?.exceeded === true) spend(ctx, quota, standing);
  };
}

function spend(ctx: Context, quota: Quota, standing: Standing): void {
  ctx.set(quota.headers(standing));
  if (!standing.exceeded) return;
  const detail = `The limit is ${quota.limit} ${quota.name.replace('-', ' ')} a minute.`;
  throw new Problem('quota-exceeded', detail, { headers: { 'Retry-After': String(standing.resetSeconds) } });
}

function newQuota(name: string, limit: number | 'off'): Quota | undefined {
  return limit === 'off' ? undefined : new Quota(name, limit);
}

const WINDOW_SECONDS = 60;

/** Beyond that the subject that asked least recently starts again. */
const MAX_SUBJECTS = 50_000;

/** Where a subject stands in its window. */
interface Standing {
  readonly exceeded: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the next window. */
  readonly resetSeconds: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly end: number;
}

/** A number of requests per minute and subject, counted in the memory of this process. */
export class Quota {
  readonly #policy: string;
  readonly #limiter: RateLimiterMemory;
  readonly #subjects = new LRUCache<string, true>({
    max: MAX_SUBJECTS,
    dispose: (_, subject, reason) => reason === 'evict' && void this.#limiter.delete(subject),
  });

  constructor(
    readonly name: string,
    readonly limit: number,
  ) {
    this.#policy = `"${name}";q=${limit};w=${WINDOW_SECONDS}`;
    this.#limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS, keyPrefix: '' });
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
