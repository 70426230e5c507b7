import type { OAuthRecord } from '../../domain/ports.js';

/** Returns a copy, whose dates are its own. */
export function copyOfRecord(record: OAuthRecord): OAuthRecord {
  const { expiresAt, consumedAt } = record;
  return Object.freeze({
    ...record,
    ...(expiresAt && { expiresAt: new Date(expiresAt) }),
    ...(consumedAt && { consumedAt: new Date(consumedAt) }),
  });
}
