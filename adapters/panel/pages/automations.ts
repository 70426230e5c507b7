import { DomainError, type SearchPage } from '../../../application/index.js';
import { sellerPage } from '../guards.js';
import { messagesOf, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, show } from '../page.js';
import { numberedLinks, pageNumberIn } from '../pager.js';
import type { Resource } from '../routes.js';
import { localeOf } from '../../http/views/locales.js';
import { viewOf } from '../shown-automation.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { withdrawersOf } from './withdrawers.js';

const PAGE_SIZE = 20;
const STATUSES = ['on-sale', 'withdrawn'] as const;
const T = TEXTS.automations;
const NOTICES = { withdrawn: T.noticeWithdrawn };
const WORDINGS: Wordings = { q: { label: T.search } };

type Status = (typeof STATUSES)[number];

/** What the address asks for. An empty field counts as absent. */
interface Filters {
  readonly q: string;
  readonly category: string;
  readonly status: Status;
  readonly page: number;
}

/** The developer's automations, on sale and withdrawn. */
export function automationPages(panel: Panel): Readonly<Record<string, Resource>> {
  return { '/automations': { GET: sellerPage(panel, (ctx, signedIn) => showList(ctx, panel, signedIn)) } };
}

async function showList(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const filters = filtersIn(queryOf(ctx), panel);
  const { found, totals, messages } = await find(panel, signedIn, filters);
  const all = await panel.marketplace.listCategories(signedIn.caller);
  const locale = localeOf(ctx.get('Accept-Language'));
  const who = await withdrawersOf(panel, signedIn, found.items);
  const automations = found.items.map((one) => ({ ...viewOf(one, all, locale), by: who.get(one.automation.id) }));
  const list = `${panel.at}/automations`;
  const last = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
  const data = {
    automations,
    filters,
    canSearch: panel.search,
    choices: [
      { value: '', text: T.allCategories },
      ...all.map(({ id, name }) => ({ value: id, text: `${name} (${found.categoryCounts?.get(id) ?? 0})` })),
    ],
    tabs: STATUSES.map((status) => ({
      text: T.statuses[status],
      count: totals[status],
      href: addressOf(list, { ...filters, status, page: 1 }),
      isCurrent: status === filters.status,
    })),
    isFiltered: filters.q !== '' || filters.category !== '',
    total: found.total,
    range: rangeOf(found, filters.page),
    pages: numberedLinks(filters.page, last, (page) => addressOf(list, { ...filters, page })),
  };
  const notice = noticeIn(ctx, NOTICES);
  show(ctx, panel, 'automations', { title: T.title, current: 'automations', signedIn, messages, notice, ...data }, 200);
}

interface Found {
  readonly found: SearchPage;
  readonly totals: Readonly<Record<Status, number>>;
  readonly messages: Messages;
}

const NOTHING: SearchPage = { items: [], total: 0 };

/** Words that cannot be searched for find nothing, with a message. */
async function find({ records }: Panel, { caller }: SignedInDeveloper, filters: Filters): Promise<Found> {
  const { status, page } = filters;
  const other = status === 'on-sale' ? 'withdrawn' : 'on-sale';
  const asked = { q: filters.q || undefined, category: filters.category || undefined };
  try {
    const [found, rest] = await Promise.all([
      records.find(caller, { ...asked, status, page, limit: PAGE_SIZE, countCategories: true }),
      records.find(caller, { ...asked, status: other, limit: 1 }),
    ]);
    return { found, totals: { [status]: found.total, [other]: rest.total } as Found['totals'], messages: {} };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    return { found: NOTHING, totals: { 'on-sale': 0, withdrawn: 0 }, messages: messagesOf(error.fields, WORDINGS) };
  }
}

function filtersIn(query: URLSearchParams, { search }: Panel): Filters {
  return {
    q: search ? (query.get('q') ?? '').trim() : '',
    category: query.get('category') ?? '',
    status: query.get('status') === 'withdrawn' ? 'withdrawn' : 'on-sale',
    page: pageNumberIn(query),
  };
}

function rangeOf({ items, total }: SearchPage, page: number): string {
  const before = (page - 1) * PAGE_SIZE;
  return items.length === 0 ? '' : T.range(before + 1, before + items.length, total);
}

function addressOf(list: string, { q, category, status, page }: Filters): string {
  const query = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(category !== '' && { category }),
    ...(status !== 'on-sale' && { status }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === '' ? list : `${list}?${query}`;
}
