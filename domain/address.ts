/** How many times as much a network may do that many people share, such as that of an office. */
export const SHARED_FACTOR = 10;

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const DOTTED_END = /\d+\.\d+\.\d+\.\d+$/;

/** Returns the address, as IPv4 when an IPv4 address came over IPv6: it is the same client. */
export function plainAddress(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/**
 * Whom an address stands for: an IPv4 address for itself, one of IPv6 for its first 64 bits, which one customer has for
 * themselves, or for the 56 or 48 that many customers have (RFC 6177).
 */
export function networkOf(address: string, bits: 48 | 56 | 64 = 64): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.replace(/%.*/, '').replace(DOTTED_END, '0:0').split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  const numbers = groups.slice(0, Math.ceil(bits / 16)).map((group) => parseInt(group, 16));
  if (bits === 56) numbers[3] = (numbers[3] ?? 0) & 0xff00;
  return `${numbers.map((number) => number.toString(16)).join(':')}::/${bits}`;
}
