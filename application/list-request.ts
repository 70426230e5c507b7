import { automationId, type AutomationId, type AutomationSummary } from '../domain/automation.js';
import { categoryId, type CategoryId } from '../domain/category.js';
import type { Currency } from '../domain/currency.js';
import { Violations, type FieldError, type ReportViolation } from '../domain/errors.js';
import { PLATFORMS, type PlatformName } from '../domain/file.js';
import { requireOptions } from '../domain/options.js';
import { AFTER_RULE, newPage, type Page } from '../domain/page.js';
import type { AutomationQuery, SearchOrder, SearchQuery } from '../domain/ports.js';
import { checkPrice } from '../domain/price.js';
import { checkSearchTerms } from '../domain/search-terms.js';

/** Every order of a list, the usual one first. */
export const SEARCH_ORDERS = ['newest', 'price', '-price', 'best'] as const satisfies readonly SearchOrder[];

/** Which automations to list, and in which order; the first 25 of all, newest first, by default. */
export interface ListRequest {
  readonly category?: string | undefined;
  /** Only those with a file of this platform. */
  readonly platform?: PlatformName | undefined;
  /** Words that must all be in title or description; the last one may be the beginning of a word. */
  readonly q?: string | undefined;
  /** `best` only with `q`: `SearchOrder` says what comes first. */
  readonly sort?: SearchOrder | undefined;
  /** The lowest price, in major units. */
  readonly priceMin?: number | undefined;
  /** The highest price, in major units. */
  readonly priceMax?: number | undefined;
  /** 1 to 999,999,999 */
  readonly page?: number | undefined;
  /** 1 to 100 */
  readonly limit?: number | undefined;
  /**
   * The id of an automation that is or was on sale: the page begins behind it, newest first. To read everything, begin
   * without it, and go on behind the last one. Only together with `category` and `limit`.
   */
  readonly after?: string | undefined;
}

/** One page of a list. */
export interface AutomationList {
  readonly items: readonly AutomationSummary[];
  /** The number of automations that match, on all pages. */
  readonly total: number;
  readonly page: Page;
  /**
   * An opaque name for the state that was read: the same request with the same revision has the same items and total.
   * The page of a search has none.
   */
  readonly revision?: string;
}

/** A request that was not checked. */
export type UncheckedListRequest = { readonly [Field in keyof ListRequest]?: unknown };

interface ListContext {
  readonly currency: Currency;
  /** Whether there is a search; without it, only the usual order of everything or of a category can be asked for. */
  readonly canSearch: boolean;
}

/** What a request asks for. With `after` it is plain, and its page is the first one. */
export interface ListQuery extends SearchQuery {
  readonly after?: AutomationId | undefined;
}

/** Returns what a request asks for, of all that is on sale. @throws DomainError `invalid` with every broken rule. */
export function parseListRequest(request: UncheckedListRequest, context: ListContext): ListQuery {
  const violations = new Violations();
  const query = checkListRequest(request, context, violations);
  violations.throwIfAny('the list');
  return query;
}

/** Returns every rule that a request breaks. */
export function violationsOfList(request: UncheckedListRequest, context: ListContext): readonly FieldError[] {
  const violations = new Violations();
  checkListRequest(request, context, violations);
  return violations.fields;
}

/** Returns whether this is the usual order of everything, or of a category: then no search is needed. */
export function isPlain({ order, terms, platform, lowestPrice, highestPrice }: SearchQuery): boolean {
  return order === 'newest' && (terms ?? platform ?? lowestPrice ?? highestPrice) === undefined;
}

/** Returns the query of a plain request. */
export function plainQuery({ page, category, after }: ListQuery): AutomationQuery {
  return {
    page: after === undefined ? page : { after, limit: page.limit },
    ...(category !== undefined && { category }),
  };
}

const SEARCHING = { q: true, platform: true, sort: true, priceMin: true, priceMax: true, page: true } as const;
const NAMES = { ...SEARCHING, category: true, limit: true, after: true } as const;

