import type { DeveloperId, Origin } from './access.js';
import type { ApiKeyId } from './api-key.js';
import type { AutomationId } from './automation.js';

/** A UUID, in lower case (RFC 9562). */
export type AuditEntryId = string & { readonly __brand: 'AuditEntryId' };

/** What is worth remembering. */
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
  'automation-withdrawn',
  'automations-brought-in',
  'categories-imported',
] as const;
/** What was done, as a word. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did what, when, from where. There is no room in it for a text of anybody's choice, and so none for a secret. */
export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: Date;
  /** `developer` is the one whose account it concerns; `stranger` is one who could not say who they are. */
  readonly actor: 'developer' | 'operator' | 'stranger';
  readonly action: AuditAction;
  /** Whose account it concerns; without it, nobody's that there is. */
  readonly developerId?: DeveloperId;
  /** What it was done to; of a rotation, the successor. */
  readonly subject?: ApiKeyId | AutomationId;
  /** An IP address. */
  readonly address?: string;
  readonly requestId?: string;
}

/** What an entry says beside where and when. */
export type Deed = Pick<AuditEntry, 'actor' | 'action' | 'developerId' | 'subject'>;

const ADDRESS = /^[0-9A-Fa-f:.]{2,45}$/;
const REQUEST_ID = /^[\x21-\x7E]{1,128}$/;

/** An address that is none and a request id of other characters are left out. */
export function newAuditEntry(deed: Deed, origin: Origin, { id, at }: Pick<AuditEntry, 'id' | 'at'>): AuditEntry {
  const { actor, action, developerId, subject } = deed;
  const { address = '', requestId = '' } = origin;
  return Object.freeze({
    id,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developerId }),
    ...(subject !== undefined && { subject }),
    ...(ADDRESS.test(address) && { address }),
    ...(REQUEST_ID.test(requestId) && { requestId }),
  });
}
