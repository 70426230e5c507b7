import type { ClientSession, Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { AddOutcome, NewAutomation } from '../../domain/ports.js';
import { automationOf, uuid, type AutomationDocument, type Collections } from './documents.js';
import { duplicateOf } from './failures.js';
import { AT_ONCE, MOST_TRIES, reading, WITHIN } from './operations.js';
import { NUMBER_INDEXES } from './schema.js';

/** The highest numbers given: overall, and in a category. */
export interface Base {
  overall: number;
  readonly within: Map<string, number>;
}

interface Pending {
  readonly offer: NewAutomation;
  readonly position: number;
}

/** What stopped a batch: the numbers were given to others meanwhile. */
export const OVERTAKEN = Symbol('overtaken');

/**
 * Offers on their way into the store, in order. What is stored is stored as a prefix without a gap, whatever stops it;
 * so numbers stay dense, and what is left can be tried again with other numbers.
 */
export class Insertion {
  readonly outcomes: AddOutcome[] = [];
  #left: readonly Pending[];

  constructor(
    private readonly automations: Collections['automations'],
    offers: readonly NewAutomation[],
  ) {
    this.#left = offers.map((offer, position) => ({ offer, position }));
  }

  get categories(): readonly string[] {
    return Array.from(new Set(this.#left.map(({ offer }) => offer.automation.categoryId)));
  }

  /**
   * Stores what is left, with the numbers after `base`, which grows by what was stored. `again`: an earlier try may
   * have stored some.
   */
  async proceed(base: Base, session: ClientSession, again: boolean): Promise<typeof OVERTAKEN | undefined> {
    if (again) await this.#recognise();
    for (let fruitless = 0; this.#left.length > 0;) {
      const before = this.#left.length;
      try {
        await this.#insert(numbered(this.#left, base), session);
        this.#advance(this.#left.length, base);
      } catch (error) {
        const duplicate = duplicateOf(error);
        if (duplicate === undefined || fruitless > MOST_TRIES) throw error;
        this.#advance(duplicate.at, base);
        if (NUMBER_INDEXES.includes(duplicate.index)) return OVERTAKEN;
        if (again && (await this.#recognise())) continue;
        await this.#resolveTaken(duplicate.index === '_id_');
        fruitless = this.#left.length < before ? 0 : fruitless + 1;
      }
    }
    return undefined;
  }

  /** One alone costs the driver less than a batch of one. */
  async #insert(documents: readonly AutomationDocument[], session: ClientSession): Promise<void> {
    const [first, ...others] = documents;
    if (first !== undefined && others.length === 0) await this.automations.insertOne(first, { ...WITHIN, session });
    else await this.automations.insertMany(documents, { ordered: true, ...WITHIN, session });
  }

  #advance(count: number, base: Base): void {
    for (const { offer, position } of this.#left.slice(0, count)) {
      this.outcomes[position] = { outcome: 'stored' };
      const { categoryId } = offer.automation;
      base.overall += 1;
      base.within.set(categoryId, (base.within.get(categoryId) ?? 0) + 1);
    }
    this.#left = this.#left.slice(count);
  }

  /**
   * Whether a try without an answer has stored some; it may still do so after the answer to the next. Their identifiers
   * are new, so nobody else can have stored them with the same content.
   */
  async #recognise(): Promise<boolean> {
    const before = this.#left.length;
    const ids = this.#left.map(({ offer }) => uuid(offer.automation.id));
    const found = await this.#find({ _id: { $in: ids } });
    const stored = new Map(found.map((document) => [automationOf(document).id, document]));
    this.#left = this.#left.filter(({ offer, position }) => {
      const document = stored.get(offer.automation.id);
      if (document === undefined || !isOf(offer, document)) return true;
      this.outcomes[position] = { outcome: 'stored' };
      return false;
    });
    return this.#left.length < before;
  }

  /** The first that is left has an id or a key that is taken. All whose keys are taken get the earlier automation. */
  async #resolveTaken(idIsTaken: boolean): Promise<void> {
    const [first] = this.#left;
    const holders = await this.#holders();
    this.#left = this.#left.filter((pending) => {
      const holder = holders.get(nameOfKey(pending.offer));
      if (holder === undefined || hasExpired(holder, pending.offer)) return true;
      this.outcomes[pending.position] = { outcome: 'earlier', automation: automationOf(holder) };
      return false;
    });
    if (first === undefined || this.#left[0] !== first) return;
    const holder = holders.get(nameOfKey(first.offer));
    if (idIsTaken || (holder !== undefined && (await this.#isTaken(first.offer)))) {
      this.outcomes[first.position] = { outcome: 'conflict' };
      this.#left = this.#left.slice(1);
    } else if (holder !== undefined) await this.#free(holder);
  }

  async #holders(): Promise<ReadonlyMap<string, AutomationDocument>> {
    const keyed = this.#left.flatMap(({ offer }) => (offer.idempotencyKey === undefined ? [] : [offer]));
    if (keyed.length === 0) return new Map();
    const names = keyed.map(({ automation, idempotencyKey }) => ({
      developer_id: automation.developerId,
      idempotency_key: idempotencyKey ?? '',
    }));
    const found = await this.#find({ $or: names });
    return new Map(found.map((document) => [nameOf(document.developer_id, document.idempotency_key), document]));
  }

  async #isTaken({ automation }: NewAutomation): Promise<boolean> {
    return (await this.#find({ _id: uuid(automation.id) })).length > 0;
  }

  #find(filter: Filter<AutomationDocument>): Promise<AutomationDocument[]> {
    return reading((signal) => this.automations.find(filter, { ...AT_ONCE, signal }).toArray());
  }

  async #free({ _id, idempotency_key_until }: AutomationDocument): Promise<void> {
    await this.automations.updateOne(
      { _id, ...(idempotency_key_until && { idempotency_key_until }) },
      { $unset: { idempotency_key: '', idempotency_key_until: '' } },
      WITHIN,
    );
  }
}

function numbered(left: readonly Pending[], base: Base): AutomationDocument[] {
  const given = new Map<string, number>();
  return left.map(({ offer }, index) => {
    const { categoryId } = offer.automation;
    const categoryNumber = (given.get(categoryId) ?? base.within.get(categoryId) ?? 0) + 1;
    given.set(categoryId, categoryNumber);
    return documentOf(offer, base.overall + 1 + index, categoryNumber);
  });
}

function documentOf(
  { automation, idempotencyKey, idempotencyKeyUntil }: NewAutomation,
  number: number,
  categoryNumber: number,
): AutomationDocument {
  return {
    _id: uuid(automation.id),
    number,
    category_number: categoryNumber,
    category_id: automation.categoryId,
    title: automation.title,
    description: automation.description,
    price: automation.price.minorUnits,
    currency: automation.price.currency,
    developer_id: automation.developerId,
    created_at: automation.createdAt,
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(idempotencyKeyUntil && { idempotency_key_until: idempotencyKeyUntil }),
  };
}

function nameOfKey({ automation, idempotencyKey }: NewAutomation): string {
  return nameOf(automation.developerId, idempotencyKey);
}

/** Developers do not share keys. */
function nameOf(developerId: DeveloperId, idempotencyKey: string | undefined): string {
  return JSON.stringify([developerId, idempotencyKey]);
}

function hasExpired({ idempotency_key_until: until }: AutomationDocument, { automation }: NewAutomation): boolean {
  return until !== undefined && until <= automation.createdAt;
}

function isOf({ automation }: NewAutomation, document: AutomationDocument): boolean {
  return (
    document.developer_id === automation.developerId && document.created_at.getTime() === automation.createdAt.getTime()
  );
}
