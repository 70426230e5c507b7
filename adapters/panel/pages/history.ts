import {
  DomainError,
  type ArchivedAutomation,
  type AuditAction,
  type AuditEntry,
  type CursorPage,
} from '../../../application/index.js';
import { sellerPage } from '../guards.js';
import { queryOf, show } from '../page.js';
import type { Resource } from '../routes.js';
import { pagerLinks, positionIn } from '../pager.js';
import { day, moment } from '../../http/views/times.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

const PAGE_SIZE = 25;

/** As many as one part of the history has. */
const MAX_PART = 100;
/** A page of one kind looks at no more parts than this; the next page goes on from there. */
const MAX_PARTS = 10;

const T = TEXTS.history;
const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });

type Kind = keyof typeof T.kinds;

/** The events of the developer's account, newest first. */
export function historyPages(panel: Panel): Readonly<Record<string, Resource>> {
  return { '/history': { GET: sellerPage(panel, (ctx, signedIn) => showHistory(ctx, panel, signedIn)) } };
}

async function showHistory(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const query = queryOf(ctx);
  const position = positionIn(query);
  const asked = query.get('kind') ?? '';
  const kind = Object.hasOwn(T.kinds, asked) ? (asked as Kind) : '';
  const page = await listKind(panel, signedIn, kind, position.before);
  const days = daysOf(await shownEntries(page.items, panel, signedIn));
  const address = `${panel.at}/history`;
  const list = kind === '' ? address : `${address}?kind=${kind}`;
  const tabs = Object.entries(T.kinds).map(([id, text]) => ({
    text,
    href: id === '' ? address : `${address}?kind=${id}`,
    isCurrent: id === kind,
  }));
  const pages = pagerLinks(list, position, page);
  show(ctx, panel, 'history', { title: T.title, current: 'history', signedIn, days, tabs, pages });
}

/** Returns a part of the history of one kind; it may have fewer entries than fit when there are few of this kind. */
async function listKind(
  { audit }: Panel,
  { caller }: SignedInDeveloper,
  kind: Kind,
  start: string | undefined,
): Promise<CursorPage<AuditEntry>> {
  if (kind === '') return audit.list(caller, { limit: PAGE_SIZE, before: start });
  const items: AuditEntry[] = [];
  let before = start;
  for (let n = 0; n < MAX_PARTS; n += 1) {
    const part = await audit.list(caller, { limit: MAX_PART, before });
    items.push(...part.items.filter(({ action }) => kindOf(action) === kind));
    const last = items[PAGE_SIZE - 1];
    if (items.length > PAGE_SIZE && last) return { items: items.slice(0, PAGE_SIZE), next: last.id };
    before = part.next;
    if (before === undefined) return { items };
  }
  return { items, ...(before !== undefined && { next: before }) };
}

function kindOf(action: AuditAction): Kind {
  if (action.startsWith('key-')) return 'keys';
  return /^(?:automation|import|categor)/.test(action) ? 'automations' : 'account';
}

/** Returns entries as pages show them, with the names of keys and the titles of automations. */
export async function shownEntries(entries: readonly AuditEntry[], panel: Panel, signedIn: SignedInDeveloper) {
  const keys = await panel.keys.listOwn(signedIn.caller);
  const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
  return Promise.all(entries.map(async (entry) => viewOf(entry, names, await automationOf(entry, panel, signedIn))));
}

type ShownEntry = Awaited<ReturnType<typeof shownEntries>>[number];

/** Returns the entries by day, both newest first. */
function daysOf(entries: readonly ShownEntry[]) {
  const days = new Map<string, ShownEntry[]>();
  for (const entry of entries) days.set(entry.day.text, [...(days.get(entry.day.text) ?? []), entry]);
  return Array.from(days.values(), (some) => ({ day: some[0]?.day, entries: some }));
}

/** Returns the automation of an entry, on sale or withdrawn; undefined when it is no longer in the store. */
async function automationOf({ action, subject }: AuditEntry, { records }: Panel, { caller }: SignedInDeveloper) {
  if (!action.startsWith('automation-') || subject === undefined) return undefined;
  try {
    return await records.read(caller, subject);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Shows the name of a key, the title of an automation, and the id of anything else. */
function viewOf(entry: AuditEntry, names: ReadonlyMap<string, string>, about: ArchivedAutomation | undefined) {
  const { at, actor, action, subject, address, requestId } = entry;
  return {
    at: moment(at),
    day: day(at),
    who: T.actors[actor],
    what: T.words[action],
    subject: about?.automation.title ?? (subject && (names.get(subject) ?? subject)),
    details: detailsOf(entry, about),
    isWarning: action === 'sign-in-failed' || action === 'developer-suspended',
    address,
    requestId,
  };
}

function detailsOf({ action, changed, counts }: AuditEntry, about: ArchivedAutomation | undefined): string | undefined {
  if (changed !== undefined) return T.changed(LISTS.format(changed.map((field) => T.fields[field])));
  if (counts !== undefined) return T.counts(counts.stored, counts.present, counts.failed);
  const reason = about?.withdrawn?.reason;
  return action === 'automation-withdrawn' && reason !== undefined ? T.reason(reason) : undefined;
}
