import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const LEGAL = /^[A-Za-z0-9-]{1,64}$/;

/** Names each request: as the client did in X-Request-Id if that is legal, else by a prefix of its own and a count. */
export function requestNames(): (request: IncomingMessage) => string {
  const prefix = randomBytes(9).toString('hex');
  let count = 0;
  return (request) => nameWanted(request) ?? `${prefix}-${(count += 1)}`;
}

/** What the client called it, if that is legal. */
export function nameWanted({ headers }: IncomingMessage): string | undefined {
  const wanted = headers['x-request-id'];
  return typeof wanted === 'string' && LEGAL.test(wanted) ? wanted : undefined;
}
