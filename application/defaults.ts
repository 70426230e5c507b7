/** The clock and the randomness of a core to which its host brings none of its own: the one place where the core touches them. */
import { createHash, randomBytes, randomUUID, scrypt as scryptOf, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { TOKEN_BYTES } from '../domain/session.js';

export const now = (): Date => new Date();

/**
 * A UUID of version 7: 48 bits of Unix time in milliseconds, then 74 random bits (RFC 9562, section 5.7), those of a version 4.
 * Joined rather than concatenated, which would keep its parts in memory as long as itself.
 */
export function newUuid(): string {
  return [uuidStart(Date.now()), randomUUID().slice('00000000-0000-4'.length)].join('');
}

/** Up to the version. Remembered, since many are made in one millisecond. */
function uuidStart(at: number): string {
  if (at !== started.at) {
    const time = at.toString(16).padStart(12, '0');
    started = { at, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return started.text;
}

let started = { at: -1, text: '' };

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
