import type { OAuthRecord } from './ports.js';

/** Returns a copy of a record of the authorization server, whose dates are its own. */
export function copyOfRecord(record: OAuthRecord): OAuthRecord {
  const { expiresAt, consumedAt } = record;
  return Object.freeze({
    ...record,
    ...(expiresAt && { expiresAt: new Date(expiresAt) }),
    ...(consumedAt && { consumedAt: new Date(consumedAt) }),
  });
}
