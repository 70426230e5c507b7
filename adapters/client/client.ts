import { givenOptions, type OptionTypes } from './given-options.js';
import type { ClientOptions } from './options.js';
import { Requests } from './requests.js';
import { isAutomation, isAutomationList, isCategoryList, type Expected, type Served } from './responses.js';
import type {
  Automation,
  AutomationList,
  AutomationSummary,
  CategoryList,
  CreateAutomation,
  ListQuery,
} from './types.js';

/** What every call takes. */
export interface CallOptions {
  /** Ends the call: the request, the waiting for the next attempt, and a loop over `list`. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a create. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters that no other create of the developer has; random by default. Pass one of your own if your
   * program itself repeats a create that has failed.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a read. */
export interface ConditionalOptions extends CallOptions {
  /** The entity tag of what the caller has already, as `etagOf` returns it. */
  readonly ifNoneMatch?: string | undefined;
}

/** The automations of a marketplace. */
export interface Automations {
  /**
   * Yields all automations that match, page after page, and none twice. Of all, or of a category, it misses none that
   * stays on sale; with words, prices or an order it may miss some while others are withdrawn.
   */
  list(query?: ListQuery, options?: CallOptions): AsyncGenerator<AutomationSummary, void, undefined>;
  /** Returns one page: 25 automations, unless `limit` says otherwise (1 to 100). */
  page(query?: ListQuery & PageQuery, options?: CallOptions): Promise<AutomationList>;
  /** Returns an automation. @throws ProblemError `not-found` */
  get(id: string, options?: CallOptions & { readonly ifNoneMatch?: undefined }): Promise<Automation>;
  /** Returns an automation; undefined if it has the entity tag still. @throws ProblemError `not-found` */
  get(id: string, options: ConditionalOptions): Promise<Automation | undefined>;
  /**
   * Puts an automation on sale, once, however often the request has to be sent.
   * @throws ProblemError `validation-error`, whose `errors` name every mistake
   */
  create(draft: CreateAutomation, options?: CreateOptions): Promise<Automation>;
}

/** The number and the size of a page. */
export interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  /** The id of the automation behind which the page begins; only together with `category` and `limit`. */
  readonly after?: string | undefined;
}

/** A client of a marketplace. */
export interface MarketplaceClient {
  readonly automations: Automations;
  readonly categories: {
    /** Returns all categories, ordered by name. */
    list(options?: CallOptions): Promise<CategoryList>;
  };
  /** Returns the entity tag of a result of this client. */
  etagOf(result: object): string | undefined;
}

const PAGE_SIZE = 100;

type ReadPage = (query: ListQuery & PageQuery, options: CallOptions) => Promise<AutomationList>;

const SEARCH: OptionTypes<ListQuery> = {
  category: 'a string',
  platform: 'a string',
  q: 'a string',
  sort: 'a string',
  price_min: 'a number',
  price_max: 'a number',
};
const SEARCH_AND_PAGE: OptionTypes<ListQuery & PageQuery> = {
  ...SEARCH,
  page: 'a number',
  limit: 'a number',
  after: 'a string',
};
const CALL: OptionTypes<CallOptions> = { signal: 'an AbortSignal' };
const CONDITIONS: OptionTypes<ConditionalOptions> = { ...CALL, ifNoneMatch: 'a string' };
const CREATE: OptionTypes<CreateOptions> = { ...CALL, idempotencyKey: 'a string' };

const AUTOMATION = { what: 'an automation', isBody: isAutomation };
const READ = { status: 200, mayBeUnchanged: false } as const;
const LIST: Expected = { ...READ, what: 'a page of automations', isBody: isAutomationList };
const CATEGORIES: Expected = { ...READ, what: 'a list of categories', isBody: isCategoryList };
const CREATED: Expected = { ...AUTOMATION, ...READ, status: 201 };

