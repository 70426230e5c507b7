import { UUID, type Binary, type Collection, type CollectionOptions, type Db, type ObjectId } from 'mongodb';
import type { DeveloperId, Scope } from '../../domain/access.js';
import type { ApiKeyId } from '../../domain/api-key.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { Invitation } from '../../domain/developer.js';

/**
 * `number` and `category_number` are those of `domain/numbering.ts`. A withdrawn automation keeps them, so that nobody
 * is given them again.
 */
export interface AutomationDocument {
  _id: Binary;
  number: number;
  category_number: number;
  category_id: CategoryId;
  title: string;
  description: string;
  price: number;
  currency: Currency;
  developer_id: DeveloperId;
  created_at: Date;
  idempotency_key?: string;
  idempotency_key_until?: Date;
  withdrawn_at?: Date;
  withdrawn_reason?: string;
}

/** What was withdrawn in a category, or of all under the empty one: how many, and the highest number among them. */
export interface TallyDocument {
  _id: string;
  withdrawn: number;
  highest_withdrawn: number;
  /** The numbers that were withdrawn last, in that order; those before a version that knew of them are missing. */
  latest?: number[];
}

/** That a process wants turns to add, or who takes turns from now on. */
export interface TurnNoteDocument {
  _id: ObjectId;
  by: string;
  /** Turns are counted. */
  turn?: number;
  /** The first one has the turn. */
  ring?: string[];
  /**
   * The highest numbers that were left behind by whoever had the turn before, in JSON: all are told them, and only who
   * has the turn reads them.
   */
  numbers?: string;
}

export interface CategoryDocument {
  _id: CategoryId;
  name: string;
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
}

export interface DeveloperDocument {
  _id: DeveloperId;
  /** Grows with each developer that a process invites. */
  position: Binary | object;
  invited_at: Date;
  invitation?: Invitation;
  sign_in_name?: string;
  /** What `domain/developer.ts` makes of the sign-in name, by which names are told apart. */
  sign_in_key?: string;
  password_hash?: string;
  active_since?: Date;
  suspended_at?: Date;
}

/** Its id is the hash of its token. */
export interface SessionDocument {
  _id: string;
  developer_id: DeveloperId;
  created_at: Date;
  until: Date;
}

export interface AuditDocument {
  _id: AuditEntryId;
  position: number;
  at: Date;
  actor: AuditEntry['actor'];
  action: AuditEntry['action'];
  developer_id?: DeveloperId;
  subject?: NonNullable<AuditEntry['subject']>;
  address?: string;
  request_id?: string;
}

/** What is read was acknowledged by a majority, and so is what was written before it is answered. */
const DURABLE: CollectionOptions = {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};

/** For what may be lost. */
const FLEETING: CollectionOptions = {
  readConcern: { level: 'local' },
  writeConcern: { w: 1, journal: false },
  readPreference: 'primary',
};

export interface Collections {
  readonly automations: Collection<AutomationDocument>;
  readonly tallies: Collection<TallyDocument>;
  readonly turnNotes: Collection<TurnNoteDocument>;
  readonly categories: Collection<CategoryDocument>;
  readonly apiKeys: Collection<ApiKeyDocument>;
  readonly developers: Collection<DeveloperDocument>;
  readonly sessions: Collection<SessionDocument>;
  readonly audit: Collection<AuditDocument>;
  readonly settings: Collection<{ _id: string; value: string }>;
}

export function collectionsOf(db: Db): Collections {
  return {
    automations: db.collection('automations', DURABLE),
    tallies: db.collection('tallies', DURABLE),
    turnNotes: db.collection('turn_notes', FLEETING),
    categories: db.collection('categories', DURABLE),
    apiKeys: db.collection('api_keys', DURABLE),
    developers: db.collection('developers', DURABLE),
    sessions: db.collection('sessions', DURABLE),
    audit: db.collection('audit', DURABLE),
    settings: db.collection('settings', DURABLE),
  };
}

/** UUIDs are stored as binary of subtype 4. */
export function uuid(id: AutomationId): Binary {
  return new UUID(id);
}

export function idOf(binary: Binary): AutomationId {
  return binary.toUUID().toHexString() as AutomationId;
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
  };
}

export type SummaryDocument = Pick<
  AutomationDocument,
  '_id' | 'number' | 'category_id' | 'category_number' | 'title' | 'price' | 'currency' | 'withdrawn_at'
>;

export function summaryOf({ _id, title, price, currency }: SummaryDocument): AutomationSummary {
  return Object.freeze({ id: idOf(_id), title, price: Object.freeze({ minorUnits: price, currency }) });
}
