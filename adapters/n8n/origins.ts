import type { HttpMiddleware } from '../edge/context.js';
import { checkedN8nUrls } from '../edge/host-options.js';

const PREFLIGHT_SECONDS = 600;

/** Returns the origins of base addresses. @throws TypeError unless each is one. */
export function originsOf(urls: readonly string[]): ReadonlySet<string> {
  return new Set(checkedN8nUrls(urls).map((url) => new URL(url).origin));
}

/**
 * Tells browsers that pages of these origins may read what is here (CORS). The editor sends its version in a header of
 * its own, and cookies, which are not read; so no other origin is named, and never all of them.
 */
export function allowOrigins(origins: ReadonlySet<string>): HttpMiddleware {
  return function allowOrigin(ctx, next) {
    const origin = ctx.get('Origin');
    if (origins.has(origin)) {
      ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
      if (ctx.method === 'OPTIONS')
        ctx.set({
          'Access-Control-Allow-Headers': 'n8n-version',
          'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
        });
    }
    return next();
  };
}
