import type { DeveloperId } from './access.js';
import type { Automation, AutomationId } from './automation.js';
import { DEFAULT_CURRENCY, type Currency } from './currency.js';
import type { AddOutcome, NewAutomation } from './ports.js';

/** A stored automation that has an idempotency key. */
export interface KeyHolder {
  readonly automation: Automation;
  readonly requestHash?: string;
  readonly idempotencyKeyUntil?: Date;
}

/** The part of the store that decides about some offers, as it is before they are added. */
export interface AddContext {
  /** The recorded currency; undefined while none is. */
  readonly currency: Currency | undefined;
  /** The holders of the offers' idempotency keys, by `holderName`. */
  readonly holders: ReadonlyMap<string, KeyHolder>;
  /** Those of the offers' ids that are taken. */
  readonly takenIds: ReadonlySet<AutomationId>;
}

/** What an adapter writes, all or nothing, and what it returns then. */
export interface AddPlan {
  /** One outcome for each offer, in the order of the offers. */
  readonly outcomes: readonly AddOutcome[];
  /** The stored automations that lose their idempotency key. Free these keys first. */
  readonly released: readonly AutomationId[];
  /** The automations to insert, in this order, each with the idempotency key that it keeps. */
  readonly inserts: readonly NewAutomation[];
}

/** Returns the name of an idempotency key in `AddContext.holders`: each developer has their own keys. */
export function holderName(developerId: DeveloperId, idempotencyKey: string): string {
  return JSON.stringify([developerId, idempotencyKey]);
}

/**
 * Decides what happens to the offers, as if each was added alone, one after the other: the rule of
 * `AutomationRepository.add`. Where a storage cannot lock what it looked up, it repeats the look-up and the plan when
 * an insert meets an id or a key that another writer has taken meanwhile.
 */
export function planAdd(offers: readonly NewAutomation[], context: AddContext): AddPlan {
  const taken = new Set(context.takenIds);
  const released: AutomationId[] = [];
  const inserts = new Map<AutomationId, NewAutomation>();
  const holderOf = new Map<string, KeyHolder>(context.holders);
  const currency = context.currency ?? offers[0]?.automation.price.currency ?? DEFAULT_CURRENCY;

  function release({ automation }: KeyHolder): void {
    const inserted = inserts.get(automation.id);
    if (inserted === undefined) released.push(automation.id);
    else inserts.set(automation.id, withoutKey(inserted));
  }

  function decide(offer: NewAutomation): AddOutcome {
    const { automation, idempotencyKey } = offer;
    if (automation.price.currency !== currency) return { outcome: 'other-currency', currency };
    const name = idempotencyKey === undefined ? undefined : holderName(automation.developerId, idempotencyKey);
    const holder = name === undefined ? undefined : holderOf.get(name);
    if (holder !== undefined && !isFree(holder, automation.createdAt)) return earlier(holder);
    if (taken.has(automation.id)) return { outcome: 'conflict' };
    if (holder !== undefined) release(holder);
    taken.add(automation.id);
    inserts.set(automation.id, offer);
    if (name !== undefined) holderOf.set(name, offer);
    return { outcome: 'stored' };
  }

  const outcomes = offers.map(decide);
  return { outcomes, released, inserts: Array.from(inserts.values()) };
}

function isFree({ idempotencyKeyUntil }: KeyHolder, at: Date): boolean {
  return idempotencyKeyUntil !== undefined && idempotencyKeyUntil.getTime() <= at.getTime();
}

function earlier({ automation, requestHash }: KeyHolder): AddOutcome {
  return { outcome: 'earlier', automation, ...(requestHash !== undefined && { requestHash }) };
}

function withoutKey({ automation, fileContent, auditEntry }: NewAutomation): NewAutomation {
  return { automation, ...(fileContent && { fileContent }), ...(auditEntry !== undefined && { auditEntry }) };
}
