import { networkOf, SHARED_FACTOR } from '../../../domain/address.js';
import type { Context, HttpMiddleware } from '../context.js';
import { Problem } from '../problems/problem.js';
import { newQuota, type DeveloperQuotas, type Quota, type RateLimits, type Standing } from './quotas.js';

/**
 * Counts the requests of each developer, and reports in every response how many are left. A 304 is free while at least
 * one is left.
 */
export function rateLimits(quotas: DeveloperQuotas): HttpMiddleware {
  const count = countRequest(quotas);
  return async function limitRate(ctx, next) {
    const giveBack = await count(ctx, ctx.method === 'POST' ? 'creates' : 'reads');
    await next();
    if (ctx.status === 304) await giveBack?.();
  };
}

/**
 * Counts one more request of the developer, and returns what gives it back. @throws Problem `quota-exceeded` when it is
 * too much.
 */
export function countRequest(quotas: DeveloperQuotas) {
  return async (ctx: Context, kind: 'reads' | 'creates'): Promise<(() => Promise<void>) | undefined> => {
    const quota = quotas[kind];
    if (quota === undefined) return undefined;
    const { developerId } = ctx.state.caller;
    const taken = await quota.take(developerId);
    spend(ctx, quota, taken);
    return async () => ctx.set(quota.headers(await quota.giveBack(developerId, taken)));
  };
}

/** Counts a create that a form asks for. When it is too much, returns the seconds to wait, and sets the headers. */
export async function countCreate(
  ctx: Context,
  { creates }: DeveloperQuotas,
  developerId: string,
): Promise<number | undefined> {
  const standing = await creates?.take(developerId);
  if (creates === undefined || standing?.exceeded !== true) return undefined;
  ctx.set({ ...creates.headers(standing), 'Retry-After': String(standing.resetSeconds) });
  return standing.resetSeconds;
}

/** How the network of a client is found. */
export interface Networks {
  readonly addressOf: (ctx: Context) => string;
  readonly isSharedNetwork: (address: string) => boolean;
}

/** Counts failed authentications. */
export function failedAuthentications(limits: RateLimits, networks: Networks) {
  return perNetwork('failed-authentications', limits.failedAuthentications)(networks);
}

/**
 * Counts something by the client's network, of which one that many people share has ten times as much.
 * @throws Problem `quota-exceeded` when it is too much.
 */
export function perNetwork(name: string, limit: number | 'off') {
  const [ofOne, ofMany] = [perSubject(name, limit), perSubject(name, limit === 'off' ? limit : limit * SHARED_FACTOR)];
  return ({ addressOf, isSharedNetwork }: Networks) =>
    (ctx: Context): Promise<void> => {
      const address = addressOf(ctx);
      return (isSharedNetwork(address) ? ofMany : ofOne)(ctx, networkOf(address));
    };
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
