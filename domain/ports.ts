/**
 * The driven ports: what the core needs from the outside. Each sentence is a promise on which the core relies, and the
 * title of a test in the contract suite of its port (`test/contracts`), which every adapter passes unchanged.
 *
 * For all ports:
 * - The core has checked the values. An adapter stores them unchanged, and the caller leaves them unchanged until the
 *   call has returned. Values that go in and come out are copies: changing them changes nothing in the store.
 * - Calls that overlap have the outcome of some order of them, and no call undoes the write of another.
 * - When the store cannot be reached, a call rejects with a `DomainError`: of kind `unavailable` when nothing was done,
 *   of kind `outcome-unknown` when a write was sent and no answer came. The message is the adapter's own.
 * - Every other failure passes unchanged.
 */
import type { Caller, DeveloperId } from './access.js';
import type { ApiKey, ApiKeyId } from './api-key.js';
import type { AuditEntry, AuditEntryId } from './audit.js';
import type { Automation, AutomationId, AutomationSummary } from './automation.js';
import type { Category, CategoryId } from './category.js';
import type { Developer, Invitation } from './developer.js';
import type { Page } from './page.js';
import type { Session } from './session.js';

/** A new automation, and the key with which its developer may repeat the request. */
export interface NewAutomation {
  readonly automation: Automation;
  readonly idempotencyKey?: string;
  /** The time at which the key is free again; without it, never. */
  readonly idempotencyKeyUntil?: Date;
}

/** The outcome of one offer. */
export type AddOutcome =
  | { readonly outcome: 'stored' }
  /** The developer used the key before, for this automation; nothing was stored. */
  | { readonly outcome: 'earlier'; readonly automation: Automation }
  /** An automation has this id already; nothing was stored. */
  | { readonly outcome: 'conflict' };

/** A page, of all automations or of one category. */
export interface AutomationQuery {
  readonly page: Page;
  /** Only the automations of this category. */
  readonly category?: CategoryId;
}

/** A page, and how many automations match on all pages. */
export interface AutomationPage {
  readonly items: readonly AutomationSummary[];
  readonly total: number;
  /** An opaque name for the state that was read. A page without one is not kept by any cache. */
  readonly revision?: string;
}

/** A part of a list, newest first: what comes after a known item. */
export interface CursorQuery<Id> {
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, the part begins with the newest. */
  readonly before?: Id;
}

/** A part of a list, oldest first: what comes after a known item. */
export interface ForwardCursorQuery<Id> {
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, the part begins with the oldest. */
  readonly after?: Id;
}

/** The withdrawal of an automation from the market. */
export interface Withdrawal {
  readonly at: Date;
  /** Only when this developer offered it. */
  readonly developerId?: DeveloperId;
  readonly reason?: string;
}

/** The outcome of a withdrawal. */
export type WithdrawOutcome =
  | 'withdrawn'
  /** It was withdrawn before; nothing changed. */
  | 'already-withdrawn'
  /** No automation has this id, or another developer offered it; nothing changed. */
  | 'unknown';

