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

/** Returns the names of the keys and the categories of the entries, by their ids. */
async function namesIn(
  entries: readonly AuditEntry[],
  panel: Panel,
  { by }: Acting,
): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ action, subject }) => (action.startsWith('key-') && subject ? [subject] : []));
  const keys = await Promise.all(Array.from(new Set(ids), (id) => ifFound(panel.keys.read(by, id))));
  const categories = isOperator(by) ? await panel.categories.list() : [];
  const named = [...keys.filter((key) => key !== undefined), ...categories];
  return new Map(named.map(({ id, name }) => [id, name]));
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
  names: ReadonlyMap<string, string>,
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
    details: detailsOf(entry, about, named === undefined ? undefined : owner),
    isWarning: action === 'sign-in-failed' || action === 'developer-suspended',
    address,
    requestId,
  };
}

/** Returns what else there is to say, each in its own direction of writing. */
function detailsOf(
  { action, changed, counts, role }: AuditEntry,
  about: ArchivedAutomation | undefined,
  owner: string | undefined,
): readonly string[] {
  const reason = action === 'automation-withdrawn' ? about?.withdrawn?.reason : undefined;
  return [
    owner && T.owner(owner),
    role && T.role(TEXTS.operator.roles[role]),
    changed && T.changed(LISTS.format(changed.map((field) => T.fields[field]))),
    counts && T.counts(counts.stored, counts.present, counts.failed),
    reason && T.reason(reason),
  ].filter((detail): detail is string => Boolean(detail));
}
