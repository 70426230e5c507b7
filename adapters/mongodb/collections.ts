import type { Collection, CollectionOptions, Db } from 'mongodb';
import type { ChapterDocument } from './chapters.js';
import type {
  ApiKeyDocument,
  AuditDocument,
  AutomationDocument,
  CounterDocument,
  DeveloperDocument,
  SessionDocument,
  SettingDocument,
} from './documents.js';
import { checkDriver } from './driver.js';

/** The types of the values that are read, whatever the client's own options are. */
export const BSON_OPTIONS = {
  promoteBuffers: false,
  promoteLongs: true,
  promoteValues: true,
  useBigInt64: false,
} as const;

/** What is read was acknowledged by a majority, and so is what was written before it is answered. */
const DURABLE: CollectionOptions = {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
  ...BSON_OPTIONS,
};

/** The names of collections that commands name; an earlier version has `automations` and `audit`. */
export const AUTOMATIONS = 'automations_v2';
export const CHAPTERS = 'chapters';

/** An index of the automations, which are prepared last: where it is, everything is prepared. */
export const LAST_INDEX = 'idempotency_key';

export interface Collections {
  readonly automations: Collection<AutomationDocument>;
  readonly chapters: Collection<ChapterDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly apiKeys: Collection<ApiKeyDocument>;
  readonly developers: Collection<DeveloperDocument>;
  readonly sessions: Collection<SessionDocument>;
  readonly audit: Collection<AuditDocument>;
  readonly settings: Collection<SettingDocument>;
}

/** Returns the collections of a store. @throws TypeError for a `Db` of another driver than 7. */
export function collectionsOf(db: Db): Collections {
  checkDriver(db);
  return {
    automations: db.collection(AUTOMATIONS, DURABLE),
    chapters: db.collection(CHAPTERS, DURABLE),
    counters: db.collection('counters', DURABLE),
    apiKeys: db.collection('api_keys', DURABLE),
    developers: db.collection('developers', DURABLE),
    sessions: db.collection('sessions', DURABLE),
    audit: db.collection('audit_v2', DURABLE),
    settings: db.collection('settings', DURABLE),
  };
}
