import type { AuditAction, AuditEntry } from '../../../application/index.js';
import { forMembers } from '../guards.js';
import { queryOf, show } from '../page.js';
import type { Resource } from '../routes.js';
import { neighbours, placeIn } from '../stretches.js';
import { moment } from '../times.js';
import type { Context, Member, Panel } from '../visit.js';

const AT_ONCE = 25;

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
  'automations-brought-in': 'Automations brought in',
  'categories-imported': 'Categories imported',
};

const ACTORS = { developer: 'You', operator: 'The operator', stranger: 'Somebody' } as const;

/** Who did what to a developer's account, newest first. */
export function historyPages(panel: Panel): Readonly<Record<string, Resource>> {
  return { '/history': { GET: forMembers(panel, (ctx, member) => showHistory(ctx, panel, member)) } };
}

async function showHistory(ctx: Context, panel: Panel, member: Member): Promise<void> {
  const place = placeIn(queryOf(ctx));
  const [stretch, keys] = await Promise.all([
    panel.audit.list(member.caller, { limit: AT_ONCE, before: place.before }),
    panel.keys.listOwn(member.caller),
  ]);
  const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
  const entries = stretch.items.map((entry) => viewOf(entry, names));
  const pages = neighbours(`${panel.at}/history`, place, stretch);
  show(ctx, panel, 'history', { title: 'History', section: 'history', member, entries, pages });
}

/** Of a key its name is told; a withdrawn automation has none any more. */
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
