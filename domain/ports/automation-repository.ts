import type { DeveloperId } from '../access.js';
import type { AuditEntry, AuditEntryId } from '../audit.js';
import type { Automation, AutomationId, AutomationSummary } from '../automation.js';
import type { CategoryId } from '../category.js';
import type { Currency } from '../currency.js';
import type { Page } from '../page.js';

/** A new automation, and the key with which its developer may repeat the request. */
export interface NewAutomation {
  readonly automation: Automation;
  readonly idempotencyKey?: string;
  /** The time at which the key is free again; without it, never. */
  readonly idempotencyKeyUntil?: Date;
  /** The digest of the content that was requested. A repeated request is compared with it. */
  readonly requestHash?: string;
  /** The bytes of the automation's file, of one that has a file and of no other. */
  readonly fileContent?: Uint8Array;
  /** The entry of the audit, stored in the audit log together with the automation: both or neither. */
  readonly auditEntry?: AuditEntry;
}

/** The outcome of one offer. */
export type AddOutcome =
  | { readonly outcome: 'stored' }
  /**
   * The developer used the key before, for this automation; nothing was stored. The automation is as it is now, and
   * the hash is the one that was stored with it.
   */
  | { readonly outcome: 'earlier'; readonly automation: Automation; readonly requestHash?: string }
  /** An automation has this id already; nothing was stored. */
  | { readonly outcome: 'conflict' }
  | OtherCurrency;

/** The price is in another currency than those of the store, which are in this one; nothing was stored. */
export interface OtherCurrency {
  readonly outcome: 'other-currency';
  readonly currency: Currency;
}

/** A page of at most `limit` automations: those that come after one, which is or was on sale. */
export interface PageAfter {
  readonly after: AutomationId;
  readonly limit: number;
}

/** A page, of all automations or of one category. */
export interface AutomationQuery {
  readonly page: Page | PageAfter;
  /** Only the automations of this category. */
  readonly category?: CategoryId | undefined;
  /** Whether to return the automations of the items, with all their fields, as well. */
  readonly whole?: boolean | undefined;
  /** Whether to count the automations of each category as well. */
  readonly countCategories?: boolean | undefined;
}

/** A page, and how many automations match on all pages. */
export interface AutomationPage {
  readonly items: readonly AutomationSummary[];
  readonly total: number;
  /** With `whole`: the automations of the items. */
  readonly automations?: readonly Automation[];
  /** With `countCategories`: the automations on sale in each category, as if the query named none. */
  readonly categoryCounts?: ReadonlyMap<CategoryId, number>;
  /** An opaque name for the state that was read. A page without one is not kept by any cache. */
  readonly revision?: string;
}

/** A change of an automation that is on sale. */
export interface Revision {
  /** The whole automation after the change: same id, developer and `createdAt`, a later `updatedAt`. */
  readonly automation: Automation;
  /** The `updatedAt` of the automation that was changed. */
  readonly basedOn: Date;
  /** The bytes of the file when the change brings another one. */
  readonly fileContent?: Uint8Array;
  /** The entry of the audit, stored in the audit log together with the change: both or neither. */
  readonly auditEntry?: AuditEntry;
}

/** The outcome of a revision. */
export type ReviseOutcome =
  | { readonly outcome: 'revised' }
  /** The stored automation has another `updatedAt` than the one that was changed; nothing was stored. */
  | { readonly outcome: 'conflict'; readonly automation: Automation }
  /** No automation with this id is on sale; nothing was stored. */
  | { readonly outcome: 'unknown' }
  | OtherCurrency;

/** Who took an automation off the market: the developer who offered it, or an operator. */
export type WithdrawnBy = 'developer' | 'operator';

/** The withdrawal of an automation from the market. */
export interface Withdrawal {
  readonly at: Date;
  readonly by: WithdrawnBy;
  /** Only when this developer offered it. */
  readonly developerId?: DeveloperId;
  readonly reason?: string;
  /** The entry of the audit, stored in the audit log together with the withdrawal: both or neither. */
  readonly auditEntry?: AuditEntry;
}

/** The withdrawal of what one developer has on sale. */
export interface BulkWithdrawal {
  readonly developerId: DeveloperId;
  readonly at: Date;
  readonly by: WithdrawnBy;
  readonly reason?: string;
  /** The ids of the audit's entries, one for each automation: 1 to 500. */
  readonly entryIds: readonly AuditEntryId[];
  /** The rest of each entry, but for its `subject`, which is the automation. */
  readonly auditEntry: Omit<AuditEntry, 'id' | 'subject'>;
}

