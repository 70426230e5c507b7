import { UUID, type Binary, type Document } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKeyId } from '../../domain/api-key.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { Invitation } from '../../domain/developer.js';
import type { ArchivedAutomation, NewAutomation } from '../../domain/ports.js';
import type { Role } from '../../domain/role.js';
import { wordsIn, type Words } from './words.js';

/** That an automation on sale was changed, and the category in which its chapter counted it before. */
export interface Mark {
  id: string;
  was: CategoryId;
}

/** An automation. A placeholder has `_id` and `seq` alone: it keeps a number from being used later. */
export interface AutomationDocument {
  _id: Binary;
  /** The order of the market: higher is newer. Unique, with gaps. */
  seq: number;
  /** Missing when it was withdrawn. */
  on_sale?: true;
  category_id: CategoryId;
  title: string;
  description: string;
  price: number;
  currency: Currency;
  developer_id: DeveloperId;
  created_at: Date;
  updated_at: Date;
  idempotency_key?: string;
  idempotency_key_until?: Date;
  request_hash?: string;
  withdrawn_at?: Date;
  withdrawn_reason?: string;
  /** The changes that its chapter does not count yet, oldest first. */
  marks?: Mark[];
  /** Entries on their way to the audit log. */
  audit?: AuditDocument[];
  /** Missing from a process that keeps none. */
  words?: Words;
}

/** The next free number, as far as this document is right. */
export interface CounterDocument {
  _id: string;
  next: number;
}

export interface ApiKeyDocument {
  _id: ApiKeyId;
  /** Grows with each key that a process adds. */
  position: Binary | object;
  hash: string;
  prefix: string;
  developer_id: DeveloperId;
  name: string;
  scopes: Scope[];
  created_at: Date;
  lifetime?: number;
  expires_at?: Date;
  last_used_at?: Date;
  revoked_at?: Date;
  /** When the key ended or will end. Of one that never ends, the last time there is. */
  ends_at: Date;
  /** The key that this one replaces, until it is certain that it does. */
  predecessor?: ApiKeyId;
  /** The keys that replace this one. */
  successors?: ApiKeyId[];
}

export interface DeveloperDocument {
  _id: DeveloperId;
  /** Grows with each developer that a process invites. */
  position: Binary | object;
  invited_at: Date;
  invitation?: Invitation;
  sign_in_name?: string;
  /** The form of the sign-in name by which `domain/developer.ts` tells names apart. */
  sign_in_key?: string;
  password_hash?: string;
  /** Missing from documents of earlier versions: their accounts are those of developers. */
  role?: Role;
  /** The form of the id that `domain/public-name.ts` compares with public names. */
  id_skeleton: string;
  public_name?: string;
  /** The forms of the public name by which `domain/public-name.ts` tells names apart. */
  public_name_folded?: string;
  public_name_skeleton?: string;
  website?: string;
  active_since?: Date;
  suspended_at?: Date;
}

/** Its id is the hash of its token. */
export interface SessionDocument {
  _id: string;
  developer_id: DeveloperId;
  created_at: Date;
  until: Date;
  address?: string;
}

export interface AuditDocument {
  _id: AuditEntryId;
  at: Date;
  actor: AuditEntry['actor'];
  action: AuditEntry['action'];
  developer_id?: DeveloperId;
  subject?: NonNullable<AuditEntry['subject']>;
  changed?: NonNullable<AuditEntry['changed']>;
  counts?: NonNullable<AuditEntry['counts']>;
  address?: string;
  request_id?: string;
  operator_id?: DeveloperId;
  role?: Role;
}

/** The currency, the names of the categories by their ids, and how far an upgrade has come. */
export interface SettingDocument {
  _id: string;
  value: unknown;
}

/** UUIDs are stored as binary of subtype 4. */
export function uuid(id: AutomationId): Binary {
  return new UUID(id);
}

export function idOf(binary: Binary): AutomationId {
  return binary.toUUID().toHexString() as AutomationId;
}

