import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '../../../domain/address.js';
import { socketOf } from './socket.js';

/** Some proxies write the port, too; an address of IPv6 then stands in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;

/**
 * Returns the address of the client: that of the connection, or, behind trusted reverse proxies, the one that the
 * outermost of them wrote into X-Forwarded-For. Nothing further left counts, and no other header. With fewer entries
 * than proxies, one of them was passed by, and the client may have written them all.
 */
export function clientAddress(request: IncomingMessage, trustedProxyHops: number): string {
  const remote = plainAddress(socketOf(request)?.remoteAddress ?? '');
  if (trustedProxyHops === 0) return remote;
  const written = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const outermost = (written[written.length - trustedProxyHops] ?? '').trim();
  const claimed = plainAddress(outermost.replace(WITH_PORT, '$1$2'));
  return isIP(claimed) === 0 ? remote : claimed;
}
