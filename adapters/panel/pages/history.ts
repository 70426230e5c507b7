import { DomainError, type ArchivedAutomation, type AuditAction, type AuditEntry } from '../../../application/index.js';
import { authenticatedPage } from '../guards.js';
import { queryOf, show } from '../page.js';
import type { Resource } from '../routes.js';
import { pagerLinks, positionIn } from '../pager.js';
import { moment } from '../times.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

const PAGE_SIZE = 25;

const WORDS: Readonly<Record<AuditAction, string>> = {
  'developer-invited': 'Invited',
  'developer-activated': 'Name and password chosen',
  'developer-suspended': 'Suspended',
  'developer-restored': 'Suspension lifted',
  'developer-role-changed': 'Role changed',
  'profile-changed': 'Public name or website changed',
  'sign-in-name-changed': 'Sign-in name changed',
  'password-changed': 'Password changed',
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'session-ended': 'Session ended',
  'sessions-ended': 'Signed out everywhere',
  'key-issued': 'Key created',
  'key-rotated': 'Key rotated',
  'key-renamed': 'Key renamed',
  'key-revoked': 'Key revoked',
  'automation-published': 'Automation published',
  'automation-revised': 'Automation revised',
  'automation-withdrawn': 'Automation withdrawn',
  'import-started': 'Import started',
  'import-finished': 'Import finished',
  'automations-brought-in': 'Automations imported',
  'categories-imported': 'Categories imported',
  'category-added': 'Category added',
  'category-renamed': 'Category renamed',
};

const ACTORS = { developer: 'You', operator: 'The operator', stranger: 'Unknown' } as const;

/** The events of the developer's account, newest first. */
export function historyPages(panel: Panel): Readonly<Record<string, Resource>> {
  return { '/history': { GET: authenticatedPage(panel, (ctx, signedIn) => showHistory(ctx, panel, signedIn)) } };
}

async function showHistory(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const position = positionIn(queryOf(ctx));
  const [page, keys] = await Promise.all([
    panel.audit.list(signedIn.caller, { limit: PAGE_SIZE, before: position.before }),
    panel.keys.listOwn(signedIn.caller),
  ]);
  const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
  const entries = await Promise.all(
    page.items.map(async (entry) => viewOf(entry, names, await automationOf(entry, panel, signedIn))),
  );
  const pages = pagerLinks(`${panel.at}/history`, position, page);
  show(ctx, panel, 'history', { title: TEXTS.history.title, current: 'history', signedIn, entries, pages });
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
    who: ACTORS[actor],
    what: WORDS[action],
    subject: about?.automation.title ?? (subject && (names.get(subject) ?? subject)),
    details: detailsOf(entry, about),
    isWarning: action === 'sign-in-failed' || action === 'developer-suspended',
    address,
    requestId,
  };
}

const FIELDS = { title: 'title', description: 'description', price: 'price', categoryId: 'category' } as const;
const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });

function detailsOf({ action, changed, counts }: AuditEntry, about: ArchivedAutomation | undefined): string | undefined {
  if (changed !== undefined) return `Changed ${LISTS.format(changed.map((field) => FIELDS[field]))}`;
  if (counts !== undefined)
    return `${counts.stored} stored, ${counts.present} already there, ${counts.failed} failed`;
  const reason = about?.withdrawn?.reason;
  return action === 'automation-withdrawn' && reason !== undefined ? `Reason: ${reason}` : undefined;
}
