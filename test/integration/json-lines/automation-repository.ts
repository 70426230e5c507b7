import type {
  AddOutcome,
  Automation,
  AutomationId,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  CategoryId,
  DeveloperId,
  ForwardCursorQuery,
  NewAutomation,
  CursorQuery,
  Withdrawal,
  WithdrawOutcome,
} from 'automation-marketplace';
import { Journal } from './journal.js';
import { OnSale, type Entry } from './on-sale.js';

/** One call that changed something. */
type Line =
  | { readonly added: readonly NewAutomation[] }
  | { readonly withdrawn: AutomationId; readonly withdrawal: Withdrawal }
  | { readonly keysFreed: { readonly asOf: Date } };

/** What the offers of one call have taken so far. */
interface Ahead {
  readonly ids: Set<AutomationId>;
  readonly keyed: Map<string, NewAutomation>;
}

const keyOf = (developerId: DeveloperId, idempotencyKey: string) => JSON.stringify([developerId, idempotencyKey]);

/** Automations in a file of JSON lines, all of them in memory as well. */
export class JsonLinesAutomationRepository implements AutomationRepository {
  readonly #journal: Journal<Line>;
  readonly #entries = new Map<AutomationId, Entry>();
  readonly #keyed = new Map<string, Entry>();
  readonly #reasons = new Map<AutomationId, string>();
  readonly #all = new OnSale();
  readonly #inCategory = new Map<CategoryId, OnSale>();
  readonly #ofDeveloper = new Map<DeveloperId, OnSale>();

  constructor(file: string) {
    this.#journal = new Journal(file);
    for (const line of this.#journal.lines()) this.#apply(line);
  }

  async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    const ahead: Ahead = { ids: new Set(), keyed: new Map() };
    const outcomes = offers.map((offer) => this.#judge(offer, ahead));
    const added = offers.filter((_, index) => outcomes[index]?.outcome === 'stored');
    if (added.length > 0) this.#apply(this.#journal.append({ added }));
    return outcomes;
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const entry = this.#entries.get(id);
    return entry && !entry.isWithdrawn ? structuredClone(entry.automation) : undefined;
  }

  async list({ page, category }: AutomationQuery): Promise<AutomationPage> {
    const shelf = category === undefined ? this.#all : (this.#inCategory.get(category) ?? new OnSale());
    const newest = shelf.count - (page.number - 1) * page.limit;
    const items = shelf.newestFirst(newest, page.limit).map(({ id, title, price }) => ({ id, title, price }));
    return { items, total: shelf.count };
  }

  async listOf(developerId: DeveloperId, { limit, before }: CursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const shelf = this.#ofDeveloper.get(developerId) ?? new OnSale();
    if (before === undefined) return shelf.newestFirst(shelf.count, limit);
    const entry = this.#entries.get(before);
    return entry?.automation.developerId === developerId
      ? shelf.newestFirst(shelf.countBefore(entry.number), limit)
      : [];
  }

  async listOldestFirst({ limit, after }: ForwardCursorQuery<AutomationId>): Promise<readonly Automation[]> {
    if (after === undefined) return this.#all.oldestFirst(0, limit);
    const entry = this.#entries.get(after);
    return entry ? this.#all.oldestFirst(this.#all.countBefore(entry.number + 1), limit) : [];
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return new Map(Array.from(this.#inCategory, ([category, shelf]) => [category, shelf.count]));
  }

  async withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return 'unknown';
    if ((withdrawal.developerId ?? entry.automation.developerId) !== entry.automation.developerId) return 'unknown';
    if (entry.isWithdrawn) return 'already-withdrawn';
    this.#apply(this.#journal.append({ withdrawn: id, withdrawal }));
    return 'withdrawn';
  }

  async withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>> {
    return new Map(
      ids.flatMap((id) => {
        const reason = this.#reasons.get(id);
        return reason === undefined ? [] : [[id, reason] as const];
      }),
    );
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const count = this.#freeKeys(asOf).length;
    if (count > 0) this.#apply(this.#journal.append({ keysFreed: { asOf } }));
    return count;
  }

  /** What becomes of an offer, those ahead of it in the same call being stored already. */
  #judge(offer: NewAutomation, ahead: Ahead): AddOutcome {
    const { automation, idempotencyKey } = offer;
    const key = idempotencyKey === undefined ? undefined : keyOf(automation.developerId, idempotencyKey);
    const earlier = key === undefined ? undefined : (ahead.keyed.get(key) ?? this.#keyed.get(key));
    if (earlier && !isFree(earlier, automation.createdAt))
      return { outcome: 'earlier', automation: structuredClone(earlier.automation) };
    if (ahead.ids.has(automation.id) || this.#entries.has(automation.id)) return { outcome: 'conflict' };
    ahead.ids.add(automation.id);
    if (key !== undefined) ahead.keyed.set(key, offer);
    return { outcome: 'stored' };
  }

  #freeKeys(asOf: Date): readonly string[] {
    return Array.from(this.#keyed)
      .filter(([, entry]) => isFree(entry, asOf))
      .map(([key]) => key);
  }

  #apply(line: Line): void {
    if ('added' in line)
      for (const offer of line.added) this.#keep({ ...offer, number: this.#entries.size + 1, isWithdrawn: false });
    else if ('withdrawn' in line) this.#takeAway(line.withdrawn, line.withdrawal.reason);
    else for (const key of this.#freeKeys(line.keysFreed.asOf)) this.#keyed.delete(key);
  }

  #keep(entry: Entry): void {
    const { id, developerId, categoryId } = entry.automation;
    this.#entries.set(id, entry);
    if (entry.idempotencyKey !== undefined) this.#keyed.set(keyOf(developerId, entry.idempotencyKey), entry);
    for (const shelf of [this.#all, shelfIn(this.#inCategory, categoryId), shelfIn(this.#ofDeveloper, developerId)])
      shelf.put(entry);
  }

  #takeAway(id: AutomationId, reason: string | undefined): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { developerId, categoryId } = entry.automation;
    entry.isWithdrawn = true;
    if (reason !== undefined) this.#reasons.set(id, reason);
    for (const shelf of [this.#all, shelfIn(this.#inCategory, categoryId), shelfIn(this.#ofDeveloper, developerId)])
      shelf.take(entry);
  }
}

function isFree({ idempotencyKeyUntil }: NewAutomation, at: Date): boolean {
  return idempotencyKeyUntil !== undefined && idempotencyKeyUntil <= at;
}

function shelfIn<Key>(shelves: Map<Key, OnSale>, key: Key): OnSale {
  const shelf = shelves.get(key) ?? new OnSale();
  shelves.set(key, shelf);
  return shelf;
}
