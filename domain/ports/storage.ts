import type { Currency } from '../currency.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { AuditLog } from './audit-log.js';
import type { AutomationArchive } from './automation-archive.js';
import type { AutomationRepository } from './automation-repository.js';
import type { CatalogueSearch } from './catalogue-search.js';
import type { CategoryRepository } from './category-repository.js';
import type { DeveloperRepository } from './developer-repository.js';
import type { OAuthRecords } from './oauth-records.js';
import type { ReportRepository } from './report-repository.js';
import type { SessionRepository } from './session-repository.js';

/** A difference between the automations and what is derived from them, or a price that no store should have. */
export interface Difference {
  /** What differs, for people: for example `category "email", numbers 256 to 511: counted 12, there are 13`. */
  readonly description: string;
  readonly repaired: boolean;
}

/**
 * What a store can do. It is `read-only` while it takes no writes: in a standby, in a database that is read-only, and
 * from a write that was refused, such as for lack of room, until one succeeds.
 */
export type StoreState = 'ready' | 'read-only';

/** What a storage can do beyond what each one must. The contract suites leave out the rest, and print what. */
export interface StorageSupport {
  /** The member `search` is there. */
  readonly search: boolean;
  /** First, middle and last page of a list cost the same. */
  readonly deepPages: boolean;
}

/** The values that a store is to record. */
export interface PrepareOptions {
  readonly currency?: Currency | undefined;
  /** Where people reach the service: `https://market.example`. */
  readonly address?: string | undefined;
}

/** The values that a store has recorded. */
export interface StoreRecord {
  readonly currency: Currency;
  readonly address?: string | undefined;
}

/** A store as a whole: every port, and its life from the start to the end. */
export interface Storage {
  readonly supports: StorageSupport;
  readonly automations: AutomationRepository;
  readonly archive: AutomationArchive;
  /** Without it, the service finds with a search that reads everything: good for some 10,000 automations. */
  readonly search?: CatalogueSearch | undefined;
  readonly categories: CategoryRepository;
  readonly keys: ApiKeyRepository;
  readonly developers: DeveloperRepository;
  readonly sessions: SessionRepository;
  readonly auditLog: AuditLog;
  /** Without them, there is no authorization server on this storage. */
  readonly oauthRecords?: OAuthRecords | undefined;
  /** Without them, automations cannot be reported. */
  readonly reports?: ReportRepository | undefined;

  /** Returns the recorded currency, once `prepare` has resolved; may return undefined before. `newCore` takes it. */
  recordedCurrency(): Currency | undefined;

  /**
   * Creates what is missing, records what it is given, and resolves to what is recorded. May be repeated, also by
   * several processes at once. The currency is recorded once: without one, a new store has `DEFAULT_CURRENCY`. Rejects
   * with a `DomainError` of kind `conflict`, code `other-currency`, when the store has another currency, and records
   * nothing. A new address replaces the recorded one. Until a store is prepared, by any process, each write to it
   * rejects as `unavailable`, code `not-prepared`, and stores nothing; a store in the memory of one process needs no
   * `prepare`.
   */
  prepare(options: PrepareOptions): Promise<StoreRecord>;

  /** Resolves to what the store can do, when it can be reached. Rejects as `unavailable` otherwise. */
  ping(): Promise<StoreState>;

  /**
   * Counts again everything that is derived from the automations, while the store is in use, and returns what differed.
   * With `repair` it corrects each difference. Prices in another currency than the recorded one are reported, and stay,
   * and so are automations without the bytes of their file. Bytes that belong to no automation are removed.
   */
  check(options: { readonly repair: boolean }): Promise<readonly Difference[]>;

  /** Releases what the storage holds. Calls afterwards reject as `unavailable`. */
  close(): Promise<void>;
}

/** The ports of a storage that write. */
export type WritingPort = Exclude<
  keyof Storage,
  'archive' | 'search' | 'supports' | 'recordedCurrency' | 'prepare' | 'ping' | 'check' | 'close'
>;

/** The methods of each that read; every other one writes. */
export const READS: { readonly [Port in WritingPort]: readonly (keyof NonNullable<Storage[Port]>)[] } = {
  automations: ['find', 'readFile', 'list', 'countByCategory'],
  categories: ['list', 'find'],
  keys: ['find', 'findByHash', 'list', 'listActive', 'countActive', 'listEnded', 'countEnded'],
  developers: [
    'find',
    'findBySignInName',
    'findByInvitation',
    'findByIdentity',
    'findShownAs',
    'list',
    'listIdentities',
    'count',
    'countOperators',
  ],
  sessions: ['findByHash', 'list'],
  auditLog: ['list'],
  oauthRecords: ['find', 'findByUid', 'findByUserCode', 'list', 'count'],
  reports: ['listReported', 'list', 'isRefused'],
};
