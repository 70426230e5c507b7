/**
 * The driven ports: what the core needs of the world. Each comment is a promise that the core relies on, and each
 * promise is a test in the contract suite of its port (`test/contracts`), which every adapter passes unchanged.
 *
 * For all of them: what goes in was checked, and an adapter keeps it as it is; a caller leaves it as it is until the call is answered.
 * What goes in and what comes out is no handle on the store, changing it changes nothing there. Calls that overlap have the outcome of
 * some order of them, and none takes back what another noted. A store out of reach rejects with a `DomainError` of kind `unavailable`, which means that nothing was
 * done, or, for a write that was sent and never answered, `outcome-unknown`; `code` and `message` are the adapter's own. Any other failure
 * passes as it is.
 */
import type { Caller, DeveloperId } from './access.js';
import type { ApiKey, ApiKeyId } from './api-key.js';
import type { AuditEntry, AuditEntryId } from './audit.js';
import type { Automation, AutomationId, AutomationSummary } from './automation.js';
import type { Category, CategoryId } from './category.js';
import type { Developer, Invitation } from './developer.js';
import type { Page } from './page.js';
import type { Session } from './session.js';

/** An automation to be stored, and the key under which its developer may ask for it again. */
export interface Offer {
  readonly automation: Automation;
  readonly idempotencyKey?: string;
  /** When the key is free again; without it, never. */
  readonly idempotencyKeyUntil?: Date;
}

/** What became of one offer. */
export type AddOutcome =
  | { readonly outcome: 'stored' }
  /** The developer's key is on an automation already; it is the earlier one, and nothing was stored. */
  | { readonly outcome: 'earlier'; readonly automation: Automation }
  /** An automation has this id already; nothing was stored. */
  | { readonly outcome: 'conflict' };

/** Which page, and of what. */
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

/** A slice of a list that grows at its head: what comes after one that is known. */
export interface Stretch<Id> {
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, from the newest on. */
  readonly before?: Id;
}

/** A slice of a list that grows at its end: what comes after one that is known. */
export interface ForwardStretch<Id> {
  /** 1 to 1,000 */
  readonly limit: number;
  /** Without it, from the oldest on. */
  readonly after?: Id;
}

/** When, on whose behalf and why an automation leaves the market. */
export interface Withdrawal {
  readonly at: Date;
  /** Only if this developer offered it. */
  readonly developerId?: DeveloperId;
  readonly reason?: string;
}

/** What became of a withdrawal. */
export type WithdrawOutcome =
  | 'withdrawn'
  /** It was withdrawn before; nothing changed. */
  | 'already-withdrawn'
  /** No automation has this id, or another developer offered it; nothing changed. */
  | 'unknown';

/** What is on sale, and what was withdrawn, in the order in which the store accepted it. */
export interface AutomationRepository {
  /**
   * Stores the offers, 500 at most, one after the other, as if each had been added alone, and answers for each, in the same order.
   * What is `stored` is durable and is seen by every `find`, `list` and `countByCategory` that starts afterwards.
   * An id that is taken is a `conflict`, also when it was withdrawn and also when raced; then nothing of the offer is kept.
   * An idempotency key that the same developer has used, in this call or earlier, is answered by the `earlier` automation, also when that was withdrawn
   * or the id is taken too, and also when raced; of two developers each has keys of its own.
   * A key whose `idempotencyKeyUntil` is not after the new automation's `createdAt` is free: it passes to the new one.
   * When it rejects as `unavailable`, none of the offers was stored.
   */
  add(offers: readonly Offer[]): Promise<readonly AddOutcome[]>;

  /** The automation, field for field as it was added; undefined when the id is unknown or withdrawn. */
  find(id: AutomationId): Promise<Automation | undefined>;

  /**
   * One page, newest first: the reverse of the order in which `add` stored them, whatever their `createdAt`.
   * The total counts exactly the automations that match, and items and total are of one state of the store.
   * A page past the end is empty and has the true total, as has a category without automations.
   * Two pages of the same query with the same `revision` have the same items and the same total.
   * First, middle and last page cost the same, whatever the number of automations.
   */
  list(query: AutomationQuery): Promise<AutomationPage>;

  /**
   * A developer's own automations on sale, newest first, in the order of `list`; at most `limit` of them, and fewer only at the end.
   * With `before`, those that come after that automation in this order, also when it was withdrawn; none when it is unknown or another developer's.
   * Every such stretch costs the same, whatever the number of automations.
   */
  listOf(developerId: DeveloperId, stretch: Stretch<AutomationId>): Promise<readonly Automation[]>;

  /**
   * All automations on sale, oldest first: in the order in which `add` stored them, whatever their `createdAt`; at most `limit` of them, and fewer only at the end.
   * With `after`, those that come after that automation in this order, also when it was withdrawn; none when it is unknown.
   * Every such stretch costs the same, whatever the number of automations.
   */
  listOldestFirst(stretch: ForwardStretch<AutomationId>): Promise<readonly Automation[]>;

  /** How many automations are on sale in each category, all of one state of the store; a category without any may be missing. */
  countByCategory(): Promise<ReadonlyMap<CategoryId, number>>;

  /**
   * Takes an automation off the market for good: from then on it is as if it had never been, but that its id and its idempotency key stay taken.
   * Returns `already-withdrawn` for one that is withdrawn, and `unknown` for an unknown id and for one of another developer than the one named.
   * When raced, one call returns `withdrawn`.
   */
  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome>;

  /** Why automations were withdrawn: the reason of each of these ids, 1,000 at most, that was withdrawn with one. */
  withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>>;

  /** Frees every idempotency key whose `idempotencyKeyUntil` is not after this time, and answers how many. */
  freeIdempotencyKeys(asOf: Date): Promise<number>;
}

