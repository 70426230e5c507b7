import type { Binary, Collection, CollectionOptions, Db } from 'mongodb';
import type { ApiKeyDocument } from './api-key-repository.js';
import type { AuditDocument } from './audit-log.js';
import type { AutomationDocument } from './automation-documents.js';
import type { CountsDocument, DeltaDocument } from './counts.js';
import type { DeveloperDocument } from './developer-documents.js';
import type { SessionDocument } from './session-repository.js';

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
export const COUNTS = 'counts';
export const COUNT_DELTAS = 'count_deltas';

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

/** A session of the driver in which a process writes. */
export interface WritingSessionDocument {
  _id: Binary;
  at: Date;
}

export interface Collections {
  readonly automations: Collection<AutomationDocument>;
  readonly counts: Collection<CountsDocument>;
  readonly countDeltas: Collection<DeltaDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly apiKeys: Collection<ApiKeyDocument>;
  readonly developers: Collection<DeveloperDocument>;
  readonly sessions: Collection<SessionDocument>;
  readonly audit: Collection<AuditDocument>;
  readonly settings: Collection<SettingDocument>;
  readonly writingSessions: Collection<WritingSessionDocument>;
}

/** Returns the collections of a store. @throws TypeError for a `Db` of another driver than 7. */
export function collectionsOf(db: Db): Collections {
  checkDriver(db);
  return {
    automations: db.collection(AUTOMATIONS, DURABLE),
    counts: db.collection(COUNTS, DURABLE),
    countDeltas: db.collection(COUNT_DELTAS, DURABLE),
    counters: db.collection('counters', DURABLE),
    apiKeys: db.collection('api_keys', DURABLE),
    developers: db.collection('developers', DURABLE),
    sessions: db.collection('sessions', DURABLE),
    audit: db.collection('audit', DURABLE),
    settings: db.collection('settings', DURABLE),
    writingSessions: db.collection('writing_sessions', DURABLE),
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
  const { client } = db as { readonly client?: EarlierClient };
  const version = client?.options?.metadata?.driver?.version;
  if (client !== undefined && version === undefined) return;
  throw new TypeError(
    `This Db is of version ${version ?? '4 or older'} of the driver mongodb, and version 7 is needed. ` +
      'With Mongoose, use version 9.',
  );
}
