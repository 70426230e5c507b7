import type { DeveloperId } from '../../domain/access.js';
import { summaryOf, type Automation, type AutomationId, type AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import { KeptPages } from '../../domain/kept-pages.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  ForwardStretch,
  Offer,
  Stretch,
  Withdrawal,
} from '../../domain/ports.js';
import { countWhile, lastOf } from './slices.js';

/** An automation in the order in which it was stored: `number` counts from 1 and is never given again. */
interface Entry {
  readonly number: number;
  readonly automation: Automation;
  readonly summary: AutomationSummary;
  idempotencyKey?: { readonly name: string; readonly until: number | undefined };
  withdrawn: boolean;
}

/** Keeps automations in arrays in the order in which they came, one of all, one per category and one per developer; a page is a slice. */
export class InMemoryAutomationRepository implements AutomationRepository {
  readonly #entries = new Map<AutomationId, Entry>();
  readonly #keyed = new Map<string, Entry>();
  readonly #onSale: Entry[] = [];
  readonly #onSaleIn = new Map<CategoryId, Entry[]>();
  readonly #pages = new KeptPages();
  #changes = 0;
  readonly #onSaleOf = new Map<DeveloperId, Entry[]>();

  async add(offers: readonly Offer[]): Promise<readonly AddOutcome[]> {
    return offers.map((offer) => this.#addOne(offer));
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const entry = this.#entries.get(id);
    return entry && !entry.withdrawn ? copyOf(entry.automation) : undefined;
  }

  async list(query: AutomationQuery): Promise<AutomationPage> {
    return this.#pages.find(this.#changes, query) ?? this.#pages.keep(this.#changes, query, this.#read(query));
  }

  #read({ page, category }: AutomationQuery): AutomationPage {
    const entries = category === undefined ? this.#onSale : (this.#onSaleIn.get(category) ?? []);
    const items = lastOf(entries, entries.length - (page.number - 1) * page.limit, page.limit);
    return { items: items.map(({ summary }) => summary), total: entries.length };
  }

  async listOf(developerId: DeveloperId, { limit, before }: Stretch<AutomationId>): Promise<readonly Automation[]> {
    const entries = this.#onSaleOf.get(developerId) ?? [];
    const end = before === undefined ? entries.length : this.#countBefore(before, developerId, entries);
    return lastOf(entries, end, limit).map(({ automation }) => copyOf(automation));
  }

  async listOldestFirst({ limit, after }: ForwardStretch<AutomationId>): Promise<readonly Automation[]> {
    const known = after === undefined ? 0 : this.#entries.get(after)?.number;
    if (known === undefined) return [];
    const start = countWhile(this.#onSale, ({ number }) => number <= known);
    return this.#onSale.slice(start, start + limit).map(({ automation }) => copyOf(automation));
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return new Map(Array.from(this.#onSaleIn, ([category, entries]) => [category, entries.length]));
  }

  async withdraw(id: AutomationId, { developerId }: Withdrawal): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.withdrawn) return false;
    if (developerId !== undefined && developerId !== entry.automation.developerId) return false;
    entry.withdrawn = true;
    this.#changes += 1;
    for (const entries of this.#placesOf(entry)) remove(entry, entries);
    return true;
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const lapsed = Array.from(this.#keyed.values()).filter((entry) => hasLapsed(entry, asOf));
    for (const entry of lapsed) this.#free(entry);
    return lapsed.length;
  }

  #addOne(offer: Offer): AddOutcome {
    const automation = copyOf(offer.automation);
    const name = offer.idempotencyKey && nameOf(automation, offer.idempotencyKey);
    const earlier = name && this.#keyed.get(name);
    if (earlier && !hasLapsed(earlier, automation.createdAt))
      return { outcome: 'earlier', automation: copyOf(earlier.automation) };
    if (this.#entries.has(automation.id)) return { outcome: 'conflict' };
    if (earlier) this.#free(earlier);
    const entry = { number: this.#entries.size + 1, automation, summary: summaryOf(automation), withdrawn: false };
    this.#changes += 1;
    this.#entries.set(automation.id, entry);
    for (const entries of this.#placesOf(entry)) entries.push(entry);
    if (name) this.#lend(name, offer.idempotencyKeyUntil, entry);
    return { outcome: 'stored' };
  }

  #placesOf({ automation }: Entry): readonly Entry[][] {
    return [this.#onSale, placeIn(this.#onSaleIn, automation.categoryId), placeIn(this.#onSaleOf, automation.developerId)];
  }

  #countBefore(id: AutomationId, developerId: DeveloperId, entries: readonly Entry[]): number {
    const before = this.#entries.get(id);
    if (before?.automation.developerId !== developerId) return 0;
    return countWhile(entries, ({ number }) => number < before.number);
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

function hasLapsed({ idempotencyKey }: Entry, asOf: Date): boolean {
  return idempotencyKey?.until !== undefined && idempotencyKey.until <= asOf.getTime();
}

/** Nobody else has a handle on its date. */
function copyOf(automation: Automation): Automation {
  const { price, createdAt } = automation;
  return Object.freeze({ ...automation, price: Object.freeze({ ...price }), createdAt: new Date(createdAt) });
}

function placeIn<Id>(places: Map<Id, Entry[]>, id: Id): Entry[] {
  const place = places.get(id) ?? [];
  places.set(id, place);
  return place;
}

/** Entries stand in the order of their numbers. */
function remove(entry: Entry, entries: Entry[]): void {
  entries.splice(countWhile(entries, ({ number }) => number < entry.number), 1);
}
