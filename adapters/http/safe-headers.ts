import type { Exchange, Middleware } from './exchange.js';

/** On every answer; what a client may keep is said by those that it may keep. */
export function safeHeaders(): Middleware<Exchange> {
  return (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Vary', 'Authorization');
    return next();
  };
}
