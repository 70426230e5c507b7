import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const LEGAL = /^[A-Za-z0-9-]{1,64}$/;

/**
 * Returns a function that names requests: by a legal X-Request-Id of the client, else by a random prefix and a count.
 */
export function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(9).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && LEGAL.test(sent) ? sent : `${prefix}-${(count += 1)}`;
  };
}
