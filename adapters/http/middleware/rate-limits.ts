import { networkOf } from '../../../domain/address.js';
import type { Context, HttpMiddleware, RateLimits } from '../context.js';
import { Problem } from '../problems/problem.js';
import { Quota, type Standing } from './quota.js';

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

/** Counts failed authentications by the client's network. @throws Problem `quota-exceeded` when there are too many. */
export function failedAuthentications(limits: RateLimits, addressOf: (ctx: Context) => string) {
  const quota = newQuota('failed-authentications', limits.failedAuthentications);
  return async (ctx: Context): Promise<void> => {
    if (quota === undefined) return;
    const standing = await quota.take(networkOf(addressOf(ctx)));
    if (standing.exceeded) spend(ctx, quota, standing);
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
