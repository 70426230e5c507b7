import type { DeveloperId } from '../../domain/access.js';
import { holderName, planAdd, type AddContext, type KeyHolder } from '../../domain/add-plan.js';
import { withdrawalEntries, type AuditEntry } from '../../domain/audit.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import { unknownAfter } from '../../domain/page.js';
import type {
  AddOutcome,
  ArchivedAutomation,
  AutomationArchive,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  CatalogueSearch,
  NewAutomation,
  PrepareOptions,
  Revision,
  ReviseOutcome,
  ScanQuery,
  StoreRecord,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { recordFor } from '../../domain/store-record.js';
import { InMemoryAuditLog } from './audit-log.js';
import { InMemoryCatalogueSearch } from './catalogue-search.js';
import { archivedOf, automationOf, entryOf, summaryOf, withdrawnEntry, type Entry } from './entries.js';
import { categoryShelf, Shelf, shelfOf, shelvesOf } from './shelf.js';

/** The settings of a store in memory. */
export interface InMemorySettings {
  /** Whether words are kept, to search by them; true by default. Without them, a search with terms is `unavailable`. */
  readonly search?: boolean | undefined;
}

/** The use of an idempotency key: by which automation, and until when. */
interface KeyUse {
  readonly number: number;
  readonly until?: number;
  readonly requestHash?: string;
}

/**
 * Keeps automations in one array; the index of each is its number. Every list that can be asked for is a shelf: the
 * numbers of its automations, in order.
 */
export class InMemoryAutomationRepository implements AutomationRepository, AutomationArchive {
  readonly #entries: Entry[] = [];
  readonly #numbers = new Map<AutomationId, number>();
  readonly #files = new Map<AutomationId, Uint8Array>();
  readonly #keys = new Map<string, KeyUse>();
  readonly #shelves = new Map<string, Shelf>();
  readonly #categories = new Set<CategoryId>();
  #recorded: Partial<StoreRecord> = {};
  #changes = 0;

  /** Finds what is in this repository. */
  readonly search: CatalogueSearch;
  readonly #search: InMemoryCatalogueSearch;

  /** Takes the log that gets the entries of the audit. With `search: false` it keeps no words. */
  constructor(
    private readonly auditLog = new InMemoryAuditLog(),
    { search = true }: InMemorySettings = {},
  ) {
    this.search = this.#search = new InMemoryCatalogueSearch(this.#entries, search);
  }

  /** The currency of every price: the recorded one, or that of the first price; undefined before. */
  get currency(): Currency | undefined {
    return this.#recorded.currency;
  }

  /** Records the currency, as `Storage.prepare` does, and returns what is recorded. */
  prepare(options: PrepareOptions): StoreRecord {
    return (this.#recorded = recordFor(this.#recorded, options));
  }

  async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    const { outcomes, inserts } = planAdd(offers, this.#contextOf(offers));
    for (const insert of inserts) this.#insert(insert);
    if (inserts[0] !== undefined)
      this.#recorded = { currency: inserts[0].automation.price.currency, ...this.#recorded };
    await this.#record(...inserts.map(({ auditEntry }) => auditEntry));
    return outcomes;
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const entry = this.#entryOf(id);
    return entry && !entry.withdrawn ? automationOf(entry) : undefined;
  }

  async readFile(id: AutomationId): Promise<Uint8Array | undefined> {
    const content = this.#files.get(id);
    return content && new Uint8Array(content);
  }

  async list({ page, category, whole, countCategories }: AutomationQuery): Promise<AutomationPage> {
    const shelf = this.#shelf(category === undefined ? shelfOf('on-sale') : categoryShelf(category));
    const items = this.#at(this.#pageOf(shelf, page));
    return {
      items: items.map(summaryOf),
      total: shelf.size,
      revision: String(this.#changes),
      ...(whole === true && { automations: items.map(automationOf) }),
      ...(countCategories === true && { categoryCounts: this.#counts() }),
    };
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.#counts();
  }

  async revise({ automation, basedOn, fileContent, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { currency = automation.price.currency } = this;
    if (automation.price.currency !== currency) return { outcome: 'other-currency', currency };
    const entry = this.#entryOf(automation.id);
    if (entry === undefined || entry.withdrawn) return { outcome: 'unknown' };
    if (entry.updatedAt !== basedOn.getTime()) return { outcome: 'conflict', automation: automationOf(entry) };
    const { id, developerId, createdAt } = entry;
    this.#replace({ ...entryOf(automation), id, developerId, createdAt });
    this.#keepFile(id, fileContent);
    await this.#record(auditEntry);
    return { outcome: 'revised' };
  }

  async withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { developerId, auditEntry } = withdrawal;
    const entry = this.#entryOf(id);
    if (entry === undefined || (developerId !== undefined && developerId !== entry.developerId)) return 'unknown';
    if (entry.withdrawn) return 'already-withdrawn';
    this.#replace(withdrawnEntry(entry, withdrawal));
    await this.#record(auditEntry);
    return 'withdrawn';
  }

  async withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const shelf = this.#shelf(shelfOf('on-sale', withdrawal.developerId));
    const entries = this.#at(shelf.slice(0, withdrawal.entryIds.length));
    for (const entry of entries) this.#replace(withdrawnEntry(entry, withdrawal));
    const ids = entries.map(({ id }) => id);
    await this.#record(...withdrawalEntries(ids, withdrawal));
    return ids;
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    const free = Array.from(this.#keys).filter(([, { until }]) => until !== undefined && until <= asOf.getTime());
    for (const [name] of free) this.#keys.delete(name);
    return free.length;
  }

  async scan({ developerId, status, order, limit, after }: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const known = after === undefined ? undefined : this.#numbers.get(after);
    if (after !== undefined && !this.#belongsTo(developerId, known)) return [];
    const shelf = this.#shelf(shelfOf(status, developerId));
    return this.#at(shelf.part(order, limit, known)).map(archivedOf);
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const entry = this.#entryOf(id);
    return entry && archivedOf(entry);
  }

  #pageOf(shelf: Shelf, page: AutomationQuery['page']): readonly number[] {
    if (!('after' in page)) return shelf.page((page.number - 1) * page.limit, page.limit);
    const known = this.#numbers.get(page.after);
    if (known === undefined) throw unknownAfter();
    return shelf.part('newest-first', page.limit, known);
  }

  #counts(): ReadonlyMap<CategoryId, number> {
    return new Map(Array.from(this.#categories, (category) => [category, this.#shelf(categoryShelf(category)).size]));
  }

  #contextOf(offers: readonly NewAutomation[]): AddContext {
    const names = offers.map(keyName);
    const holders = names.flatMap((name) => {
      const use = name === undefined ? undefined : this.#keys.get(name);
      return name === undefined || use === undefined ? [] : [[name, this.#holderOf(use)] as const];
    });
    const ids = offers.map(({ automation }) => automation.id);
    const takenIds = new Set(ids.filter((id) => this.#numbers.has(id)));
    return { currency: this.currency, holders: new Map(holders), takenIds };
  }

  #holderOf({ number, until, requestHash }: KeyUse): KeyHolder {
    return {
      automation: automationOf(this.#entries[number] as Entry),
      ...(until !== undefined && { idempotencyKeyUntil: new Date(until) }),
      ...(requestHash !== undefined && { requestHash }),
    };
  }

  #insert(offer: NewAutomation): void {
    const { automation, idempotencyKeyUntil: until, requestHash, fileContent } = offer;
    const [number, entry, name] = [this.#entries.length, entryOf(automation), keyName(offer)];
    this.#entries.push(entry);
    this.#numbers.set(automation.id, number);
    this.#keepFile(automation.id, fileContent);
    this.#categories.add(automation.categoryId);
    for (const shelf of shelvesOf(entry)) this.#keepShelf(shelf).insert(number);
    this.#search.insert(number, entry);
    this.#changes += 1;
    if (name === undefined) return;
    this.#keys.set(name, {
      number,
      ...(until && { until: until.getTime() }),
      ...(requestHash !== undefined && { requestHash }),
    });
  }

  /** Keeps an entry in the place of that with the same id, and moves it to the shelves on which it belongs now. */
  #replace(entry: Entry): void {
    const number = this.#numbers.get(entry.id) as number;
    const replaced = this.#entries[number] as Entry;
    const [before, after] = [shelvesOf(replaced), shelvesOf(entry)];
    this.#entries[number] = entry;
    if (entry.withdrawn || entry.file === null) this.#files.delete(entry.id);
    this.#search.replace(number, replaced, entry);
    this.#categories.add(entry.categoryId);
    for (const shelf of before) if (!after.includes(shelf)) this.#shelf(shelf).remove(number);
    for (const shelf of after) if (!before.includes(shelf)) this.#keepShelf(shelf).insert(number);
    this.#changes += 1;
  }

  #entryOf(id: AutomationId): Entry | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#entries[number];
  }

  #keepFile(id: AutomationId, content: Uint8Array | undefined): void {
    if (content) this.#files.set(id, new Uint8Array(content));
  }

  #at(numbers: readonly number[]): readonly Entry[] {
    return numbers.map((number) => this.#entries[number] as Entry);
  }

  #belongsTo(developerId: DeveloperId | undefined, number: number | undefined): boolean {
    if (number === undefined) return false;
    return developerId === undefined || this.#entries[number]?.developerId === developerId;
  }

  #shelf(name: string): Shelf {
    return this.#shelves.get(name) ?? new Shelf();
  }

  /** Returns a shelf, which is kept from now on. */
  #keepShelf(name: string): Shelf {
    const shelf = this.#shelf(name);
    this.#shelves.set(name, shelf);
    return shelf;
  }

  async #record(...entries: readonly (AuditEntry | undefined)[]): Promise<void> {
    await this.auditLog.append(entries.filter((entry) => entry !== undefined));
  }
}

function keyName({ automation, idempotencyKey }: NewAutomation): string | undefined {
  return idempotencyKey === undefined ? undefined : holderName(automation.developerId, idempotencyKey);
}
