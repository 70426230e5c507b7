import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../../domain/address.js';

/**
 * The address of whoever sent a request: that of the connection, or, behind so many reverse proxies that are trusted, the one that the
 * outermost of them wrote into X-Forwarded-For. Nothing further left is believed, nor any other header.
 */
export function clientAddress(request: IncomingMessage, trustedProxyHops: number): string {
  const remote = plainAddress(request.socket.remoteAddress ?? '');
  if (trustedProxyHops === 0) return remote;
  const written = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const claimed = plainAddress((written[Math.max(0, written.length - trustedProxyHops)] ?? '').trim());
  return isIP(claimed) === 0 ? remote : claimed;
}