/** The shelves of the marketplace. */
export interface CategoryRepository {
  /** Every category, in any order. */
  list(): Promise<readonly Category[]>;

  /** The category, or undefined when there is none with this id. */
  find(id: CategoryId): Promise<Category | undefined>;

  /** Adds the categories whose id is new and renames the others, all or none of them; of one id twice the last counts. Answers how many were new. */
  save(categories: readonly Category[]): Promise<number>;
}

/** What is kept of the keys; never their text. */
export interface ApiKeyRepository {
  /** Stores a key. Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken, also when raced. */
  add(key: ApiKey): Promise<void>;

  /** The key, field for field as it was added; undefined when there is none. */
  find(id: ApiKeyId): Promise<ApiKey | undefined>;

  /** The key with this hash, expired and revoked ones included; undefined when there is none. */
  findByHash(hash: string): Promise<ApiKey | undefined>;

  /** The keys of one developer, or of all, in the order in which they were added. */
  list(developerId?: DeveloperId): Promise<readonly ApiKey[]>;

  /**
   * Stores the successor and lets the key with this id expire at `until`, unless it expires sooner: both or neither.
   * Answers false, and stores nothing, when there is no such key or it was revoked. Rejects as `add` does.
   */
  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean>;

  /** Notes the time of the revocation and answers true; false when there is no such key. The first revocation counts. */
  revoke(id: ApiKeyId, at: Date): Promise<boolean>;

  /** Notes that a key was used; an earlier time than the one noted changes nothing, nor does an unknown id. */
  noteUse(id: ApiKeyId, at: Date): Promise<void>;
}

/** Who shows a credential: an API key, an access token of an issuer, or the session of a host. */
export interface ApiKeyVerifier {
  /**
   * Who shows this credential. Undefined for one that is malformed, unknown, expired or revoked, without a word of which.
   * Takes any text, of any length, without failing. Rejects as `unavailable` when it cannot be told.
   */
  verify(credential: string): Promise<Caller | undefined>;
}

/** What becomes of a developer who accepts an invitation. */
export interface Activation {
  readonly signInName: string;
  readonly passwordHash: string;
  readonly at: Date;
}

/** A sign-in name is known without regard to case and to Unicode's normal forms, as `signInKey` of `domain/developer.ts` says. */
export interface DeveloperRepository {
  /** The developer with this id, field for field; undefined when there is none. */
  find(id: DeveloperId): Promise<Developer | undefined>;

  /** The developer who has this sign-in name, in whatever case and normal form; undefined when nobody has it. */
  findBySignInName(name: string): Promise<Developer | undefined>;

  /** The developer whose invitation has this hash, lapsed ones included; undefined when there is none, as after it was used or replaced. */
  findByInvitation(hash: string): Promise<Developer | undefined>;

  /** Every developer, in the order in which they were first invited. */
  list(): Promise<readonly Developer[]>;

  /**
   * Adds a developer with this invitation; one who is there already is given it in place of an earlier one.
   * Nothing else of a developer changes: when they were first invited, how they sign in, whether they are suspended.
   */
  invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void>;

  /**
   * Uses up the invitation with this hash and gives its developer the sign-in name and the password hash, all or nothing; `activeSince` is the first time.
   * Answers false, and changes nothing, when there is no such invitation, when its `until` is not after `at`, or when the developer is suspended. When raced, one answers true.
   * Rejects with a `DomainError` of kind `conflict`, and leaves the invitation good, when another developer has the sign-in name, also when raced.
   */
  activate(invitationHash: string, activation: Activation): Promise<boolean>;

  /** Notes the time of the suspension and answers true; false when there is no such developer. The first suspension counts until it is lifted. */
  suspend(id: DeveloperId, at: Date): Promise<boolean>;

  /** Lifts a suspension, if there is one, and answers true; false when there is no such developer. */
  restore(id: DeveloperId): Promise<boolean>;
}

/** Who is signed in to the panel, by the SHA-256 of the token that they show. */
export interface SessionRepository {
  /** Stores a session. Rejects with a `DomainError` of kind `conflict` when its hash is taken, also when raced. */
  add(session: Session): Promise<void>;

  /** The session with this hash, field for field, lapsed ones included; undefined when there is none. */
  findByHash(hash: string): Promise<Session | undefined>;

  /** Lets a session last until this time; an earlier time than the one noted changes nothing, nor does an unknown hash. */
  renew(hash: string, until: Date): Promise<void>;

  /** Ends the session with this hash and answers whether there was one. When raced, one answers true. */
  end(hash: string): Promise<boolean>;

  /** Ends every session of a developer, and answers how many. */
  endAll(developerId: DeveloperId): Promise<number>;

  /** Ends every session whose `until` is not after this time, and answers how many. */
  endLapsed(asOf: Date): Promise<number>;
}

/** Which stretch of the log, and of what. */
export interface AuditQuery extends Stretch<AuditEntryId> {
  /** Only what concerns this developer. */
  readonly developerId?: DeveloperId;
}

/** What was done, when and by whom, in the order in which it was noted; nothing in it is ever changed. */
export interface AuditLog {
  /** Stores the entries, in their order, all or none of them; one whose id is there already is not stored again. */
  append(entries: readonly AuditEntry[]): Promise<void>;

  /**
   * The entries, field for field, newest first: the reverse of the order in which `append` stored them, whatever their `at`; at most `limit` of them, and fewer only at the end.
   * With `developerId`, only those that concern this developer.
   * With `before`, those that come after that entry in this order; none when it is unknown.
   * Every such stretch costs the same, whatever the number of entries.
   */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
}
