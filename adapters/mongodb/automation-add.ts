import type { Db, Filter } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { holderName, planAdd, type AddPlan, type KeyHolder } from '../../domain/add-plan.js';
import type { AutomationId } from '../../domain/automation.js';
import type { AddOutcome, NewAutomation } from '../../domain/ports.js';
import { inTime, READ_ALL, reading, WRITE } from './commands.js';
import { collectionsOf } from './collections.js';
import { automationOf, documentOf, idOf, uuid, CONTENT, type AutomationDocument } from './documents.js';
import { duplicatesIn, indexOf, isUnavailable, outcomeUnknown } from './failures.js';
import type { Sequence } from './sequence.js';

const MAX_TRIES = 50;

/**
 * Offers on their way into the store. Each try looks up the keys, plans, reserves numbers and inserts. What met a
 * duplicate is tried again, under the same ids: another writer had the number or the key, or an earlier try has
 * arrived.
 */
export class AutomationAdd {
  readonly #automations;
  readonly #stored = new Set<AutomationId>();
  readonly #taken = new Set<AutomationId>();
  /** The numbers under which each id was sent: an automation with this id and one of these numbers is ours. */
  readonly #sent = new Map<AutomationId, readonly number[]>();

  /** The highest number that was used. */
  highest = -1;

  /** Stores nothing yet. */
  constructor(
    db: Db,
    private readonly sequence: Sequence,
    private readonly offers: readonly NewAutomation[],
    private readonly hasWords: boolean,
  ) {
    this.#automations = collectionsOf(db).automations;
  }

  /**
   * Returns the outcomes when all offers are decided. May be repeated after it has failed. Rejects as `unavailable`
   * only when none is stored.
   */
  async outcomes(): Promise<readonly AddOutcome[]> {
    try {
      return await this.#decide();
    } catch (error) {
      throw this.#stored.size > 0 && isUnavailable(error) ? outcomeUnknown(error) : error;
    }
  }

  async #decide(): Promise<readonly AddOutcome[]> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const plan = planAdd(this.offers, { holders: await this.#holders(), takenIds: this.#taken });
      const outcomes = plan.outcomes.map((outcome, index) => this.#outcomeOf(outcome, index));
      const missing = plan.inserts.filter(({ automation }) => !this.#stored.has(automation.id));
      if (missing.length === 0) return outcomes;
      await this.#release(plan);
      if (await this.#insert(missing)) return outcomes;
      if (tries > 0) await setTimeout(Math.random() * 5 * tries);
    }
    throw new Error('other writers have taken the numbers or the keys of an automation too often');
  }

  /** An offer that an earlier try has stored holds its key itself. */
  #outcomeOf(outcome: AddOutcome, index: number): AddOutcome {
    const id = this.offers[index]?.automation.id as AutomationId;
    const isFirst = this.offers.findIndex(({ automation }) => automation.id === id) === index;
    const isHolder = outcome.outcome === 'earlier' && outcome.automation.id === id && this.#sent.has(id);
    return isFirst && (isHolder || this.#stored.has(id)) ? { outcome: 'stored' } : outcome;
  }

  /**
   * Looks up the keys of the offers, before a number is reserved: a repeated request costs none. It looks up their ids
   * as well, since a key does not pass to an offer that is a conflict.
   */
  async #holders(): Promise<ReadonlyMap<string, KeyHolder>> {
    const keyed = this.offers.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
    if (keyed.length === 0) return new Map();
    const names = keyed.map(({ automation, idempotencyKey = '' }) => ({
      developer_id: automation.developerId,
      idempotency_key: idempotencyKey,
    }));
    const found = await this.#find([...names, byIds(this.offers)]);
    this.#recognise(this.offers, found);
    return new Map(found.map((document) => [nameOf(document), holderOf(document)]));
  }

  #find(filters: readonly Filter<AutomationDocument>[]): Promise<readonly AutomationDocument[]> {
    const filter = { $or: [...filters] };
    return reading((signal) => this.#automations.find(filter, { ...READ_ALL, projection: CONTENT, signal }).toArray());
  }

  async #release({ released }: AddPlan): Promise<void> {
    if (released.length === 0) return;
    const filter = { _id: { $in: released.map(uuid) } };
    await inTime(reading(() => this.#automations.updateMany(filter, { $unset: KEY_FIELDS }, WRITE)));
  }

  /** Returns whether all of them are stored. */
  async #insert(offers: readonly NewAutomation[]): Promise<boolean> {
    const first = await this.sequence.reserve(offers.length);
    const documents = offers.map((offer, index) => documentOf(offer, first + index, this.hasWords));
    const ids = offers.map(({ automation }) => automation.id);
    ids.forEach((id, index) => this.#sent.set(id, [...(this.#sent.get(id) ?? []), first + index]));
    const duplicates = await this.#insertMany(documents);
    const failed = new Set(duplicates.map(({ index }) => index));
    ids.forEach((id, index) => failed.has(index) || this.#stored.add(id));
    this.highest = first + offers.length - 1;
    this.sequence.noteUsed(this.highest);
    if (duplicates.some((duplicate) => indexOf(duplicate) === 'seq')) await this.sequence.repair();
    const takenAt = new Set(duplicates.filter((each) => indexOf(each) === '_id_').map(({ index }) => index));
    const taken = offers.filter((_, index) => takenAt.has(index));
    if (taken.length > 0) this.#recognise(taken, await this.#find([byIds(taken)]));
    return failed.size === 0;
  }

  async #insertMany(documents: readonly AutomationDocument[]) {
    try {
      await this.#automations.insertMany(documents, { ...WRITE, ordered: false });
      return [];
    } catch (error) {
      return duplicatesIn(error);
    }
  }

  /** Tells which of the offers an earlier try has stored, and which ids are taken by another automation. */
  #recognise(offers: readonly NewAutomation[], found: readonly AutomationDocument[]): void {
    const stored = new Map(found.map((document) => [idOf(document._id), document]));
    for (const { automation } of offers) {
      const document = stored.get(automation.id);
      if (document === undefined || this.#stored.has(automation.id)) continue;
      if (this.#sent.get(automation.id)?.includes(document.seq)) this.#stored.add(automation.id);
      else this.#taken.add(automation.id);
    }
  }
}

function byIds(offers: readonly NewAutomation[]): Filter<AutomationDocument> {
  return { _id: { $in: offers.map(({ automation }) => uuid(automation.id)) } };
}

/** The fields of an idempotency key, for `$unset`. */
export const KEY_FIELDS = { idempotency_key: '', idempotency_key_until: '', request_hash: '' } as const;

function nameOf({ developer_id, idempotency_key = '' }: AutomationDocument): string {
  return holderName(developer_id, idempotency_key);
}

function holderOf(document: AutomationDocument): KeyHolder {
  const { request_hash: requestHash, idempotency_key_until: idempotencyKeyUntil } = document;
  return {
    automation: automationOf(document),
    ...(requestHash !== undefined && { requestHash }),
    ...(idempotencyKeyUntil && { idempotencyKeyUntil }),
  };
}
