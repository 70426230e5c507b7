import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const LEGAL = /^[A-Za-z0-9-]{1,64}$/;

/** Names each request: as the client did in X-Request-Id if that is legal, else by a prefix of its own and a count. */
export function requestNames(): (request: IncomingMessage) => string {
  const prefix = randomBytes(9).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const wanted = headers['x-request-id'];
    return typeof wanted === 'string' && LEGAL.test(wanted) ? wanted : `${prefix}-${(count += 1)}`;
  };
}
