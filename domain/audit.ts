import type { DeveloperId, Origin } from './access.js';
import type { ApiKeyId } from './api-key.js';
import type { AutomationId, RevisableField } from './automation.js';
import { isUuid } from './uuid.js';

/** A UUID, in lower case (RFC 9562). */
export type AuditEntryId = string & { readonly __brand: 'AuditEntryId' };

/** The actions that are recorded. */
export const AUDIT_ACTIONS = [
  'developer-invited',
  'developer-activated',
  'developer-suspended',
  'developer-restored',
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'key-issued',
  'key-rotated',
  'key-revoked',
  'automation-published',
  'automation-revised',
  'automation-withdrawn',
  'import-started',
  'import-finished',
  'automations-brought-in',
  'categories-imported',
] as const;
/** One of these actions. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How many lines of an import were stored, were stored before, and failed. */
export interface ImportCounts {
  readonly stored: number;
  readonly present: number;
  readonly failed: number;
}

/** An action: when, by which actor, from where. No field holds free text, and so none can hold a secret. */
export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: Date;
  /** `developer` is the owner of the account; `stranger` has not proven an identity. */
  readonly actor: 'developer' | 'operator' | 'stranger';
  readonly action: AuditAction;
  /** The owner of the account; undefined when there is no such account. */
  readonly developerId?: DeveloperId;
  /** The key or automation concerned; for a rotation, the successor. */
  readonly subject?: ApiKeyId | AutomationId;
  /** The fields that a revision changed. */
  readonly changed?: readonly RevisableField[];
  /** The numbers of lines of a finished import. */
  readonly counts?: ImportCounts;
  /** An IP address. */
  readonly address?: string;
  readonly requestId?: string;
}

/** An action without its time and place. */
export type AuditEvent = Pick<AuditEntry, 'actor' | 'action' | 'developerId' | 'subject' | 'changed' | 'counts'>;

const ADDRESS = /^[0-9A-Fa-f:.]{2,45}$/;
const REQUEST_ID = /^[\x21-\x7E]{1,128}$/;

/** Returns the text as an entry's id; undefined when no entry can have it. */
export function auditEntryId(text: string): AuditEntryId | undefined {
  return isUuid(text) ? (text as AuditEntryId) : undefined;
}

/** Returns an entry. Leaves out an address that is none, and a request id with other characters. */
export function newAuditEntry(
  event: AuditEvent,
  origin: Origin,
  { id, at }: Pick<AuditEntry, 'id' | 'at'>,
): AuditEntry {
  const { actor, action, developerId, subject, changed, counts } = event;
  const { address = '', requestId = '' } = origin;
  return Object.freeze({
    id,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developerId }),
    ...(subject !== undefined && { subject }),
    ...(changed !== undefined && { changed: Object.freeze([...changed]) }),
    ...(counts !== undefined && { counts: Object.freeze({ ...counts }) }),
    ...(ADDRESS.test(address) && { address }),
    ...(REQUEST_ID.test(requestId) && { requestId }),
  });
}
