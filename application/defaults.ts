/** The clock and the randomness of Node: the only file of the core that touches them. */
import {
  hash,
  randomBytes,
  randomInt,
  randomUUID,
  scrypt as scryptOf,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import type { DeveloperId } from '../domain/access.js';
import { TOKEN_BYTES } from '../domain/session.js';

export const now = (): Date => new Date();

const IDS_PER_MS = 0x1000;
let latestMs = 0;
let idsInLatestMs = 0;

/**
 * Returns a UUID of version 7 (RFC 9562, section 5.7) that is greater than the ones before it in this process: 48 bits
 * of Unix time in milliseconds, a counter of 12 bits (section 6.2, method 1) and 62 random bits.
 */
export function newUuid(): string {
  const nowMs = Math.max(Date.now(), idsInLatestMs === IDS_PER_MS ? latestMs + 1 : latestMs);
  idsInLatestMs = nowMs === latestMs ? idsInLatestMs + 1 : 1;
  latestMs = nowMs;
  const time = nowMs.toString(16).padStart(12, '0');
  const counter = (idsInLatestMs - 1).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${randomUUID().slice('00000000-0000-4000-'.length)}`;
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);

/** Returns a new token for a session or an invitation. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const PERSON_DIGITS = 10;

/** Returns a new id of an account that no operator has named: `person-` and lower-case letters and digits. */
export function newPersonId(): DeveloperId {
  const digits = Array.from({ length: PERSON_DIGITS }, () => randomInt(36).toString(36));
  return `person-${digits.join('')}` as DeveloperId;
}

/** Derives a key with scrypt (RFC 7914), on the thread pool. */
export function scrypt(password: string, salt: Uint8Array, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scryptOf(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export { randomBytes, timingSafeEqual };

export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
