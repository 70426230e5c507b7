import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

const BODY = 64 * 1024;
const TARGET = 8 * 1024;

/** Returns a target of this many bytes. */
export function targetOf(size: number): string {
  const start = `${AUTOMATIONS}?category=`;
  return start + 'a'.repeat(size - start.length);
}

export const LIMIT_ROWS: readonly Row[] = [
  passes('a body of 64 KiB', 201, { ...create(draft()), bodyBytes: BODY }),
  refused('a body of 64 KiB and a byte', 413, 'payload-too-large', { ...create(draft()), bodyBytes: BODY + 1 }),
  refused('a broken body of 64 KiB and a byte', 413, 'payload-too-large', create('{'.repeat(BODY + 1))),
  refused('a broken body of 64 KiB', 400, 'malformed-json', create('{'.repeat(BODY))),
  refused('a used idempotency key and a body over the limit', 413, 'payload-too-large', {
    ...create(draft(), { 'Idempotency-Key': '{used}' }),
    bodyBytes: BODY + 1,
  }),
  passes('a target of 8,000 bytes', 200, { target: targetOf(8_000) }),
  refused('a target of 9,000 bytes', 414, 'uri-too-long', { target: targetOf(9_000) }),
  refused('a target of 9,000 bytes without a key', 414, 'uri-too-long', {
    target: targetOf(9_000),
    headers: { Authorization: undefined },
  }),
  refused('a target of 15 KiB', 414, 'uri-too-long', { target: targetOf(2 * TARGET - 1024) }),
  refused('a credential of 17 KiB', 431, 'header-too-large', {
    target: AUTOMATIONS,
    headers: { Authorization: `Bearer ${'k'.repeat(17 * 1024)}` },
  }),
];
