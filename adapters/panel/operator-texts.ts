import type { AuditEntry } from '../../application/index.js';
import { countText } from '../http/views/locales.js';
import { EVERYONES_SHELF_TEXTS } from './shelf-texts.js';

/** The texts of the pages for operators. */
export const OPERATOR_TEXTS = {
  roles: { buyer: 'Buyer', developer: 'Developer', operator: 'Operator' },
  shelf: EVERYONES_SHELF_TEXTS,
  withdrawnBy: (actor: AuditEntry['actor'], operator: string | undefined) => {
    if (actor === 'developer') return 'Withdrawn by its developer';
    return operator === undefined ? 'Withdrawn by a command' : `Withdrawn by ${operator}`;
  },
  categories: {
    title: 'Categories',
    lead: 'Where buyers look. A category keeps its id and cannot be removed; its name can be changed at any time.',
    newTitle: 'New category',
    name: 'Name',
    nameHint: (most: number) => `What buyers see. At most ${most} characters.`,
    nameRequired: 'Name is required.',
    nameTaken: 'Another category has this name. Choose another.',
    id: 'Id',
    idHint: 'Lower-case letters, digits and hyphens, for addresses and programs. It cannot be changed later.',
    idTaken: 'Another category has this id. Choose another.',
    add: 'Add category',
    category: 'Category',
    onSale: 'Automations on sale',
    rename: 'Rename',
    renameTitle: 'Rename category',
    renameLead: (id: string) => `Buyers and programs see the new name at once. The id ${id} stays.`,
    noticeAdded: 'The category is added.',
    noticeRenamed: 'The category has its new name.',
    emptyTitle: 'No categories yet',
    emptyText: 'Nothing can be published before there is a category.',
    endTitle: 'No more categories',
    endText: 'This is the end of the list.',
  },
  history: {
    title: 'Marketplace history',
    lead: 'What everyone did, newest first: developers, operators and commands.',
    kinds: {
      '': 'Everything',
      automations: 'Automations',
      categories: 'Categories',
      keys: 'Keys',
      account: 'Accounts',
    },
    command: 'A command',
    filter: 'Filter',
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
    ownRole: 'This is your own account. Change its role on its page, which says what happens then.',
    keysOnly: 'Has keys only',
    search: 'Search',
    total: (count: number) => (count === 1 ? '1 account' : `${countText(count)} accounts`),
    noneTitle: 'Nobody found',
    noneText: 'No account has this in its name, sign-in name or public name.',
    removeFilter: 'Show everyone',
    statuses: { invited: 'Invited', active: 'Active', suspended: 'Suspended' },
    endTitle: 'No more developers',
    endText: 'This is the end of the list.',
  },
  link: {
    title: 'Sign-in link',
    leadBefore: 'Send this link to',
    leadAfter: '. It is shown only once, works once, and is valid for 24 hours. An earlier link no longer works.',
    suspended: 'This account is suspended: the link works only after you restore it.',
    namesakeBefore: 'Buyers may mix up two developers:',
    namesakeMiddle: 'is already shown as',
    namesakeAfter: 'which looks like this name.',
    done: 'Done',
  },
  developer: {
    back: 'All developers',
    signInName: 'Sign-in name',
    publicName: 'Public name',
    website: 'Website',
    activeSince: 'Active since',
    suspendedSince: 'Suspended since',
    changeRole: 'Change role',
    automations: 'Automations',
    history: 'History',
    keysTitle: 'API keys',
    noKeys: 'No keys.',
    accessTitle: 'Access',
    suspend: 'Suspend',
    restore: 'Restore',
    noticeRole: 'The role is changed.',
    noticeSuspended: 'The account is suspended.',
    noticeRestored: 'The account is restored.',
  },
  revoke: {
    lead: (id: string) =>
      `It is a key of ${id}. Programs that use it can no longer call the API. This cannot be undone, but ${id} can ` +
      'create a new key at any time.',
  },
  /** The warnings to operators who would lock themselves out. */
  ownRole: {
    title: 'Give up the role of operator?',
    lead: (role: string) => `This is your own account. Its role would be ${role}.`,
    warning: 'You will no longer have the pages for operators. Another operator can give you the role again.',
    lastWarning:
      'You are the only active operator. Then nobody can use the pages for operators, until someone with access to ' +
      'the server gives the role with the command',
    command: (id: string) => `developers role ${id} operator`,
  },
  ownSuspension: {
    warning: 'This is your own account: you are signed out at once, and only another operator can restore it.',
    lastWarning:
      'This is your own account, and you are the only active operator: you are signed out at once. Then nobody can ' +
      'use the pages for operators, until someone with access to the server restores it with the command',
    command: (id: string) => `developers restore ${id}`,
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
