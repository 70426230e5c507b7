import type { DeveloperId } from './access.js';
import { DomainError, type ReportViolation } from './errors.js';
import type { Scope } from './scope.js';
import { checkText, type TextRule } from './text.js';

/** A UUID, in lower case (RFC 9562); no secret. */
export type ApiKeyId = string & { readonly __brand: 'ApiKeyId' };

/** A stored key: everything but its text. */
export interface ApiKey {
  readonly id: ApiKeyId;
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  /** The first characters, by which its owner recognises it. */
  readonly prefix: string;
  readonly developerId: DeveloperId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** For how long it was issued, in milliseconds; a successor is issued for as long. Without it, for ever. */
  readonly lifetime?: number;
  readonly expiresAt?: Date;
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
}

/** The one who gets a key, and what it allows; with a lifetime in milliseconds, or for ever. */
export type KeyOwner = Pick<ApiKey, 'developerId' | 'name' | 'scopes'> & { readonly lifetime?: number | undefined };

/** Returns a new key. @throws DomainError `invalid` for the lifetime. */
export function newApiKey(
  { developerId, name, scopes, lifetime }: KeyOwner,
  { id, text, hash, createdAt }: Pick<ApiKey, 'id' | 'hash' | 'createdAt'> & { readonly text: string },
): ApiKey {
  const expiresAt = expiryOf(lifetime, createdAt);
  return Object.freeze({
    id,
    hash,
    prefix: displayPrefix(text),
    developerId,
    name,
    scopes,
    createdAt,
    ...(lifetime !== undefined && { lifetime }),
    ...(expiresAt && { expiresAt }),
  });
}

/**
 * Returns a copy of the key. Written out, since each request copies one and a spread takes three times as long.
 */
export function copyOf(key: ApiKey): ApiKey {
  const { id, hash, prefix, developerId, name, scopes, createdAt, lifetime, expiresAt, lastUsedAt, revokedAt } = key;
  return Object.freeze({
    id,
    hash,
    prefix,
    developerId,
    name,
    scopes: Object.freeze([...scopes]),
    createdAt: new Date(createdAt),
    ...(lifetime !== undefined && { lifetime }),
    ...(expiresAt && { expiresAt: new Date(expiresAt) }),
    ...(lastUsedAt && { lastUsedAt: new Date(lastUsedAt) }),
    ...(revokedAt && { revokedAt: new Date(revokedAt) }),
  });
}

/** Returns the error for a developer who has this number of keys, the most that are allowed. */
export function tooManyKeys(max: number): DomainError {
  const message = `a developer has at most ${max} keys at once; revoke one that is not needed`;
  return new DomainError('conflict', 'too-many-keys', message);
}

export const KEY_NAME: TextRule = { maxLength: 100, multiline: false };
const MIN_LIFETIME_MS = 1000;
const MAX_LIFETIME_MS = 100 * 365 * 24 * 60 * 60 * 1000;

const START = 'amk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = START.length + 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^amk_[0-9A-Za-z]{36}$/;

/** A new key of 178 random bits: `amk_`, 30 base62 characters, and 6 that are the CRC-32 of all before them. */
export function newKeyText(randomBytes: (count: number) => Uint8Array): string {
  let text = START;
  while (text.length < START.length + RANDOM_LENGTH) text += base62(randomBytes(RANDOM_LENGTH));
  const body = text.slice(0, START.length + RANDOM_LENGTH);
  return body + checksum(body);
}

/** Bytes of 248 and over are dropped: 248 is 4 x 62, so every character is as likely as any other. */
function base62(bytes: Uint8Array): string {
  return Array.from(bytes)
    .filter((byte) => byte < 248)
    .map((byte) => BASE62.charAt(byte % 62))
    .join('');
}

/** Returns whether a text can be a key. Finds typing errors without asking the store. */
export function isKeyText(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

export function displayPrefix(keyText: string): string {
  return keyText.slice(0, PREFIX_LENGTH);
}

/**
 * Whether a key opens anything at this time: neither revoked nor expired; at the very time of its expiry it is expired.
 */
export function isActive(key: ApiKey, at: Date): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || at < key.expiresAt);
}

/**
 * Returns when a key ended or will end, in milliseconds since 1970: when it was revoked or expires, whichever is first.
 * Infinity for a key that never ends.
 */
export function endOf({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): number {
  return Math.min(revokedAt?.getTime() ?? Infinity, expiresAt?.getTime() ?? Infinity);
}

export function checkKeyName(value: string, report: ReportViolation): string {
  return checkText(value, KEY_NAME, report);
}

/**
 * When a key with this lifetime, in milliseconds, expires; undefined for one without.
 * @throws DomainError `invalid`.
 */
export function expiryOf(lifetime: number | undefined, createdAt: Date): Date | undefined {
  if (lifetime === undefined) return undefined;
  if (lifetime >= MIN_LIFETIME_MS && lifetime <= MAX_LIFETIME_MS) return new Date(createdAt.getTime() + lifetime);
  const detail = 'must be from 1 second to 100 years';
  throw new DomainError('invalid', 'key-lifetime', `the lifetime ${detail}`, [
    { field: 'expires', code: 'out-of-range', detail },
  ]);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO 3309, as in zip and PNG) of an ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