/** The outcome of a withdrawal. */
export type WithdrawOutcome =
  | 'withdrawn'
  /** It was withdrawn before; nothing changed. */
  | 'already-withdrawn'
  /** No automation has this id, or another developer offered it; nothing changed. */
  | 'unknown';

/** What is on sale: all that selling needs. */
export interface AutomationRepository {
  /**
   * Stores the offers, 500 at most, one after the other, as if each had been added alone, and returns one outcome for
   * each, in the same order. The order of the market is the order of the offers in one call, and of calls that do not
   * overlap. What is `stored` is durable and is seen by every `find`, `list` and `countByCategory` that starts
   * afterwards. An id that is taken is a `conflict`, also when it was withdrawn and also when raced; then nothing of
   * the offer is kept. An idempotency key that the same developer has used, in this call or earlier, returns the
   * `earlier` automation, also when that was revised or withdrawn or the id is taken too, and also when raced; each
   * developer has their own keys. A key whose `idempotencyKeyUntil` is not after the new automation's `createdAt` is
   * free: it passes to the new one. A price in another currency than the recorded one is refused as `other-currency`;
   * where none is recorded, that of the first price is. When it rejects as `unavailable`, none of the
   * offers was stored. `planAdd` in `domain/add-plan.ts` decides all of this for an adapter.
   */
  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]>;

  /** Returns the automation, field for field; undefined when the id is unknown or withdrawn. */
  find(id: AutomationId): Promise<Automation | undefined>;

  /**
   * Returns the bytes of an automation's file as they went in; undefined when it has none, and when the id is unknown
   * or withdrawn. They are stored, replaced and removed together with the automation: both or neither. A revision with
   * `fileContent` replaces them, one whose automation has no file removes them, and any other keeps them. A withdrawal
   * removes them for good. Lists and searches do not read them, so files do not change the cost of a page.
   */
  readFile(id: AutomationId): Promise<Uint8Array | undefined>;

  /**
   * Returns one page, newest first: the reverse of the order in which `add` stored them, whatever their `createdAt`.
   * The total counts exactly the automations that match, and items and total show one state of the store.
   * A page past the end is empty and has the true total, as has a category without automations.
   * With `after`, the page begins behind that automation, also when it was withdrawn or is in another category, so that
   * nothing is lost or read twice while others are stored and withdrawn; the total still counts all that match. Rejects
   * as `invalid` when the id is unknown.
   * With `whole`, the automations are those of the items, field for field and in the same order.
   * With `countCategories`, the counts are of the same state, whatever the category of the query; a category without
   * any may be missing.
   * Two pages of the same query with the same `revision` have the same items and the same total.
   * First, middle and last page cost the same, whatever the number of automations, and so does one with `after`.
   */
  list(query: AutomationQuery): Promise<AutomationPage>;

  /**
   * Counts the automations on sale in each category, all in one state of the store; a category without any may be
   * missing.
   */
  countByCategory(): Promise<ReadonlyMap<CategoryId, number>>;

  /**
   * Stores the changed content and `updatedAt` of an automation that is on sale, if its `updatedAt` is still `basedOn`;
   * its place in the order stays. Otherwise it changes nothing and returns the stored automation as a `conflict`.
   * Returns `unknown` for an id that is unknown or withdrawn. When raced, one call returns `revised`. A price in
   * another currency than the recorded one changes nothing and returns `other-currency`, whatever the id. Totals and
   * counts follow a change of category at once.
   */
  revise(revision: Revision): Promise<ReviseOutcome>;

  /**
   * Takes an automation off the market for good: from then on it is as if it had never existed, except that its id and
   * its idempotency key stay taken. Returns `already-withdrawn` for one that is withdrawn, and `unknown` for an unknown
   * id and for one of another developer than the one named. When raced, one call returns `withdrawn`.
   */
  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome>;

  /**
   * Takes the oldest automations that the developer has on sale off the market, as `withdraw` does, at most as many as
   * there are `entryIds`, and stores an entry of the audit for each, all or nothing. Returns the ids of the
   * automations, the oldest first, which got the entries in the same order; fewer than there are `entryIds` only when
   * none is left on sale.
   */
  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]>;

  /** Frees every idempotency key whose `idempotencyKeyUntil` is not after this time, and returns how many. */
  freeIdempotencyKeys(asOf: Date): Promise<number>;
}
