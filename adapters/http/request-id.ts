import { randomBytes } from 'node:crypto';
import type { Exchange, Middleware } from './exchange.js';

const LEGAL = /^[A-Za-z0-9-]{1,64}$/;

/** Names each request: as the client did in X-Request-Id if that is legal, else by a prefix of this process and a count. */
export function requestIds(): Middleware<Exchange> {
  const prefix = randomBytes(9).toString('hex');
  let count = 0;
  return (ctx, next) => {
    const wanted = ctx.req.headers['x-request-id'];
    const requestId = typeof wanted === 'string' && LEGAL.test(wanted) ? wanted : `${prefix}-${(count += 1)}`;
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
