import { searchFailureIn, type SearchFailureCode } from '../../../domain/search-failure.js';
import { DomainError, type SearchPage } from '../../../application/index.js';
import type { Acting } from '../acting.js';
import { messagesOf, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, show } from '../page.js';
import { numberedLinks, pageNumberIn, rangeText } from '../pager.js';
import type { Resource } from '../routes.js';
import { preferences } from '../../http/middleware/negotiation.js';
import { countText, localeOf } from '../../http/views/locales.js';
import { NO_SEARCH, SEARCH_RETRY_AFTER_SECONDS } from '../../http/views/texts.js';
import type { Shelf } from '../shelf.js';
import { viewOf } from '../shown-automation.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';

const PAGE_SIZE = 20;
const STATUSES = ['on-sale', 'withdrawn'] as const;
const T = TEXTS.automations;
const NOTICES = { withdrawn: T.noticeWithdrawn };
const WORDINGS: Wordings = { q: { label: T.search }, developer: { label: TEXTS.operator.developers.developer } };

type Status = (typeof STATUSES)[number];

/** What the address asks for. An empty field counts as absent. */
interface Filters {
  readonly q: string;
  readonly category: string;
  /** Always empty on a shelf of one developer. */
  readonly developer: string;
  readonly status: Status;
  readonly page: number;
}

/** The automations of a shelf, on sale and withdrawn. */
export function automationPages(panel: Panel, shelf: Shelf): Readonly<Record<string, Resource>> {
  return { [shelf.path]: { GET: shelf.page(panel, (ctx, acting) => showList(ctx, panel, shelf, acting)) } };
}

async function showList(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting): Promise<void> {
  const filters = filtersIn(queryOf(ctx), panel, shelf);
  const { found, totals, messages, failure } = await findWords(panel, signedIn, filters);
  if (failure !== undefined) ctx.set('Retry-After', SEARCH_RETRY_AFTER_SECONDS);
  const all = await panel.marketplace.listCategories(signedIn.caller);
  const locale = localeOf(preferences(ctx, 'Accept-Language'));
  const automations = found.items.map((one) => viewOf(one, all, locale));
  const list = `${panel.at}${shelf.path}`;
  const last = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
  const data = {
    automations,
    shelf,
    list,
    filters,
    canSearch: panel.search,
    warning: failure && NO_SEARCH[failure],
    choices: [
      { value: '', text: T.allCategories },
      ...all.map(({ id, name }) => ({ value: id, text: `${name} (${found.categoryCounts?.get(id) ?? 0})` })),
    ],
    tabs: STATUSES.map((status) => ({
      text: T.statuses[status],
      count: countText(totals[status]),
      href: addressOf(list, { ...filters, status, page: 1 }),
      isCurrent: status === filters.status,
    })),
    isFiltered: filters.q !== '' || filters.category !== '' || filters.developer !== '',
    total: found.total,
    range: rangeText((filters.page - 1) * PAGE_SIZE, found.items.length, found.total),
    pages: numberedLinks(filters.page, last, (page) => addressOf(list, { ...filters, page })),
  };
  const page = { title: shelf.texts.title, current: shelf.current, signedIn, messages };
  show(
    ctx,
    panel,
    'automations',
    { ...page, notice: noticeIn(ctx, NOTICES), ...data },
    failure === undefined ? 200 : 503,
  );
}

interface Found {
  readonly found: SearchPage;
  readonly totals: Readonly<Record<Status, number>>;
  readonly messages: Messages;
  /** Why the words were ignored. */
  readonly failure?: SearchFailureCode;
}

const NOTHING: SearchPage = { items: [], total: 0 };

/** Ignores the words while they cannot be searched for. */
async function findWords(panel: Panel, acting: Acting, filters: Filters): Promise<Found> {
  try {
    return await find(panel, acting, filters);
  } catch (error) {
    const failure = searchFailureIn(error);
    if (failure === undefined || filters.q === '') throw error;
    return { ...(await find(panel, acting, { ...filters, q: '' })), failure };
  }
}

/** Words that are no words find nothing, with a message. */
async function find({ records }: Panel, { by }: Acting, filters: Filters): Promise<Found> {
  const { q, category, developer, status, page } = filters;
  const other = status === 'on-sale' ? 'withdrawn' : 'on-sale';
  const asked = { q: q || undefined, category: category || undefined, developer: developer || undefined };
  try {
    const [found, rest] = await Promise.all([
      records.find(by, { ...asked, status, page, limit: PAGE_SIZE, countCategories: true }),
      records.find(by, { ...asked, status: other, limit: 1 }),
    ]);
    return { found, totals: { [status]: found.total, [other]: rest.total } as Found['totals'], messages: {} };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    return { found: NOTHING, totals: { 'on-sale': 0, withdrawn: 0 }, messages: messagesOf(error.fields, WORDINGS) };
  }
}

function filtersIn(query: URLSearchParams, { search }: Panel, { isEveryones }: Shelf): Filters {
  return {
    q: search ? (query.get('q') ?? '').trim() : '',
    category: query.get('category') ?? '',
    developer: isEveryones ? (query.get('developer') ?? '').trim() : '',
    status: query.get('status') === 'withdrawn' ? 'withdrawn' : 'on-sale',
    page: pageNumberIn(query),
  };
}

function addressOf(list: string, { q, category, developer, status, page }: Filters): string {
  const query = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(category !== '' && { category }),
    ...(developer !== '' && { developer }),
    ...(status !== 'on-sale' && { status }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === '' ? list : `${list}?${query}`;
}
