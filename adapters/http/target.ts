import type { Exchange, Middleware } from './exchange.js';
import { nothingHere } from './errors.js';

/** Where the endpoints stand; the answers are the same under each. */
export const BASES = ['/api', '/v1', '/api/v1', '/v1/api'] as const;

const LONGEST_FIRST = [...BASES].sort((one, other) => other.length - one.length);
const VITAL = ['/livez', '/readyz', '/metrics'];
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Finds the base of the request, and what comes after it. Elsewhere nothing is found, with or without a key. */
export function bases(): Middleware<Exchange> {
  return (ctx, next) => {
    const target = ctx.req.url ?? '';
    const path = pathOf(target);
    const base = baseOf(path);
    if (base === undefined) return nothingHere();
    ctx.state.base = base;
    ctx.state.path = path.slice(base.length) || '/';
    ctx.state.query = queryOf(target);
    return next();
  };
}

/** Whether a request target is for the endpoints. */
export function isUnderBase(target: string): boolean {
  return baseOf(pathOf(target)) !== undefined;
}

/** Whether a request target is what operators and their tools ask for, which never waits for others. */
export function isVital(target: string): boolean {
  return VITAL.includes(pathOf(target));
}

/** Whether a request target is this path or below it. */
export function isUnder(path: string, target: string): boolean {
  return isAtOrBelow(pathOf(target), path);
}

/** Of a target in origin form or absolute form (RFC 9112, section 3.2). */
function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const end = local.indexOf('?');
  return end < 0 ? local : local.slice(0, end);
}

function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}

function baseOf(path: string): string | undefined {
  return LONGEST_FIRST.find((base) => isAtOrBelow(path, base));
}

function isAtOrBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}