/** The automations on sale and the withdrawn ones, in the order in which the store accepted them. */
export interface AutomationRepository {
  /**
   * Stores the offers, 500 at most, one after the other, as if each had been added alone, and returns one outcome for
   * each, in the same order. What is `stored` is durable and is seen by every `find`, `list` and `countByCategory` that
   * starts afterwards. An id that is taken is a `conflict`, also when it was withdrawn and also when raced; then
   * nothing of the offer is kept. An idempotency key that the same developer has used, in this call or earlier, returns
   * the `earlier` automation, also when that was withdrawn or the id is taken too, and also when raced; each developer
   * has their own keys. A key whose `idempotencyKeyUntil` is not after the new automation's `createdAt` is free: it
   * passes to the new one. When it rejects as `unavailable`, none of the offers was stored.
   */
  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]>;

  /** Returns the automation, field for field as it was added; undefined when the id is unknown or withdrawn. */
  find(id: AutomationId): Promise<Automation | undefined>;

  /**
   * Returns one page, newest first: the reverse of the order in which `add` stored them, whatever their `createdAt`.
   * The total counts exactly the automations that match, and items and total show one state of the store.
   * A page past the end is empty and has the true total, as has a category without automations.
   * Two pages of the same query with the same `revision` have the same items and the same total.
   * First, middle and last page cost the same, whatever the number of automations.
   */
  list(query: AutomationQuery): Promise<AutomationPage>;

  /**
   * Returns a developer's own automations on sale, newest first, in the order of `list`; at most `limit` of them, and
   * fewer only at the end. With `before`, those that come after that automation in this order, also when it was
   * withdrawn; none when it is unknown or another developer's. Every such part costs the same, whatever the number
   * of automations.
   */
  listOf(developerId: DeveloperId, query: CursorQuery<AutomationId>): Promise<readonly Automation[]>;

  /**
   * Returns all automations on sale, oldest first: in the order in which `add` stored them, whatever their `createdAt`;
   * at most `limit` of them, and fewer only at the end. With `after`, those that come after that automation in this
   * order, also when it was withdrawn; none when it is unknown. Every such part costs the same, whatever the number
   * of automations.
   */
  listOldestFirst(query: ForwardCursorQuery<AutomationId>): Promise<readonly Automation[]>;

  /**
   * Counts the automations on sale in each category, all in one state of the store; a category without any may be
   * missing.
   */
  countByCategory(): Promise<ReadonlyMap<CategoryId, number>>;

  /**
   * Takes an automation off the market for good: from then on it is as if it had never existed, except that its id and
   * its idempotency key stay taken. Returns `already-withdrawn` for one that is withdrawn, and `unknown` for an unknown
   * id and for one of another developer than the one named. When raced, one call returns `withdrawn`.
   */
  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome>;

  /** Returns the reason for each of these ids, 1,000 at most, that was withdrawn with a reason. */
  withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>>;

  /** Frees every idempotency key whose `idempotencyKeyUntil` is not after this time, and returns how many. */
  freeIdempotencyKeys(asOf: Date): Promise<number>;
}

/** The categories of the marketplace. */
export interface CategoryRepository {
  /** Returns every category, in any order. */
  list(): Promise<readonly Category[]>;

  /** Returns the category; undefined when there is none with this id. */
  find(id: CategoryId): Promise<Category | undefined>;

  /**
   * Adds the categories whose id is new and renames the others, all or none of them; of two with one id the last
   * counts. Returns how many were new.
   */
  save(categories: readonly Category[]): Promise<number>;
}

/** The API keys, without their text. */
export interface ApiKeyRepository {
  /**
   * Stores a key. Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced.
   */
  add(key: ApiKey): Promise<void>;

  /** Returns the key, field for field as it was added; undefined when there is none. */
  find(id: ApiKeyId): Promise<ApiKey | undefined>;

  /** Returns the key with this hash, expired and revoked ones included; undefined when there is none. */
  findByHash(hash: string): Promise<ApiKey | undefined>;

  /** Returns the keys of one developer, or of all, in the order in which they were added. */
  list(developerId?: DeveloperId): Promise<readonly ApiKey[]>;

  /**
   * Stores the successor and lets the key with this id expire at `until`, unless it expires sooner: both or neither.
   * Returns false, and stores nothing, when there is no such key or it is revoked. Rejects as `add` does.
   */
  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean>;

  /**
   * Stores the time of the revocation and returns true; returns false when there is no such key. The first revocation
   * counts.
   */
  revoke(id: ApiKeyId, at: Date): Promise<boolean>;

  /** Stores the time of a use; an earlier time than the stored one and an unknown id change nothing. */
  noteUse(id: ApiKeyId, at: Date): Promise<void>;
}

/**
 * Finds the caller of a request by its credential: an API key, an access token of an issuer, or the session of a host.
 */
