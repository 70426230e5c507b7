import { DomainError } from './errors.js';

/**
 * The name under which a developer may repeat a create. It is stored with the automation that it created, so it cannot
 * be lost or left behind alone.
 */
export interface IdempotencyKey {
  /** Unique per developer. The part before the colon keeps the keys of requests and of imports apart. */
  readonly value: string;
  /** The time for which it is kept, in milliseconds; undefined is for ever. */
  readonly lifetime: number | undefined;
}

const DAY = 24 * 60 * 60 * 1000;
const VISIBLE_ASCII = /^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/;

export const IDEMPOTENCY_KEY_RULE = 'must be 1 to 255 visible ASCII characters except " and \\';

/** Parses the key that a client sent, without quotes. @throws DomainError `invalid`. */
export function requestKey(text: string): IdempotencyKey {
  if (typeof text === 'string' && VISIBLE_ASCII.test(text)) return { value: `request:${text}`, lifetime: DAY };
  throw new DomainError('invalid', 'idempotency-key', `the idempotency key ${IDEMPOTENCY_KEY_RULE}`, [
    { field: 'idempotencyKey', code: 'invalid-format', detail: IDEMPOTENCY_KEY_RULE },
  ]);
}

/** The key of one line of an import: a digest of the line, and which copy of it this is, from 1. */
export function importKey(digest: string, copy: number): IdempotencyKey {
  if (typeof digest !== 'string' || digest === '' || !Number.isInteger(copy) || copy < 1)
    throw new TypeError('importKey takes the digest of a line, a text, and which copy of it this is, from 1');
  return { value: `import:${digest}:${copy}`, lifetime: undefined };
}