type Search = Pick<SearchQuery, 'order' | 'terms' | 'platform' | 'lowestPrice' | 'highestPrice'>;

function checkListRequest(request: UncheckedListRequest, context: ListContext, violations: Violations): ListQuery {
  requireOptions('the request of a list', request, NAMES);
  if (request.after !== undefined) return checkAfter(request, violations);
  const page = violations.collect(() => newPage(request as ListRequest)) ?? newPage({});
  const category = checkCategory(request.category, violations.field('category'));
  const search = context.canSearch ? checkSearch(request, context.currency, violations) : noSearch(request, violations);
  return { page, status: 'on-sale', ...(category !== undefined && { category }), ...search };
}

function checkAfter(request: UncheckedListRequest, violations: Violations): ListQuery {
  const after = typeof request.after === 'string' ? automationId(request.after) : undefined;
  if (after === undefined) violations.field('after')('unknown-value', AFTER_RULE);
  for (const field of Object.keys(SEARCHING) as (keyof typeof SEARCHING)[])
    if (request[field] !== undefined) violations.field(field)('unknown-value', 'must be left out together with after');
  const page = violations.collect(() => newPage({ limit: request.limit as number })) ?? newPage({});
  const category = checkCategory(request.category, violations.field('category'));
  return {
    page,
    status: 'on-sale',
    order: 'newest',
    ...(category !== undefined && { category }),
    ...(after && { after }),
  };
}

/** Returns undefined for none, and for one that no category can have. */
function checkCategory(category: unknown, report: ReportViolation): CategoryId | undefined {
  if (typeof category === 'string') return categoryId(category);
  if (category !== undefined) report('wrong-type', 'must be a string');
  return undefined;
}

function noSearch({ q, platform, sort, priceMin, priceMax }: UncheckedListRequest, violations: Violations): Search {
  const asked = { q, platform, sort: sort === 'newest' ? undefined : sort, priceMin, priceMax };
  for (const [field, value] of Object.entries(asked))
    if (value !== undefined)
      violations.field(field)('unknown-value', 'must be left out: this marketplace has no search');
  return { order: 'newest' };
}

function checkSearch(request: UncheckedListRequest, currency: Currency, violations: Violations): Search {
  const check = <Value>(field: keyof ListRequest, rule: (value: unknown, report: ReportViolation) => Value) => {
    if (request[field] === undefined) return undefined;
    const before = violations.fields.length;
    const value = rule(request[field], violations.field(field));
    return violations.fields.length === before ? value : undefined;
  };
  const priceRule = (value: unknown, report: ReportViolation) => checkPrice(value, currency, report);
  const terms = check('q', checkSearchTerms);
  const platform = check('platform', checkPlatform);
  const [lowest, highest] = [check('priceMin', priceRule), check('priceMax', priceRule)];
  if (lowest && highest && lowest.minorUnits > highest.minorUnits)
    violations.field('priceMin')('out-of-range', 'must not be greater than the highest price');
  return {
    order: checkOrder(request, violations.field('sort')),
    ...(terms && { terms }),
    ...(platform && { platform }),
    ...(lowest && { lowestPrice: lowest.minorUnits }),
    ...(highest && { highestPrice: highest.minorUnits }),
  };
}

function checkPlatform(value: unknown, report: ReportViolation): PlatformName | undefined {
  const platform = PLATFORMS.find((candidate) => candidate === value);
  if (platform === undefined) report('unknown-value', `must be one of ${PLATFORMS.join(', ')}`);
  return platform;
}

function checkOrder({ sort = 'newest', q }: UncheckedListRequest, report: ReportViolation): SearchOrder {
  const order = SEARCH_ORDERS.find((candidate) => candidate === sort);
  if (order === undefined) report('unknown-value', `must be one of ${SEARCH_ORDERS.join(', ')}`);
  if (order === 'best' && q === undefined) report('unknown-value', 'may be best only together with q');
  return order ?? 'newest';
}
