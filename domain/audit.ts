import type { DeveloperId, Origin } from './access.js';
import type { ApiKeyId } from './api-key.js';
import type { AgentAddress, AppId } from './app.js';
import type { AutomationId, RevisableField } from './automation.js';
import type { CategoryId } from './category.js';
import type { ConnectionId } from './connection.js';
import { Violations } from './errors.js';
import type { Role } from './role.js';
import { checkText, type TextRule } from './text.js';
import { uuidOf } from './uuid.js';

/** A UUID, in lower case (RFC 9562). */
export type AuditEntryId = string & { readonly __brand: 'AuditEntryId' };

/** The actions that are recorded. */
export const AUDIT_ACTIONS = [
  'developer-added',
  'developer-invited',
  'developer-activated',
  'developer-suspended',
  'developer-restored',
  'developer-role-changed',
  'profile-changed',
  'sign-in-name-changed',
  'password-changed',
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'session-ended',
  'sessions-ended',
  'key-issued',
  'key-rotated',
  'key-renamed',
  'key-revoked',
  'app-registered',
  'app-changed',
  'app-secret-renewed',
  'app-revoked',
  'app-connected',
  'app-disconnected',
  'app-token-reused',
  'signing-key-rotated',
  'automation-published',
  'automation-revised',
  'automation-withdrawn',
  'automation-reported',
  'reports-dismissed',
  'reports-upheld',
  'file-refused',
  'import-started',
  'import-finished',
  'categories-imported',
  'category-added',
  'category-renamed',
  'category-removed',
] as const;
/** One of these actions. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How many lines of an import were stored, were stored before, and failed. */
export interface ImportCounts {
  readonly stored: number;
  readonly present: number;
  readonly failed: number;
}

/** How many categories an import added, renamed, and found as they were. */
export interface CategoryImport {
  readonly added: number;
  readonly renamed: number;
  readonly unchanged: number;
}

/**
 * An action: when, by which actor, from where. No field holds free text but the name of an imported file, and so none
 * can hold a secret.
 */
export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: Date;
  /** `developer` is the owner of the account; `anonymous` has not proven an identity. */
  readonly actor: 'developer' | 'operator' | 'anonymous';
  readonly action: AuditAction;
  /** The owner of the account; undefined when there is no such account. */
  readonly developerId?: DeveloperId;
  /** The account under which the operator acted; undefined for a command. */
  readonly operatorId?: DeveloperId;
  /** The key, the app or the agent with which a program acted; undefined for a person, and for a command. */
  readonly credentialId?: string;
  /** The key, app, agent, connection, automation or category concerned; for a rotation, the successor. */
  readonly subject?: ApiKeyId | AppId | AgentAddress | ConnectionId | AutomationId | CategoryId;
  /** The key that a rotation replaced. */
  readonly predecessor?: ApiKeyId;
  /** The role that an invitation or a change gave to the developer. */
  readonly role?: Role;
  /** The fields that a revision changed. */
  readonly changed?: readonly RevisableField[];
  /** The numbers of lines of a finished import, or of the categories of one. */
  readonly counts?: ImportCounts | CategoryImport;
  /** The name of the file of an import, without its folder; undefined for standard input. */
  readonly file?: string;
  /** An IP address. */
  readonly address?: string;
  readonly requestId?: string;
}

/** An action without its time and place. */
export type AuditEvent = Pick<AuditEntry, 'actor' | 'action'> & {
  readonly [Detail in Exclude<keyof AuditEntry, 'id' | 'at' | 'actor' | 'action' | 'address' | 'requestId'>]?:
    | AuditEntry[Detail]
    | undefined;
};

const ADDRESS = /^[0-9A-Fa-f:.]{2,45}$/;
const REQUEST_ID = /^[\x21-\x7E]{1,128}$/;
/** That of an agent is the address of its metadata document. */
const CREDENTIAL_ID = /^[\x21-\x7E]{1,500}$/;
const FILE_NAME: TextRule = { maxLength: 255, multiline: false };

/** Returns the text as an entry's id; undefined when no entry can have it. */
export function auditEntryId(text: string): AuditEntryId | undefined {
  return uuidOf(text) as AuditEntryId | undefined;
}

/** Returns an entry. Leaves out an address that is none, and an id of a request or a credential, or a name
 * of a file, that cannot be shown. */
export function newAuditEntry(
  event: AuditEvent,
  origin: Origin,
  { id, at }: Pick<AuditEntry, 'id' | 'at'>,
): AuditEntry {
  const {
    actor,
    action,
    developerId,
    operatorId,
    credentialId = '',
    subject,
    predecessor,
    role,
    changed,
    counts,
  } = event;
  const file = event.file === undefined ? undefined : fileName(event.file);
  const { address = '', requestId = '' } = origin;
  return Object.freeze({
    id,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developerId }),
    ...(operatorId !== undefined && { operatorId }),
    ...(CREDENTIAL_ID.test(credentialId) && { credentialId }),
    ...(subject !== undefined && { subject }),
    ...(predecessor !== undefined && { predecessor }),
    ...(role !== undefined && { role }),
    ...(changed !== undefined && { changed: Object.freeze([...changed]) }),
    ...(counts !== undefined && { counts: Object.freeze({ ...counts }) }),
    ...(file !== undefined && { file }),
    ...(ADDRESS.test(address) && { address }),
    ...(REQUEST_ID.test(requestId) && { requestId }),
  });
}

/** Returns the name of a file without its folder; undefined for one that cannot be shown or stored unchanged. */
function fileName(path: string): string | undefined {
  const violations = new Violations();
  const name = checkText(path.split(/[\\/]/).at(-1), FILE_NAME, violations.field('file'));
  return violations.fields.length === 0 ? name : undefined;
}

/** Returns the entries of automations that were withdrawn together: one for each, with the ids in their order. */
export function withdrawalEntries(
  withdrawn: readonly AutomationId[],
  {
    entryIds,
    auditEntry,
  }: { readonly entryIds: readonly AuditEntryId[]; readonly auditEntry: Omit<AuditEntry, 'id' | 'subject'> },
): readonly AuditEntry[] {
  return withdrawn.flatMap((subject, index) => {
    const id = entryIds[index];
    return id === undefined ? [] : [Object.freeze({ ...auditEntry, id, subject })];
  });
}
