import { DomainError, isOperator, type ArchivedAutomation, type AuditEntry } from '../../application/index.js';
import { day, moment } from '../http/views/times.js';
import type { Acting } from './acting.js';
import type { HistoryView } from './history-view.js';
import { EVERYONES_SHELF } from './shelf.js';
import { TEXTS } from './texts.js';
import type { Panel } from './visit.js';

const T = TEXTS.history;
const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns entries as pages show them, with the names of keys and categories and the titles of automations. */
export async function shownEntries(entries: readonly AuditEntry[], panel: Panel, view: HistoryView, acting: Acting) {
  const names = await namesIn(entries, panel, acting);
  return Promise.all(
    entries.map(async (entry) => viewOf(entry, view, names, await automationOf(entry, panel, acting), panel)),
  );
}

export type ShownEntry = Awaited<ReturnType<typeof shownEntries>>[number];

interface Names {
  /** The names of keys and categories, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** The first characters of keys, by their ids: a rotation keeps the name. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** Returns what tells the keys and the categories of the entries apart. */
async function namesIn(entries: readonly AuditEntry[], panel: Panel, { by }: Acting): Promise<Names> {
  const ids = entries.flatMap(({ action, subject, predecessor }) =>
    (action.startsWith('key-') ? [subject, predecessor] : []).filter((id) => id !== undefined),
  );
  const found = await Promise.all(Array.from(new Set(ids), (id) => ifFound(panel.keys.read(by, id))));
  const categories = isOperator(by) ? await panel.categories.list() : [];
  const keys = found.filter((key) => key !== undefined);
  return {
    names: new Map([...keys, ...categories].map(({ id, name }) => [id, name])),
    prefixes: new Map(keys.map(({ id, prefix }) => [id, prefix])),
  };
}

/** Returns the automation of an entry, on sale or withdrawn; undefined when it is no longer in the store. */
async function automationOf({ action, subject }: AuditEntry, { records }: Panel, { by }: Acting) {
  if (!action.startsWith('automation-') || subject === undefined) return undefined;
  return ifFound(records.read(by, subject));
}

async function ifFound<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Shows the name of a key, the title of an automation, and the id of anything else. */
function viewOf(
  entry: AuditEntry,
  view: HistoryView,
  { names, prefixes }: Names,
  about: ArchivedAutomation | undefined,
  { at: base }: Panel,
) {
  const { at, actor, action, subject, developerId, address, requestId } = entry;
  const named = about?.automation.title ?? (subject && (names.get(subject) ?? subject));
  const owner = view.isEveryones && actor !== 'developer' ? developerId : undefined;
  return {
    at: moment(at),
    day: day(at),
    who: view.actorOf(entry),
    what: T.words[action],
    subject: named ?? owner,
    href: view.isEveryones && about ? `${base}${EVERYONES_SHELF.path}/${about.automation.id}` : undefined,
    details: detailsOf(entry, about, named === undefined ? undefined : owner, prefixes),
    isWarning: action === 'sign-in-failed' || action === 'developer-suspended',
    address,
    requestId,
  };
}

/** Returns what else there is to say, each in its own direction of writing. */
function detailsOf(
  { action, changed, counts, file, predecessor, role }: AuditEntry,
  about: ArchivedAutomation | undefined,
  owner: string | undefined,
  prefixes: Names['prefixes'],
): readonly string[] {
  const reason = action === 'automation-withdrawn' ? about?.withdrawn?.reason : undefined;
  return [
    owner && T.owner(owner),
    role && T.role(TEXTS.operator.roles[role]),
    changed && T.changed(LISTS.format(changed.map((field) => T.fields[field]))),
    predecessor && T.replaced(prefixes.get(predecessor) ?? predecessor),
    file && T.file(file),
    counts && T.counts(counts),
    reason && T.reason(reason),
  ].filter((detail): detail is string => Boolean(detail));
}
