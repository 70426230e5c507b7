import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The address of whoever sent a request: that of the connection, or, behind so many reverse proxies that are trusted, the one that the
 * outermost of them wrote into X-Forwarded-For. Nothing further left is believed, nor any other header.
 */
export function clientAddress(request: IncomingMessage, trustedProxyHops: number): string {
  const remote = plain(request.socket.remoteAddress ?? '');
  if (trustedProxyHops === 0) return remote;
  const written = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const claimed = plain((written[Math.max(0, written.length - trustedProxyHops)] ?? '').trim());
  return isIP(claimed) === 0 ? remote : claimed;
}

/** An IPv4 address that came over IPv6 is the same client. */
function plain(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/** Whom an address stands for: an IPv4 address for itself, one of IPv6 for its network of 64 bits, which one subscriber has. */
export function subscriberOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