/**
 * Returns a client of the API. A request that was not served is sent again, up to five times, after the seconds that
 * the service names; each attempt may take 30 seconds. The options `retries` and `timeout` change both. What cannot
 * pass is not sent again: an unknown host, a wrong certificate, a redirect, a response of another server. Only a 200 of
 * a read and a 201 of a create count as a success. Without a key and a token, a browser sends the cookies of the page's
 * own origin. A call rejects with a `ProblemError`, an `UnexpectedResponse` or a `NoResponse`, with the reason of its
 * signal or with the error of `token`.
 * @throws TypeError that names what is wrong with the options.
 */
export function createClient(options: ClientOptions): MarketplaceClient {
  const requests = new Requests(options);
  const etags = new WeakMap<object, string>();

  async function read(path: string, expected: Expected, options: ConditionalOptions): Promise<unknown> {
    const { signal, ifNoneMatch } = options;
    const headers = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
    return noted(await requests.send({ method: 'GET', path, headers, signal, expected }));
  }

  function noted({ etag, body }: Served): unknown {
    if (etag !== null && typeof body === 'object' && body !== null) etags.set(body, etag);
    return body;
  }

  const readPage: ReadPage = (query, callOptions) =>
    read(`/automations${queryString(query)}`, LIST, callOptions) as Promise<AutomationList>;

  const automations: Automations = {
    page: async (query, callOptions) =>
      readPage(
        givenOptions('automations.page', query ?? {}, SEARCH_AND_PAGE),
        givenOptions('automations.page', callOptions ?? {}, CALL),
      ),
    list: (query, callOptions) => eachOf(readPage, query ?? {}, callOptions ?? {}),
    // One implementation for both signatures: without an entity tag nothing is unchanged.
    get: async (id: string, options?: ConditionalOptions) => {
      const conditions = givenOptions('automations.get', options ?? {}, CONDITIONS);
      if (typeof id !== 'string' || id === '') throw new TypeError('id must be a string, not empty');
      const expected = { ...AUTOMATION, ...READ, mayBeUnchanged: conditions.ifNoneMatch !== undefined };
      return read(`/automations/${encodeURIComponent(id)}`, expected, conditions) as Promise<Automation>;
    },
    create: async (draft, options) => {
      const { idempotencyKey = randomKey(), signal } = givenOptions('automations.create', options ?? {}, CREATE);
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
      const create = { method: 'POST', path: '/automations', headers, body: JSON.stringify(draft), signal } as const;
      return noted(await requests.send({ ...create, expected: CREATED })) as Automation;
    },
  };
  return {
    automations,
    categories: {
      list: async (options) =>
        read('/categories', CATEGORIES, givenOptions('categories.list', options ?? {}, CALL)) as Promise<CategoryList>,
    },
    etagOf: (result) => etags.get(result),
  };
}

/**
 * Yields the items of all pages, until the signal ends it. Without words, prices and an order each page begins behind
 * the last item; else what is added meanwhile moves others to the next page, where they are left out.
 */
async function* eachOf(
  readPage: ReadPage,
  query: ListQuery,
  options: CallOptions,
): AsyncGenerator<AutomationSummary, void, undefined> {
  const callOptions = givenOptions('automations.list', options, CALL);
  const search = givenOptions('automations.list', query, SEARCH);
  const isPlain = Object.keys(search).every((name) => name === 'category');
  const seen = new Set<string>();
  let start: PageQuery = {};
  for (let number = 2; ; number += 1) {
    const { data } = await readPage({ ...search, ...start, limit: PAGE_SIZE }, callOptions);
    for (const item of data) {
      if (seen.has(item.id)) continue;
      if (!isPlain) seen.add(item.id);
      yield item;
      callOptions.signal?.throwIfAborted();
    }
    if (data.length < PAGE_SIZE) return;
    start = isPlain ? { after: data.at(-1)?.id } : { page: number };
  }
}

function queryString(query: ListQuery & PageQuery): string {
  // It makes texts of numbers.
  const parameters = new URLSearchParams(query as Readonly<Record<string, string>>);
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** Returns 128 random bits. `crypto.randomUUID` is missing in pages that came over plain HTTP. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).join('.');
}
