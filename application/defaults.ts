/** The clock and the randomness of a core to which its host brings none of its own: the one place where the core touches them. */
import { createHash, randomBytes } from 'node:crypto';


export const now = (): Date => new Date();

/** A UUID of version 7: 48 bits of Unix time in milliseconds, then 74 random bits (RFC 9562, section 5.7). */
export function newUuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export { randomBytes };