export function documentOf(offer: NewAutomation, seq: number, hasWords = false): AutomationDocument {
  const { automation, idempotencyKey, idempotencyKeyUntil, requestHash, auditEntry } = offer;
  return {
    _id: uuid(automation.id),
    seq,
    on_sale: true,
    ...contentOf(automation),
    developer_id: automation.developerId,
    created_at: automation.createdAt,
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(idempotencyKeyUntil && { idempotency_key_until: idempotencyKeyUntil }),
    ...(idempotencyKey !== undefined && requestHash !== undefined && { request_hash: requestHash }),
    ...(auditEntry && { audit: [auditDocumentOf(auditEntry)] }),
    ...(hasWords && { words: wordsIn(automation) }),
  };
}

/** Returns the fields that a revision changes. */
export function contentOf({ categoryId, title, description, price, updatedAt }: Automation) {
  const { minorUnits, currency } = price;
  return { category_id: categoryId, title, description, price: minorUnits, currency, updated_at: updatedAt };
}

export function automationOf(document: AutomationDocument): Automation {
  return {
    id: idOf(document._id),
    title: document.title,
    description: document.description,
    price: { minorUnits: document.price, currency: document.currency },
    categoryId: document.category_id,
    developerId: document.developer_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

export function archivedOf(document: AutomationDocument): ArchivedAutomation {
  const { withdrawn_at: at, withdrawn_reason: reason } = document;
  const automation = automationOf(document);
  return at === undefined ? { automation } : { automation, withdrawn: { at, ...(reason !== undefined && { reason }) } };
}

/** All fields but those that only the server uses. */
export const CONTENT = { words: 0 } as const;

/** The fields of a summary. */
export const SUMMARY = { title: 1, price: 1, currency: 1 } as const;

export function summaryOf({ _id, title, price, currency }: AutomationDocument): AutomationSummary {
  return { id: idOf(_id), title, price: { minorUnits: price, currency } };
}

export function auditDocumentOf(entry: AuditEntry): AuditDocument {
  const { id, at, actor, action, developerId, operatorId, subject, role, changed, counts, address, requestId } = entry;
  return {
    _id: id,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(subject !== undefined && { subject }),
    ...(changed !== undefined && { changed }),
    ...(counts !== undefined && { counts }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(operatorId !== undefined && { operator_id: operatorId }),
    ...(role !== undefined && { role }),
  };
}

export function auditEntryOf(document: AuditDocument): AuditEntry {
  const { _id, at, actor, action, developer_id, subject, changed, counts, address, request_id } = document;
  const { operator_id, role } = document;
  return {
    id: _id,
    at,
    actor,
    action,
    ...(developer_id !== undefined && { developerId: developer_id }),
    ...(subject !== undefined && { subject }),
    ...(changed !== undefined && { changed }),
    ...(counts !== undefined && { counts }),
    ...(address !== undefined && { address }),
    ...(request_id !== undefined && { requestId: request_id }),
    ...(operator_id !== undefined && { operatorId: operator_id }),
    ...(role !== undefined && { role }),
  };
}

/**
 * Returns an update that sets fields of an automation, and notes in the same document that it was changed, and by which
 * action.
 */
export function changeOf(fields: Document, auditEntry?: AuditEntry): Document[] {
  const mark = { id: randomUUID(), was: '$category_id' };
  const entry = auditEntry && appended('audit', { $literal: auditDocumentOf(auditEntry) });
  return [{ $set: { ...fields, ...appended('marks', mark), ...entry } }];
}

function appended(list: string, value: unknown): Document {
  return { [list]: { $concatArrays: [listOrEmpty(list), [value]] } };
}

/** Returns an update that removes the members with these ids from a list, and the list if it is empty then. */
export function withoutMembers(list: 'marks' | 'audit', id: 'id' | '_id', ids: readonly string[]): Document[] {
  const others = { input: listOrEmpty(list), cond: { $not: [{ $in: [`$$this.${id}`, ids] }] } };
  return [
    { $set: { [list]: { $filter: others } } },
    { $set: { [list]: { $cond: [{ $eq: [`$${list}`, []] }, '$$REMOVE', `$${list}`] } } },
  ];
}

function listOrEmpty(list: string): Document {
  return { $cond: [{ $isArray: [`$${list}`] }, `$${list}`, []] };
}