export interface ApiKeyVerifier {
  /**
   * Returns the caller with this credential. Returns undefined for every other credential, such as a malformed,
   * unknown, expired or revoked one. Accepts any text of any length without failing. Rejects as `unavailable` when it
   * cannot be decided.
   */
  verify(credential: string): Promise<Caller | undefined>;
}

/** The sign-in that a developer chooses with an invitation. */
export interface Activation {
  readonly signInName: string;
  readonly passwordHash: string;
  readonly at: Date;
}

/**
 * Developers with an account. Sign-in names are compared without case and normal forms (`signInKey` in
 * `domain/developer.ts`).
 */
export interface DeveloperRepository {
  /** Returns the developer with this id, field for field; undefined when there is none. */
  find(id: DeveloperId): Promise<Developer | undefined>;

  /** Returns the developer with this sign-in name, in any case and normal form; undefined when there is none. */
  findBySignInName(name: string): Promise<Developer | undefined>;

  /**
   * Returns the developer whose invitation has this hash, expired ones included; undefined when there is none, as after
   * it was used or replaced.
   */
  findByInvitation(hash: string): Promise<Developer | undefined>;

  /** Returns every developer, in the order in which they were first invited. */
  list(): Promise<readonly Developer[]>;

  /**
   * Adds a developer with this invitation; for an existing developer it replaces an earlier one.
   * Nothing else of a developer changes: when they were first invited, how they sign in, whether they are suspended.
   */
  invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void>;

  /**
   * Uses up the invitation with this hash and gives its developer the sign-in name and the password hash, all or
   * nothing; `activeSince` is the first time. Returns false, and changes nothing, when there is no such invitation,
   * when its `until` is not after `at`, or when the developer is suspended. When raced, one call returns true. Rejects
   * with a `DomainError` of kind `conflict`, and leaves the invitation good, when another developer has the sign-in
   * name, also when raced.
   */
  activate(invitationHash: string, activation: Activation): Promise<boolean>;

  /**
   * Stores the time of the suspension and returns true; returns false when there is no such developer. The first
   * suspension counts until it is lifted.
   */
  suspend(id: DeveloperId, at: Date): Promise<boolean>;

  /** Lifts a suspension and returns true, also when there is none; returns false when there is no such developer. */
  restore(id: DeveloperId): Promise<boolean>;
}

/** The sessions of the panel, by the SHA-256 of their token. */
export interface SessionRepository {
  /** Stores a session. Rejects with a `DomainError` of kind `conflict` when its hash is taken, also when raced. */
  add(session: Session): Promise<void>;

  /** Returns the session with this hash, field for field, expired ones included; undefined when there is none. */
  findByHash(hash: string): Promise<Session | undefined>;

  /** Extends a session until this time; an earlier time than the stored one and an unknown hash change nothing. */
  renew(hash: string, until: Date): Promise<void>;

  /** Ends the session with this hash and returns whether there was one. When raced, one call returns true. */
  end(hash: string): Promise<boolean>;

  /** Ends every session of a developer, and returns how many. */
  endAll(developerId: DeveloperId): Promise<number>;

  /** Ends every session whose `until` is not after this time, and returns how many. */
  endExpired(asOf: Date): Promise<number>;
}

/** A part of the log, of all developers or of one. */
export interface AuditQuery extends CursorQuery<AuditEntryId> {
  /** Only the entries that concern this developer. */
  readonly developerId?: DeveloperId;
}

/** The audit: actions in the order in which they were stored. An entry never changes. */
export interface AuditLog {
  /**
   * Stores the entries, in their order, all or none of them; an entry whose id is stored already is not stored again.
   */
  append(entries: readonly AuditEntry[]): Promise<void>;

  /**
   * Returns the entries, field for field, newest first: the reverse of the order in which `append` stored them,
   * whatever their `at`; at most `limit` of them, and fewer only at the end. With `developerId`, only the entries that
   * concern this developer. With `before`, those that come after that entry in this order; none when it is unknown.
   * Every such part costs the same, whatever the number of entries.
   */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
