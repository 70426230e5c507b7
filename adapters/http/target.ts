import type { Exchange, Middleware } from './exchange.js';
import { nothingHere } from './errors.js';

/** Where the endpoints stand; the answers are the same under each. */
export const BASES = ['/api', '/v1', '/api/v1', '/v1/api'] as const;

const LONGEST_FIRST = [...BASES].sort((one, other) => other.length - one.length);

/** Finds the base of the request, and leaves the rest of the path to the router. Elsewhere nothing is found, with or without a key. */
export function bases(): Middleware<Exchange, { newRouterPath: string }> {
  return (ctx, next) => {
    const base = baseOf(ctx.path);
    if (base === undefined) return nothingHere();
    ctx.state.base = base;
    ctx.newRouterPath = ctx.path.slice(base.length) || '/';
    return next();
  };
}

/** Whether a request target, in origin form or absolute form (RFC 9112, section 3.2), is for the endpoints. */
export function isUnderBase(target: string): boolean {
  return baseOf(target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '')) !== undefined;
}

function baseOf(path: string): string | undefined {
  return LONGEST_FIRST.find((base) => path === base || path.startsWith(`${base}/`));
}
