/** The clock and the randomness of Node: the only file of the core that touches them. */
import { hash, randomBytes, randomUUID, scrypt as scryptOf, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { TOKEN_BYTES } from '../domain/session.js';

export const now = (): Date => new Date();

/**
 * Returns a source of UUIDs of version 7, each greater than the one before, also within a millisecond: 48 bits of
 * Unix time in milliseconds, 12 bits that count, then 62 random bits (RFC 9562, sections 5.7 and 6.2).
 */
export function increasingUuids(): () => string {
  let last = 0n;
  return () => {
    const now = BigInt(Date.now()) << 12n;
    last = now > last ? now : last + 1n;
    const digits = last.toString(16).padStart(15, '0');
    const rest = randomUUID().slice('00000000-0000-4000'.length);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(12)}${rest}`;
  };
}

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text);

/** Returns a new token for a session or an invitation. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Derives a key with scrypt (RFC 7914), on the thread pool. */
export function scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scryptOf(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export { randomBytes, timingSafeEqual };

export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
