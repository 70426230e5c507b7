import { DomainError, type AuditAction, type AuditEntry, type CursorPage } from '../../../application/index.js';
import type { Acting } from '../acting.js';
import { shownEntries, type ShownEntry } from '../history-entries.js';
import type { HistoryKind, HistoryView } from '../history-view.js';
import { messagesOf, type Messages, type Wordings } from '../messages.js';
import { queryOf, show } from '../page.js';
import { pagerLinks, positionIn } from '../pager.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';

const PAGE_SIZE = 25;

/** The entries of one part of the history. */
const MAX_PART = 100;
/** A page of one kind looks at no more parts than this; the next page goes on from there. */
const MAX_PARTS = 10;

const WORDINGS: Wordings = { developer: { label: TEXTS.operator.developers.developer } };

/** The request in the address. */
interface Filters {
  readonly kind: HistoryKind;
  /** Empty for the history of everyone, and for one's own. */
  readonly developer: string;
}

/** The entries of the history, newest first, by day. */
export function historyPages(panel: Panel, view: HistoryView): Readonly<Record<string, Resource>> {
  return { [view.path]: { GET: view.page(panel, (ctx, acting) => showHistory(ctx, panel, view, acting)) } };
}

async function showHistory(ctx: Context, panel: Panel, view: HistoryView, signedIn: Acting): Promise<void> {
  const query = queryOf(ctx);
  const position = positionIn(query);
  const filters = filtersIn(query, view);
  const { page, messages } = await find(panel, signedIn, filters, position.before);
  const address = `${panel.at}${view.path}`;
  const data = {
    days: daysOf(await shownEntries(page.items, panel, view, signedIn)),
    tabs: Object.entries(view.kinds).map(([kind, text]) => ({
      text,
      href: addressOf(address, { ...filters, kind: kind as HistoryKind }),
      isCurrent: kind === filters.kind,
    })),
    pages: pagerLinks(addressOf(address, filters), position, page),
    ...{ address, filters, view, messages },
  };
  show(ctx, panel, 'history', { title: view.texts.title, current: view.current, signedIn, ...data }, 200);
}

interface Found {
  readonly page: CursorPage<AuditEntry>;
  readonly messages: Messages;
}

/** A name that no developer can have finds nothing, with a message. */
async function find(panel: Panel, acting: Acting, filters: Filters, start: string | undefined): Promise<Found> {
  try {
    return { page: await listKind(panel, acting, filters, start), messages: {} };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    return { page: { items: [] }, messages: messagesOf(error.fields, WORDINGS) };
  }
}

/** Returns a part of the history of one kind; it may have fewer entries than fit when there are few of this kind. */
async function listKind(
  { audit }: Panel,
  { by }: Acting,
  { kind, developer: name }: Filters,
  start: string | undefined,
): Promise<CursorPage<AuditEntry>> {
  const developer = name || undefined;
  if (kind === '') return audit.list(by, { developer, limit: PAGE_SIZE, before: start });
  const items: AuditEntry[] = [];
  let before = start;
  for (let n = 0; n < MAX_PARTS; n += 1) {
    const part = await audit.list(by, { developer, limit: MAX_PART, before });
    items.push(...part.items.filter(({ action }) => kindOf(action) === kind));
    const last = items[PAGE_SIZE - 1];
    if (items.length > PAGE_SIZE && last) return { items: items.slice(0, PAGE_SIZE), next: last.id };
    before = part.next;
    if (before === undefined) return { items };
  }
  return { items, ...(before !== undefined && { next: before }) };
}

function kindOf(action: AuditAction): HistoryKind {
  if (action.startsWith('key-')) return 'keys';
  if (action.startsWith('categor')) return 'categories';
  return /^(?:automation|import)/.test(action) ? 'automations' : 'account';
}

/** Returns the entries by day, both newest first. */
function daysOf(entries: readonly ShownEntry[]) {
  const days = new Map<string, ShownEntry[]>();
  for (const entry of entries) days.set(entry.day.text, [...(days.get(entry.day.text) ?? []), entry]);
  return Array.from(days.values(), (some) => ({ day: some[0]?.day, entries: some }));
}

function filtersIn(query: URLSearchParams, { kinds, isEveryones }: HistoryView): Filters {
  const kind = query.get('kind') ?? '';
  return {
    kind: Object.hasOwn(kinds, kind) ? (kind as HistoryKind) : '',
    developer: isEveryones ? (query.get('developer') ?? '').trim() : '',
  };
}

function addressOf(list: string, { kind, developer }: Filters): string {
  const query = new URLSearchParams({ ...(kind !== '' && { kind }), ...(developer !== '' && { developer }) });
  return query.size === 0 ? list : `${list}?${query.toString()}`;
}
