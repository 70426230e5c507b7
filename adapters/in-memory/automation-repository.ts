import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import { partitionPoint } from '../../domain/partition-point.js';
import type { Currency } from '../../domain/currency.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  ForwardCursorQuery,
  NewAutomation,
  CursorQuery,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { lastOf } from './slices.js';

/**
 * An automation in the order in which it was stored: `number` counts from 1 and is never given again. Flat, since its
 * date, price and summary as objects of their own would take as much memory as all the rest of a short one.
 */
interface Entry extends Omit<Automation, 'price' | 'createdAt'> {
  readonly number: number;
  readonly minorUnits: number;
  readonly currency: Currency;
  readonly createdAt: number;
  idempotencyKey?: { readonly name: string; readonly until: number | undefined };
  withdrawn: boolean;
  reason?: string;
}

/**
 * Keeps automations in arrays in the order in which they came, one of all, one per category and one per developer; a
 * page is a slice.
 */
export class InMemoryAutomationRepository implements AutomationRepository {
  readonly #entries = new Map<AutomationId, Entry>();
  readonly #keyed = new Map<string, Entry>();
  readonly #onSale: Entry[] = [];
  readonly #onSaleIn = new Map<CategoryId, Entry[]>();
  #changes = 0;
  readonly #onSaleOf = new Map<DeveloperId, Entry[]>();

  async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return offers.map((offer) => this.#addOne(offer));
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const entry = this.#entries.get(id);
    return entry && !entry.withdrawn ? automationOf(entry) : undefined;
  }

  async list({ page, category }: AutomationQuery): Promise<AutomationPage> {
    const entries = category === undefined ? this.#onSale : (this.#onSaleIn.get(category) ?? []);
    const items = lastOf(entries, entries.length - (page.number - 1) * page.limit, page.limit);
    return { items: items.map(summaryOf), total: entries.length, revision: String(this.#changes) };
  }

  async listOf(developerId: DeveloperId, { limit, before }: CursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const entries = this.#onSaleOf.get(developerId) ?? [];
    const end = before === undefined ? entries.length : this.#countBefore(before, developerId, entries);
    return lastOf(entries, end, limit).map(automationOf);
  }

  async listOldestFirst({ limit, after }: ForwardCursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const known = after === undefined ? 0 : this.#entries.get(after)?.number;
    if (known === undefined) return [];
    const start = partitionPoint(this.#onSale, ({ number }) => number <= known);
    return this.#onSale.slice(start, start + limit).map(automationOf);
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return new Map(Array.from(this.#onSaleIn, ([category, entries]) => [category, entries.length]));
  }

  async withdraw(id: AutomationId, { developerId, reason }: Withdrawal): Promise<WithdrawOutcome> {
    const entry = this.#entries.get(id);
    if (entry === undefined || (developerId !== undefined && developerId !== entry.developerId)) return 'unknown';
    if (entry.withdrawn) return 'already-withdrawn';
    entry.withdrawn = true;
    if (reason !== undefined) entry.reason = reason;
    this.#changes += 1;
    for (const entries of this.#placesOf(entry)) remove(entry, entries);
    return 'withdrawn';
  }

  async withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>> {
    const reasons = new Map<AutomationId, string>();
    for (const id of ids) {
      const reason = this.#entries.get(id)?.reason;
      if (reason !== undefined) reasons.set(id, reason);
    }
    return reasons;
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const expired = Array.from(this.#keyed.values()).filter((entry) => hasExpired(entry, asOf));
    for (const entry of expired) this.#free(entry);
    return expired.length;
  }

  #addOne({ automation, idempotencyKey, idempotencyKeyUntil }: NewAutomation): AddOutcome {
    const name = idempotencyKey && nameOf(automation, idempotencyKey);
    const earlier = name && this.#keyed.get(name);
    if (earlier && !hasExpired(earlier, automation.createdAt))
      return { outcome: 'earlier', automation: automationOf(earlier) };
    if (this.#entries.has(automation.id)) return { outcome: 'conflict' };
    if (earlier) this.#free(earlier);
    const entry = entryOf(automation, this.#entries.size + 1);
    this.#changes += 1;
    this.#entries.set(automation.id, entry);
    for (const entries of this.#placesOf(entry)) entries.push(entry);
    if (name) this.#lend(name, idempotencyKeyUntil, entry);
    return { outcome: 'stored' };
  }

  #placesOf({ categoryId, developerId }: Entry): readonly Entry[][] {
    return [this.#onSale, placeIn(this.#onSaleIn, categoryId), placeIn(this.#onSaleOf, developerId)];
  }

  #countBefore(id: AutomationId, developerId: DeveloperId, entries: readonly Entry[]): number {
    const before = this.#entries.get(id);
    if (before?.developerId !== developerId) return 0;
    return partitionPoint(entries, ({ number }) => number < before.number);
  }

  #lend(name: string, until: Date | undefined, entry: Entry): void {
    entry.idempotencyKey = { name, until: until?.getTime() };
    this.#keyed.set(name, entry);
  }

  #free(entry: Entry): void {
    if (entry.idempotencyKey) this.#keyed.delete(entry.idempotencyKey.name);
    delete entry.idempotencyKey;
  }
}

/** Developers do not share keys. */
function nameOf({ developerId }: Automation, idempotencyKey: string): string {
  return JSON.stringify([developerId, idempotencyKey]);
}

function hasExpired({ idempotencyKey }: Entry, asOf: Date): boolean {
  return idempotencyKey?.until !== undefined && idempotencyKey.until <= asOf.getTime();
}

function entryOf(
  { id, title, description, price, categoryId, developerId, createdAt }: Automation,
  number: number,
): Entry {
  const { minorUnits, currency } = price;
  return {
    number,
    id,
    title,
    description,
    minorUnits,
    currency,
    categoryId,
    developerId,
    createdAt: createdAt.getTime(),
    withdrawn: false,
  };
}

function automationOf({
  id,
  title,
  description,
  minorUnits,
  currency,
  categoryId,
  developerId,
  createdAt,
}: Entry): Automation {
  const price = Object.freeze({ minorUnits, currency });
  return Object.freeze({ id, title, description, price, categoryId, developerId, createdAt: new Date(createdAt) });
}

function summaryOf({ id, title, minorUnits, currency }: Entry): AutomationSummary {
  return Object.freeze({ id, title, price: Object.freeze({ minorUnits, currency }) });
}

function placeIn<Id>(places: Map<Id, Entry[]>, id: Id): Entry[] {
  const place = places.get(id) ?? [];
  places.set(id, place);
  return place;
}

/** Entries stand in the order of their numbers. */
function remove(entry: Entry, entries: Entry[]): void {
  entries.splice(
    partitionPoint(entries, ({ number }) => number < entry.number),
    1,
  );
}
