const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const DOTTED_END = /\d+\.\d+\.\d+\.\d+$/;

/** Returns the address, as IPv4 when an IPv4 address came over IPv6: it is the same client. */
export function plainAddress(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/**
 * Whom an address stands for: an IPv4 address for itself, one of IPv6 for its first 64 bits, which one customer has for
 * themselves (RFC 6177).
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.replace(/%.*/, '').replace(DOTTED_END, '0:0').split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
