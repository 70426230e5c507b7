import { DomainError, isOperator } from '../../../application/index.js';
import type { Actor, ArchivedAutomation, AuditAction, AuditEntry, CursorPage } from '../../../application/index.js';
import { day, moment } from '../../web/views/times.js';
import type { Panel } from '../panel.js';
import { cursorPages, positionIn, withQuery } from '../../web/pager.js';
import { findOr, type RequestOf } from '../request.js';
import { WORDS_BY_KIND } from '../texts/history.js';
import { TEXTS } from '../texts/texts.js';
import { EVERYONES, type ManagerRequest } from './automations.js';

const T = TEXTS.history;
const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });
const PAGE_SIZE = 25;

/** The entries of one part of the history. */
const MAX_PART = 100;
/** A page of one kind looks at no more parts than this; the next page goes on from there. */
const MAX_PARTS = 10;

/** An app does these itself, where no person is named. */
const BY_APPS: readonly AuditAction[] = ['app-disconnected', 'app-token-reused'];
const OF_REPORTS: readonly AuditAction[] = [
  'automation-reported',
  'reports-dismissed',
  'reports-upheld',
  'file-refused',
];
const WARNINGS: readonly AuditAction[] = ['sign-in-failed', 'developer-suspended', 'app-token-reused'];

/** What a part of a history is about; empty for everything. */
type HistoryKind = keyof typeof WORDS_BY_KIND | '';

type Filters = ReturnType<typeof filtersIn>;

/** Shows the entries of the history, newest first, by day: a developer's own, or to operators those of everyone. */
export async function showHistory(request: ManagerRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const isEveryones = isOperator(signedIn.by);
  const { title, lead, kinds } = isEveryones ? TEXTS.operator.history : TEXTS.history;
  const position = positionIn(query);
  const filters = filtersIn(query, kinds, isEveryones);
  const page = await findOr(request, () => listKind(request, filters, position.before), { items: [] });
  const address = `${panel.at}${isEveryones ? '/operator' : ''}/history`;
  const days = daysOf(await shownEntries(request, page.items));
  const tabs = Object.entries(kinds).map(([kind, text]) => ({
    text,
    href: withQuery(address, { ...filters, kind }),
    isCurrent: kind === filters.kind,
  }));
  const pages = cursorPages(withQuery(address, filters), position, page);
  request.show('history', { title, lead, isEveryones, days, tabs, pages, address, filters });
}

/** Returns a part of the history of one kind; it may have fewer entries than fit when there are few of this kind. */
async function listKind(
  { panel, signedIn }: ManagerRequest,
  { kind, developer: name }: Filters,
  start: string | undefined,
): Promise<CursorPage<AuditEntry>> {
  const developer = name || undefined;
  const list = (limit: number, before?: string) => panel.audit.list(signedIn.by, { developer, limit, before });
  if (kind === '') return list(PAGE_SIZE, start);
  const items: AuditEntry[] = [];
  let before = start;
  for (let n = 0; n < MAX_PARTS; n += 1) {
    const part = await list(MAX_PART, before);
    items.push(...part.items.filter(({ action }) => Object.hasOwn(WORDS_BY_KIND[kind], action)));
    const last = items[PAGE_SIZE - 1];
    if (items.length > PAGE_SIZE && last) return { items: items.slice(0, PAGE_SIZE), next: last.id };
    before = part.next;
    if (before === undefined) return { items };
  }
  return { items, ...(before !== undefined && { next: before }) };
}

/** Returns the entries by day, both newest first. */
function daysOf(entries: readonly ShownEntry[]) {
  const days = new Map<string, ShownEntry[]>();
  for (const entry of entries) days.set(entry.day.text, [...(days.get(entry.day.text) ?? []), entry]);
  return Array.from(days.values(), (some) => ({ day: some[0]?.day, entries: some }));
}

function filtersIn(query: URLSearchParams, kinds: object, isEveryones: boolean) {
  const kind = query.get('kind') ?? '';
  return {
    kind: Object.hasOwn(kinds, kind) ? (kind as HistoryKind) : '',
    developer: isEveryones ? (query.get('developer') ?? '').trim() : '',
  };
}

type MemberRequest = RequestOf<'member' | 'operator'>;
type ShownEntry = ReturnType<typeof viewOf>;

/** Returns entries as pages show them, with the names of keys, apps and categories and the titles of automations. */
export async function shownEntries(
  request: MemberRequest,
  entries: readonly AuditEntry[],
): Promise<readonly ShownEntry[]> {
  const named = await namedIn(request, entries);
  return Promise.all(
    entries.map(async (entry) => viewOf(request, entry, { named, about: await automationOf(request, entry) })),
  );
}

/** What an entry is about. */
interface Subjects {
  /** The keys, apps and categories of the entries, by their ids. A rotation keeps the name of a key, not its prefix. */
  readonly named: ReadonlyMap<string, { readonly name: string; readonly prefix?: string }>;
  /** Undefined when it is no longer in the store. */
  readonly about: ArchivedAutomation | undefined;
}

