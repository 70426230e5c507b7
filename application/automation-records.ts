import { isOperator, parseDeveloperId, requireActor, type Actor } from '../domain/access.js';
import { automationId } from '../domain/automation.js';
import { categoryId } from '../domain/category.js';
import { newPage } from '../domain/page.js';
import { DomainError, Violations } from '../domain/errors.js';
import type { ArchivedAutomation, AutomationArchive, SearchPage, SearchQuery } from '../domain/ports.js';
import { checkSearchTerms } from '../domain/search-terms.js';
import type { FairSearch } from './fair-search.js';
import { requireOptions } from '../domain/options.js';

/** Which automations to find, newest first; the first 25 of all on sale by default. */
export interface RecordsRequest {
  /** Words, as in `ListRequest`. */
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  /** For the operator: only those of this developer. */
  readonly developer?: string | undefined;
  /** `on-sale` by default. */
  readonly status?: 'on-sale' | 'withdrawn' | undefined;
  /** Whether to count the matches of each category as well. */
  readonly countCategories?: boolean | undefined;
  /** 1 to 999,999,999 */
  readonly page?: number | undefined;
  /** 1 to 100 */
  readonly limit?: number | undefined;
}

const NAMES = {
  category: true,
  q: true,
  developer: true,
  status: true,
  countCategories: true,
  page: true,
  limit: true,
} as const;

/** What developers and the operator read of automations, also of withdrawn ones. */
export class AutomationRecords {
  /** Uses the archive and the search of one store. */
  constructor(
    private readonly archive: AutomationArchive,
    private readonly search: Pick<FairSearch, 'search'>,
  ) {}

  /**
   * Returns one page, newest first, and how much matches: the operator finds everything, a person their own. A
   * category that does not exist has none. Fails as `invalid` with every broken rule.
   */
  async find(by: Actor, request: RecordsRequest = {}): Promise<SearchPage> {
    requireActor(by);
    requireOptions('records.find', request, NAMES);
    const query = queryOf(by, request);
    if (request.category !== undefined && query.category === undefined) return { items: [], total: 0 };
    return this.search.search(query, isOperator(by) ? by.operatorId : by.developerId);
  }

  /**
   * Returns one, also a withdrawn one with the reason: a person one of their own, the operator any. Fails as
   * `not-found`.
   */
  async read(by: Actor, id: string): Promise<ArchivedAutomation> {
    requireActor(by);
    const known = automationId(id);
    const found = known && (await this.archive.findAny(known));
    if (found === undefined || (!isOperator(by) && found.automation.developerId !== by.developerId))
      throw new DomainError('not-found', 'no-such-automation', 'there is no automation with this id');
    return found;
  }
}

function queryOf(by: Actor, request: RecordsRequest): SearchQuery {
  const { q, category, developer, status = 'on-sale', page: number, limit, countCategories = false } = request;
  const violations = new Violations();
  const page = violations.collect(() => newPage({ page: number, limit }));
  const asked = violations.collect(() => (developer === undefined ? undefined : parseDeveloperId(developer)));
  const terms = q === undefined ? undefined : checkSearchTerms(q, violations.field('q'));
  violations.throwIfAny('the list');
  const asCategory = category === undefined ? undefined : categoryId(category);
  const developerId = isOperator(by) ? asked : by.developerId;
  return {
    page: page ?? newPage({}),
    order: 'newest',
    status,
    countCategories,
    ...(terms && { terms }),
    ...(asCategory !== undefined && { category: asCategory }),
    ...(developerId !== undefined && { developerId }),
  };
}
