/** The clock and the randomness of a core to which its host brings none of its own: the one place where the core touches them. */
import { createHash, randomBytes, randomUUID, scrypt as scryptOf, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { TOKEN_BYTES } from '../domain/session.js';

export const now = (): Date => new Date();

/**
 * A UUID of version 7: 48 bits of Unix time in milliseconds, then 74 random bits (RFC 9562, section 5.7), those of a version 4.
 * Joined rather than concatenated, which would keep its parts in memory as long as itself.
 */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return [time.slice(0, 8), '-', time.slice(8), '-7', randomUUID().slice('00000000-0000-4'.length)].join('');
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The token of a session or of an invitation. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** RFC 7914, on the thread pool. */
export function scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scryptOf(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export { randomBytes, timingSafeEqual };

export const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
