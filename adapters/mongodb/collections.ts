import type { Binary, CollectionOptions, Db, ObjectId } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKeyId } from '../../domain/api-key.js';
import type { AuditEntryId } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { ReportDecision, ReportId, ReportKind } from '../../domain/report.js';
import type { AutomationDocument, FileDocument } from './automation-documents.js';
import type { DeveloperDocument } from './developer-documents.js';
import { requireParts } from '../../domain/options.js';

/** The types of the values that are read, whatever the client's own options are. */
export const BSON_OPTIONS = {
  promoteBuffers: false,
  promoteLongs: true,
  promoteValues: true,
  useBigInt64: false,
} as const;

/** What is read was acknowledged by a majority, and so is what was written before it is answered. */
export const MAJORITY = { w: 'majority', journal: true } as const;

const DURABLE: CollectionOptions = {
  readConcern: { level: 'majority' },
  writeConcern: MAJORITY,
  readPreference: 'primary',
  ...BSON_OPTIONS,
};

/** The names of the collections that commands name. */
export const AUTOMATIONS = 'automations';
export const AUTOMATION_FILES = 'automation_files';
export const COUNTS = 'counts';
export const COUNT_DELTAS = 'count_deltas';

/** The counts of 128 blocks, without what the deltas say. */
export interface CountsDocument {
  /** The first block, divided by 128. */
  _id: number;
  /** Another text after each change. */
  v: string;
  /** Little-endian integers of 16 bits, one for each block. */
  categories: { category: string; blocks: Binary }[];
}

/** Changes of counts, by block and category. */
export interface DeltaDocument {
  _id: string;
  /** Another text after each change. */
  v: string;
  /** The time of the last change. */
  at: Date;
  changes?: Record<string, Record<CategoryId, number>>;
}

/** The fields by which keys are found and changed; the others are those of a key. */
export interface ApiKeyDocument {
  _id: ApiKeyId;
  /** Grows with each key that a process adds. */
  position: ObjectId;
  hash: string;
  developer_id: DeveloperId;
  name: string;
  expires_at?: Date;
  last_used_at?: Date;
  revoked_at?: Date;
  /** When the key ended or will end. Of one that never ends, the last time there is. */
  ends_at: Date;
}

/** Its id is one value, so the order of its fields counts (`identityId`). */
export interface IdentityDocument {
  _id: { issuer: string; subject: string };
  developer_id: DeveloperId;
}

/** Its id is the hash of its token. */
export interface SessionDocument {
  _id: string;
  developer_id: DeveloperId;
  created_at: Date;
  until: Date;
}

/** The fields by which entries are found; the others are those of an entry. */
export interface AuditDocument {
  _id: AuditEntryId;
  developer_id?: DeveloperId;
}

/** The fields by which records of the authorization server are found and changed; the others are those of a record. */
export interface OAuthRecordDocument {
  /** The kind and the id, with a blank between them. */
  _id: string;
  developer_id?: DeveloperId;
  client_id?: string;
  grant_id?: string;
  uid?: string;
  user_code?: string;
  expires_at?: Date;
  /** When it was used up, and by which call. */
  consumed?: { at: Date; by: string };
}

/** The fields by which reports are found and changed; the others are those of a report. */
export interface ReportDocument {
  _id: ReportId;
  automation_id: AutomationId;
  kind: ReportKind;
  at: Date;
  developer_id?: DeveloperId;
  address?: string;
  closed_at?: Date;
  decision?: ReportDecision;
  /** Of those alone that are open. */
  is_open?: true;
}

/** Its id is the SHA-256 of the file. */
export interface RefusedFileDocument {
  _id: string;
  at: Date;
}

/** The next free number of an automation. */
export interface CounterDocument {
  _id: string;
  next: number;
}

/** The version of the schema, the currency, the names of the categories by their ids, and when an operator changed. */
export interface SettingDocument {
  _id: string;
  value: unknown;
}

/** A developer or an automation that was locked (`lockById`), and how often. */
export interface LockDocument {
  _id: DeveloperId | AutomationId;
  uses: number;
}

/** A session of the driver in which a process writes. */
export interface WritingSessionDocument {
  _id: Binary;
  at: Date;
}

export type Collections = Readonly<ReturnType<typeof collectionsOf>>;

/** Returns the collections of a store. @throws TypeError for a `Db` of another driver than 7. */
export function collectionsOf(db: Db) {
  checkDriver(db);
  return {
    automations: db.collection<AutomationDocument>(AUTOMATIONS, DURABLE),
    automationFiles: db.collection<FileDocument>(AUTOMATION_FILES, DURABLE),
    counts: db.collection<CountsDocument>(COUNTS, DURABLE),
    countDeltas: db.collection<DeltaDocument>(COUNT_DELTAS, DURABLE),
    counters: db.collection<CounterDocument>('counters', DURABLE),
    apiKeys: db.collection<ApiKeyDocument>('api_keys', DURABLE),
    developers: db.collection<DeveloperDocument>('developers', DURABLE),
    identities: db.collection<IdentityDocument>('identities', DURABLE),
    sessions: db.collection<SessionDocument>('sessions', DURABLE),
    audit: db.collection<AuditDocument>('audit', DURABLE),
    oauthRecords: db.collection<OAuthRecordDocument>('oauth_records', DURABLE),
    reports: db.collection<ReportDocument>('reports', DURABLE),
    refusedFiles: db.collection<RefusedFileDocument>('refused_files', DURABLE),
    locks: db.collection<LockDocument>('locks', DURABLE),
    settings: db.collection<SettingDocument>('settings', DURABLE),
    writingSessions: db.collection<WritingSessionDocument>('writing_sessions', DURABLE),
  };
}

/** What a client of a driver before 7 tells among its options; from 7 on, no public member tells the version. */
interface EarlierClient {
  readonly options?: { readonly metadata?: { readonly driver?: { readonly version?: string } } };
}

/**
 * @throws TypeError for a `Db` of a driver before 7. It sends no id and no binary value that the driver 7 has made.
 * A `Db` of a driver before 5 does not tell its client.
 */
export function checkDriver(db: Db): void {
  requireParts('a storage in MongoDB', 'a Db of the driver mongodb', db, []);
  const { client } = db as { readonly client?: EarlierClient };
  const version = client?.options?.metadata?.driver?.version;
  if (client !== undefined && version === undefined) return;
  throw new TypeError(
    `This Db is of version ${version ?? '4 or older'} of the driver mongodb, and version 7 is needed. ` +
      'With Mongoose, use version 9.',
  );
}
