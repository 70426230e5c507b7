import type { AuditEntry } from '../../application/index.js';
import { EVERYONES_SHELF_TEXTS } from './shelf-texts.js';

/** What operators read on their pages. */
export const OPERATOR_TEXTS = {
  roles: { buyer: 'Buyer', developer: 'Developer', operator: 'Operator' },
  shelf: EVERYONES_SHELF_TEXTS,
  withdrawnBy: (actor: AuditEntry['actor'], operator: string | undefined) => {
    if (actor === 'developer') return 'Withdrawn by its developer';
    return operator === undefined ? 'Withdrawn by a command' : `Withdrawn by ${operator}`;
  },
  developers: {
    title: 'Developers',
    lead: 'Everyone with an account, the latest first.',
    inviteTitle: 'Invite',
    name: 'Name',
    nameHint: 'Lower-case letters, digits and hyphens. To reset a forgotten password, invite the same name again.',
    role: 'Role',
    roleHint: 'A buyer reads, a developer also sells, an operator also runs the marketplace.',
    keepRole: 'Developer; an existing account keeps its role',
    invite: 'Invite',
    alreadySent: 'This form was already sent, and its link was shown then. If you did not store it, invite again.',
    developer: 'Developer',
    status: 'Status',
    invited: 'Invited',
    statuses: { invited: 'Invited', active: 'Active', suspended: 'Suspended' },
    endTitle: 'No more developers',
    endText: 'This is the end of the list.',
  },
  link: {
    title: 'Sign-in link',
    leadBefore: 'Send this link to',
    leadAfter: '. It is shown only once, works once, and is valid for 24 hours. An earlier link no longer works.',
    suspended: 'This account is suspended: the link works only after you restore it.',
    done: 'Done',
  },
  developer: {
    back: 'All developers',
    signInName: 'Sign-in name',
    publicName: 'Public name',
    website: 'Website',
    activeSince: 'Active since',
    suspendedSince: 'Suspended since',
    roleTitle: 'Role',
    changeRole: 'Change role',
    accessTitle: 'Access',
    suspend: 'Suspend',
    restore: 'Restore',
    noticeRole: 'The role is changed.',
    noticeSuspended: 'The account is suspended.',
    noticeRestored: 'The account is restored.',
  },
  suspend: {
    title: (id: string) => `Suspend ${id}?`,
    lead: 'Sessions end, and keys and tokens stop working. You can restore the account at any time.',
    withdraw: 'Also withdraw everything that this developer has on sale',
    withdrawHint: 'This cannot be undone. Without it, everything stays on sale.',
    reason: 'Reason',
    optional: '(optional)',
    reasonHint: 'For a withdrawal; the developer can read it.',
    reasonAlone: 'Reason is kept with a withdrawal only. Choose the withdrawal too, or remove the reason.',
    submit: 'Suspend',
  },
};
