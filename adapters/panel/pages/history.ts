import type { AuditAction, AuditEntry } from '../../../application/index.js';
import { authenticatedPage } from '../guards.js';
import { queryOf, show } from '../page.js';
import type { Resource } from '../routes.js';
import { pagerLinks, positionIn } from '../pager.js';
import { moment } from '../times.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

const PAGE_SIZE = 25;

const WORDS: Readonly<Record<AuditAction, string>> = {
  'developer-invited': 'Invited',
  'developer-activated': 'Name and password chosen',
  'developer-suspended': 'Suspended',
  'developer-restored': 'Suspension lifted',
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'key-issued': 'Key created',
  'key-rotated': 'Key rotated',
  'key-revoked': 'Key revoked',
  'automation-published': 'Automation published',
  'automation-withdrawn': 'Automation withdrawn',
  'automations-brought-in': 'Automations imported',
  'categories-imported': 'Categories imported',
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
  const entries = page.items.map((entry) => viewOf(entry, names));
  const pages = pagerLinks(`${panel.at}/history`, position, page);
  show(ctx, panel, 'history', { title: 'History', section: 'history', signedIn, entries, pages });
}

/** Shows the name of a key, and the id of everything else: a withdrawn automation has no title any more. */
function viewOf({ at, actor, action, subject, address, requestId }: AuditEntry, names: ReadonlyMap<string, string>) {
  return {
    at: moment(at),
    who: ACTORS[actor],
    what: WORDS[action],
    subject: subject && (names.get(subject) ?? subject),
    isWarning: action === 'sign-in-failed' || action === 'developer-suspended',
    address,
    requestId,
  };
}
