import { networkOf } from '../../domain/address.js';
import type { Context, Exchange, Middleware, RateLimits } from './exchange.js';
import { Problem } from './problems.js';
import { Quota, type Standing } from './quota.js';

export const RATE_LIMITS: RateLimits = { reads: 600, creates: 60, failedAuthentications: 30 };

/** Counts the requests of each key, and says on every answer how many are left. A 304 is free, while there is one left. */
export function rateLimits(limits: RateLimits): Middleware<Exchange> {
  const reads = quota('reads', limits.reads);
  const creates = quota('creates', limits.creates);
  return async (ctx, next) => {
    const allowance = ctx.method === 'POST' ? creates : reads;
    if (allowance === undefined) {
      await next();
      return;
    }
    const { credentialId, developerId } = ctx.state.caller;
    const subject = credentialId ?? developerId;
    const taken = await allowance.take(subject);
    spend(ctx, allowance, taken);
    await next();
    if (ctx.state.reply.status === 304) Object.assign(ctx.state.reply.headers, allowance.headers(await allowance.giveBack(subject, taken)));
  };
}

/** Counts failed authentications by the address that they come from. */
export function failedAuthentications(limits: RateLimits, addressOf: (ctx: Context) => string): (ctx: Context) => Promise<void> {
  const failures = quota('failed-authentications', limits.failedAuthentications);
  return async (ctx) => {
    if (failures === undefined) return;
    const standing = await failures.take(networkOf(addressOf(ctx)));
    if (standing.exceeded) spend(ctx, failures, standing);
  };
}

function spend(ctx: Context, allowance: Quota, standing: Standing): void {
  Object.assign(ctx.state.reply.headers, allowance.headers(standing));
  if (!standing.exceeded) return;
  const detail = `The limit is ${allowance.limit} ${allowance.name.replace('-', ' ')} a minute.`;
  throw new Problem('quota-exceeded', detail, { headers: { 'Retry-After': String(standing.reset) } });
}

function quota(name: string, limit: number | 'off'): Quota | undefined {
  return limit === 'off' ? undefined : new Quota(name, limit);
}