async function namedIn({ panel, signedIn }: MemberRequest, entries: readonly AuditEntry[]): Promise<Subjects['named']> {
  const { by } = signedIn;
  const [keyIds, appIds] = [idsIn(entries, WORDS_BY_KIND.keys), idsIn(entries, WORDS_BY_KIND.apps)];
  const keys = await Promise.all(keyIds.map((id) => ifFound(panel.keys.read(by, id))));
  const apps = await Promise.all(appIds.map((id) => appOf(panel.oauth, by, id)));
  const categories = isOperator(by) ? await panel.categories.list() : [];
  const connected = entries.some(({ credentialId }) => credentialId) ? await connectedTo(panel.oauth, by) : [];
  const named = [...connected, ...keys, ...apps, ...categories].filter((one) => one !== undefined);
  return new Map(named.map((one) => [one.id, one]));
}

/** Returns the ids of what the entries of a kind are about, and of the programs that acted, each once. */
function idsIn(entries: readonly AuditEntry[], kind: object): readonly string[] {
  const ofKind = entries.filter(({ action }) => action in kind);
  const ids = [
    ...ofKind.flatMap(({ subject, predecessor }) => [subject, predecessor]),
    ...entries.map(({ credentialId }) => credentialId),
  ];
  return Array.from(new Set(ids.filter((id) => id !== undefined)));
}

/** Returns an app that was registered, or one that is connected; an operator sees no connections of others. */
async function appOf(oauth: Panel['oauth'], by: Actor, id: string) {
  const app = oauth && (await ifFound(oauth.apps.read(by, id)));
  return app ?? (oauth && !isOperator(by) ? ifFound(oauth.connections.read(by, id)) : undefined);
}

/** Returns the apps of others that act for a person, as their tokens name them. */
async function connectedTo(oauth: Panel['oauth'], by: Actor) {
  if (oauth === undefined || isOperator(by)) return [];
  const { items } = await oauth.connections.list(by, { limit: MAX_PART });
  return items.map(({ clientId, name }) => ({ id: clientId, name }));
}

async function automationOf({ panel, signedIn }: MemberRequest, { action, subject }: AuditEntry) {
  if (!(action in WORDS_BY_KIND.automations) || subject === undefined) return undefined;
  return ifFound(panel.records.read(signedIn.by, subject));
}

async function ifFound<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/**
 * Shows the name of a key or an app, the title of an automation, and the id of anything else. Of an app that ended
 * there is no name: its id is a detail.
 */
function viewOf({ panel, signedIn }: MemberRequest, entry: AuditEntry, subjects: Subjects) {
  const { at, actor, action, subject, developerId, address, requestId } = entry;
  const { named, about } = subjects;
  const isEveryones = isOperator(signedIn.by);
  const owner = isEveryones && actor !== 'developer' ? developerId : undefined;
  const name = subject && named.get(subject)?.name;
  const title = about?.automation.title ?? (name && T.quoted(name));
  const shown = title ?? (action in WORDS_BY_KIND.apps ? undefined : (subject ?? owner));
  return {
    at: moment(at),
    day: day(at),
    who: actorOf(entry, isEveryones),
    what: owner !== undefined && shown === owner ? (T.wordsOf[action] ?? T.words[action]) : T.words[action],
    subject: shown,
    href: isEveryones && about ? `${panel.at}${pathOf(action)}/${about.automation.id}` : undefined,
    details: detailsOf(entry, subjects, shown === owner ? undefined : owner),
    isWarning: WARNINGS.includes(action),
    address,
    requestId,
  };
}

/** Returns where operators see what an action was about. */
function pathOf(action: AuditAction): string {
  return OF_REPORTS.includes(action) ? '/operator/reports' : EVERYONES.path;
}

/** Returns who it was: in one's own history as a word, in that of everyone by their names. */
function actorOf({ actor, action, operatorId, developerId }: AuditEntry, isEveryones: boolean): string {
  if (actor === 'anonymous' && BY_APPS.includes(action)) return T.app;
  if (!isEveryones) return T.actors[actor];
  if (actor === 'operator') return operatorId ?? TEXTS.operator.history.command;
  return (actor === 'developer' ? developerId : undefined) ?? T.actors.anonymous;
}

/** Returns which key or app acted; of one that is gone there is no name. An agent is known by its address. */
function withProgram(id: string, known: { readonly name: string; readonly prefix?: string } | undefined): string {
  if (known === undefined) return T.withProgram(id);
  return known.prefix === undefined ? T.withApp(known.name) : T.withKey(known.name);
}

/** Returns what else there is to say, each in its own direction of writing. */
function detailsOf(
  { action, subject, changed, counts, file, predecessor, role, credentialId }: AuditEntry,
  { named, about }: Subjects,
  owner: string | undefined,
): readonly string[] {
  const reason = action === 'automation-withdrawn' ? about?.withdrawn?.reason : undefined;
  const endedApp = action in WORDS_BY_KIND.apps && subject && !named.has(subject) ? subject : undefined;
  return [
    owner && T.owner(owner),
    endedApp && T.id(endedApp),
    credentialId && withProgram(credentialId, named.get(credentialId)),
    role && T.role(TEXTS.operator.roles[role]),
    changed && T.changed(LISTS.format(changed.map((field) => T.fields[field]))),
    predecessor && T.replaced(named.get(predecessor)?.prefix ?? predecessor),
    file && T.file(file),
    counts && T.counts(counts),
    reason && T.reason(reason),
  ].filter((detail): detail is string => Boolean(detail));
}
