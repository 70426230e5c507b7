import type { ClientSession, Filter } from 'mongodb';
import { holderName, planAdd, type AddPlan, type KeyHolder } from '../../domain/add-plan.js';
import type { Currency } from '../../domain/currency.js';
import type { AddOutcome, NewAutomation } from '../../domain/ports.js';
import { insertEntries } from './audit-log.js';
import {
  automationOf,
  CONTENT,
  documentOf,
  fileDocumentOf,
  idOf,
  KEY_FIELDS,
  uuid,
  type AutomationDocument,
} from './automation-documents.js';
import type { AutomationNumbers } from './automation-numbers.js';
import { AUTOMATIONS, type Collections } from './collections.js';
import { READ_ALL, WRITE } from './commands.js';
import type { Changed } from './count-deltas.js';
import { duplicateIn } from './failures.js';
import { wordsIn } from './words.js';

/**
 * Offers on their way into the store. The first try looks them up if they have keys; a further one, after another
 * writer had an id, a key or a number, in any case.
 */
export class AutomationAdd {
  readonly #isKeyed: boolean;
  #hasMetDuplicate = false;
  #first: Promise<number> | undefined;

  constructor(
    private readonly collections: Collections,
    private readonly numbers: AutomationNumbers,
    private readonly offers: readonly NewAutomation[],
    private readonly currency: Currency,
    private readonly hasWords: boolean,
  ) {
    this.#isKeyed = offers.some(({ idempotencyKey }) => idempotencyKey !== undefined);
  }

  /** Stores the offers in a transaction, but for the counts. */
  async tryIn(session: ClientSession): Promise<Changed<readonly AddOutcome[]>> {
    this.#first ??= this.#reserve();
    const plan = await this.#plan(session);
    const first = await this.#first;
    const documents = plan.inserts.map((offer, index) =>
      documentOf(offer, first + index, this.hasWords ? wordsIn(offer.automation) : undefined),
    );
    await this.#release(plan, session);
    if (documents.length === 0) return { outcome: plan.outcomes };
    await this.collections.automations.insertMany(documents, { ...WRITE, session });
    const files = plan.inserts.flatMap(({ automation, fileContent }) =>
      fileContent ? [fileDocumentOf(automation.id, fileContent)] : [],
    );
    if (files.length > 0) await this.collections.automationFiles.insertMany(files, { ...WRITE, session });
    const entries = plan.inserts.flatMap(({ auditEntry }) => auditEntry ?? []);
    await insertEntries(this.collections, entries, session);
    const changes = documents.map(({ seq, category_id: category }) => ({ seq, category, difference: 1 }) as const);
    return { outcome: plan.outcomes, changes };
  }

  /** Returns whether another writer had an id, a key or a number. A number that was taken comes of a wrong counter. */
  hasLost(error: unknown): boolean {
    const duplicate = duplicateIn(error);
    if (duplicate?.startsWith(`${AUTOMATIONS}.`) !== true) return false;
    this.#hasMetDuplicate = true;
    if (duplicate === `${AUTOMATIONS}.seq`) this.#first = this.#reserve(this.numbers.correct());
    return true;
  }

  /** Reserves a number for each offer, while the keys are looked up. Its failure is met when the numbers are needed. */
  #reserve(before: Promise<void> = Promise.resolve()): Promise<number> {
    const first = before.then(() => this.numbers.reserve(this.offers.length));
    first.catch(() => undefined);
    return first;
  }

  /** Looks up ids together with keys, since a key does not pass to an offer that is a conflict. */
  async #plan(session: ClientSession): Promise<AddPlan> {
    if (!this.#isKeyed && !this.#hasMetDuplicate) return planAdd(this.offers, { ...NOTHING, currency: this.currency });
    const ids = this.offers.map(({ automation }) => uuid(automation.id));
    const keyed = this.offers.flatMap(({ automation, idempotencyKey }) =>
      idempotencyKey === undefined ? [] : { developer_id: automation.developerId, idempotency_key: idempotencyKey },
    );
    const filter: Filter<AutomationDocument> = { $or: [{ _id: { $in: ids } }, ...keyed] };
    const options = { ...READ_ALL, projection: CONTENT, session };
    const found = await this.collections.automations.find(filter, options).toArray();
    return planAdd(this.offers, {
      currency: this.currency,
      holders: new Map(found.map((document) => [nameOf(document), holderOf(document)])),
      takenIds: new Set(found.map(({ _id }) => idOf(_id))),
    });
  }

  async #release({ released }: AddPlan, session: ClientSession): Promise<void> {
    if (released.length === 0) return;
    const filter = { _id: { $in: released.map(uuid) } };
    await this.collections.automations.updateMany(filter, { $unset: KEY_FIELDS }, { ...WRITE, session });
  }
}

const NOTHING = { holders: new Map<string, KeyHolder>(), takenIds: new Set<never>() };

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
