import type { DeveloperId } from '../domain/access.js';
import { automationId, type Automation } from '../domain/automation.js';
import type { CategoryId, CountedCategory } from '../domain/category.js';
import { DEFAULT_CURRENCY, parseCurrency, type Currency } from '../domain/currency.js';
import type { FieldError } from '../domain/errors.js';
import { LIMIT_BOUNDS, newPage, type Page } from '../domain/page.js';
import type {
  ArchivedAutomation,
  AutomationArchive,
  AutomationRepository,
  CategoryRepository,
  SearchPage,
  SearchQuery,
} from '../domain/ports.js';
import { archiveLots } from './archive-lots.js';
import type { FairSearch } from './fair-search.js';
import type { RefusedFiles } from './file-intake.js';
import {
  isPlain,
  parseListRequest,
  plainQuery,
  violationsOfList,
  type ListQuery,
  type UncheckedListRequest,
} from './list-request.js';
import type { MarketplaceOptions } from './marketplace.js';
import { counted, countedCategories, isFileRefused, readFileOf } from './on-sale.js';

/** The parts of one store that the catalogue reads. */
export interface CataloguePorts {
  readonly automations: AutomationRepository;
  readonly archive: AutomationArchive;
  readonly categories: CategoryRepository;
  readonly search: Pick<FairSearch, 'search'>;
  /** Tells which files are refused for everyone. */
  readonly reports?: RefusedFiles | undefined;
}

/** A page of automations, and how many match on all pages. */
export interface FoundAutomations {
  readonly items: readonly Automation[];
  readonly total: number;
}

/** One page of the catalogue. */
export interface CataloguePage extends FoundAutomations {
  /** Every category, ordered by name, with the matches in it as if the request named none. */
  readonly categories: readonly CountedCategory[];
}

/**
 * What buyers see of the marketplace: all that is on sale, with its texts. It asks for no caller: the pages that show
 * it decide who may look.
 */
export class Catalogue {
  /** The currency of every price. */
  readonly currency: Currency;

  /** Reads one store. @throws DomainError `invalid` when there is no such currency. */
  constructor(
    private readonly ports: CataloguePorts,
    options: Pick<MarketplaceOptions, 'currency'> = {},
  ) {
    this.currency = parseCurrency(options.currency ?? DEFAULT_CURRENCY);
  }

  /** Returns every rule that a request breaks, as `find` would report them. */
  review(request: UncheckedListRequest): readonly FieldError[] {
    return violationsOfList(request, this.#context);
  }

  /**
   * Returns one page, newest first unless another order is asked for. A category that does not exist has an empty list.
   * Fails as `invalid` with every broken rule, and as `unavailable` while words cannot be searched for. `client` is the
   * visitor, as `FairSearch` takes it.
   */
  async find(request: UncheckedListRequest, client?: string): Promise<CataloguePage> {
    const query = parseListRequest(request, this.#context);
    const isNowhere = request.category !== undefined && query.category === undefined;
    const [categories, { items, total, counts }] = await Promise.all([
      this.ports.categories.list(),
      isPlain(query) ? this.#plainPage(query) : this.#searchPage(query, client),
    ]);
    return {
      ...(isNowhere ? { items: [], total: 0 } : { items, total }),
      categories: counted([categories, counts]),
    };
  }

  /** Returns every category, ordered by name, with the number of automations on sale in it. */
  categories(): Promise<readonly CountedCategory[]> {
    return countedCategories(this.ports);
  }

  /** Returns one page of what a developer has on sale, newest first; of one category if it is named. */
  async ofDeveloper(
    developerId: DeveloperId,
    page: Page,
    category?: CategoryId,
    client?: string,
  ): Promise<FoundAutomations> {
    const query: SearchQuery = { page, order: 'newest', status: 'on-sale', developerId };
    const inCategory = category === undefined ? query : { ...query, category };
    return foundIn(await this.ports.search.search(inCategory, client));
  }

  /** Returns the newest automations of the page's limit; of one category if it is named. */
  async newest(limit: number, category?: CategoryId): Promise<readonly Automation[]> {
    const query = { page: newPage({ limit }), ...(category !== undefined && { category }), whole: true };
    return (await this.ports.automations.list(query)).automations ?? [];
  }

  /**
   * Returns one automation, also a withdrawn one, but not the reason, which is for its developer; undefined for an id
   * that is unknown or malformed.
   */
  async read(id: string): Promise<ArchivedAutomation | undefined> {
    const known = automationId(id);
    const found = known && (await this.ports.archive.findAny(known));
    if (found?.withdrawn === undefined) return found;
    const { at, by } = found.withdrawn;
    return { automation: found.automation, withdrawn: { at, by } };
  }

  /** Returns whether the file of an automation is refused for everyone. */
  isFileRefused(automation: Automation): Promise<boolean> {
    return isFileRefused(automation, this.ports);
  }

  /**
   * Returns the bytes of an automation's file; undefined when it has none, is refused for everyone, or is not as it was
   * read any more.
   */
  readFile(automation: Automation): Promise<Uint8Array | undefined> {
    return readFileOf(automation, this.ports);
  }

  /** Returns what a developer put on sale last, without this one. */
  async moreOf({ id, developerId }: Automation, count: number): Promise<readonly Automation[]> {
    const query = { developerId, status: 'on-sale', order: 'newest-first', limit: count + 1 } as const;
    const found = (await this.ports.archive.scan(query)).map(({ automation }) => automation);
    return found.filter((one) => one.id !== id).slice(0, count);
  }

  /** Returns how many automations are on sale, and an opaque name for the state that was read, if the store has one. */
  async size(): Promise<{ readonly total: number; readonly revision?: string }> {
    return this.ports.automations.list({ page: newPage({ limit: 1 }) });
  }

  /** Yields a part of all that is on sale, newest first, in lots; `start` is a multiple of 100. */
  async *part(start: number, size: number): AsyncGenerator<readonly Automation[]> {
    const after = start === 0 ? undefined : await this.#idBefore(start);
    if (start > 0 && after === undefined) return;
    let left = size;
    for await (const lot of archiveLots(this.ports.archive, { status: 'on-sale', order: 'newest-first', after })) {
      yield lot.slice(0, left).map(({ automation }) => automation);
      left -= lot.length;
      if (left <= 0) return;
    }
  }

  get #context() {
    return { currency: this.currency, canSearch: true };
  }

  /** Returns the id of the automation with this number, counted from 1, of all on sale. */
  async #idBefore(number: number) {
    const page = newPage({ page: number / LIMIT_BOUNDS.highest, limit: LIMIT_BOUNDS.highest });
    return (await this.ports.automations.list({ page })).items[LIMIT_BOUNDS.highest - 1]?.id;
  }

  async #plainPage(query: ListQuery) {
    const found = await this.ports.automations.list({ ...plainQuery(query), whole: true, countCategories: true });
    return { items: found.automations ?? [], total: found.total, counts: countsOf(found) };
  }

  async #searchPage(query: SearchQuery, client?: string) {
    const found = await this.ports.search.search({ ...query, countCategories: true }, client);
    return { ...foundIn(found), counts: countsOf(found) };
  }
}

function countsOf({ categoryCounts }: Pick<SearchPage, 'categoryCounts'>): ReadonlyMap<CategoryId, number> {
  return categoryCounts ?? new Map();
}

function foundIn({ items, total }: SearchPage): FoundAutomations {
  return { items: items.map(({ automation }) => automation), total };
}
