import type { AuditAction, AuditEntry } from '../../../application/index.js';
import { countText } from '../../web/views/locales.js';

/** The actions in words, by what they are about. The object follows, such as the title of an automation. */
export const WORDS_BY_KIND = {
  account: {
    'developer-added': 'Added the account',
    'developer-invited': 'Invited',
    'developer-activated': 'Chose name and password',
    'developer-suspended': 'Suspended the account',
    'developer-restored': 'Lifted the suspension',
    'developer-role-changed': 'Changed the role',
    'profile-changed': 'Changed public name or website',
    'sign-in-name-changed': 'Changed the sign-in name',
    'password-changed': 'Changed the password',
    'signed-in': 'Signed in',
    'sign-in-failed': 'Sign-in failed',
    'signed-out': 'Signed out',
    'session-ended': 'Ended a session',
    'sessions-ended': 'Signed out everywhere',
  },
  keys: {
    'key-issued': 'Created the key',
    'key-rotated': 'Rotated the key',
    'key-renamed': 'Renamed the key',
    'key-revoked': 'Revoked the key',
  },
  apps: {
    'app-registered': 'Registered the app',
    'app-changed': 'Changed the app',
    'app-secret-renewed': 'Made a new secret for the app',
    'app-revoked': 'Revoked the app',
    'app-connected': 'Connected the app',
    'app-disconnected': 'Disconnected the app',
    'app-token-reused': 'A token was used twice. Disconnected the app',
    'signing-key-rotated': 'Rotated the signing key',
  },
  automations: {
    'automation-published': 'Published',
    'automation-revised': 'Revised',
    'automation-withdrawn': 'Withdrew',
    'automation-reported': 'Reported',
    'reports-dismissed': 'Dismissed the reports of',
    'reports-upheld': 'Closed the reports of',
    'file-refused': 'Refused the file of',
    'import-started': 'Started an import',
    'import-finished': 'Finished an import',
  },
  categories: {
    'categories-imported': 'Imported categories',
    'category-added': 'Added the category',
    'category-renamed': 'Renamed the category',
    'category-removed': 'Removed the category',
  },
};

const WORDS: Readonly<Record<AuditAction, string>> = {
  ...WORDS_BY_KIND.account,
  ...WORDS_BY_KIND.keys,
  ...WORDS_BY_KIND.apps,
  ...WORDS_BY_KIND.automations,
  ...WORDS_BY_KIND.categories,
};

/** The same words where the object is an account. */
const WORDS_OF_ACCOUNT: Partial<Record<AuditAction, string>> = {
  'import-started': 'Started an import for',
  'import-finished': 'Finished an import for',
};

const ACTORS: Readonly<Record<AuditEntry['actor'], string>> = {
  developer: 'You',
  operator: 'The operator',
  anonymous: 'Unknown',
};

/** The texts of the overview and of each history. */
export const HISTORY_TEXTS = {
  overview: {
    title: 'Overview',
    lead: 'What you have, and what happened last.',
    leadNew: 'Three steps to your first sale.',
    stepsTitle: 'Get started',
    done: 'Done',
    steps: {
      key: { title: 'Create a key', text: 'A program needs one to call the API.', action: 'Create one' },
      call: {
        title: 'Call the API',
        text: 'The page of a new key shows a command to try it. The documentation has the rest.',
        action: 'Open the documentation',
      },
      publish: {
        title: 'Publish an automation',
        text: 'A title, a description, a price and a category. You see a preview while you write.',
        action: 'Start',
      },
    },
    onSale: 'Automations on sale',
    withdrawn: 'Withdrawn',
    activeKeys: 'Active keys',
    latest: 'What happened last',
  },
  history: {
    title: 'History',
    lead:
      'What happened to your account. If you did not do something that is listed here, revoke your keys and your ' +
      'apps, disconnect the connected apps, and tell the operator.',
    words: WORDS,
    wordsOf: WORDS_OF_ACCOUNT,
    actors: ACTORS,
    app: 'The app',
    kind: 'Kind',
    kinds: {
      '': 'Everything',
      automations: 'Automations',
      keys: 'Keys',
      apps: 'Apps',
      account: 'Sign-ins and profile',
    },
    endTitle: 'No older entries',
    emptyTitle: 'No entries',
    emptyText: 'Nothing that matches has happened yet.',
    noneTitle: 'Nothing of this kind here',
    noneText: 'There are older entries.',
    details: 'Details',
    address: 'Address',
    request: 'Request id',
    changed: (fields: string) => `Changed ${fields}`,
    fields: {
      title: 'title',
      description: 'description',
      price: 'price',
      categoryId: 'category',
      url: 'link',
      license: 'licence',
      file: 'file',
    },
    counts: (counts: NonNullable<AuditEntry['counts']>) =>
      'added' in counts
        ? `${countText(counts.added)} added, ${countText(counts.renamed)} renamed, ` +
          `${countText(counts.unchanged)} unchanged`
        : `${countText(counts.stored)} stored, ${countText(counts.present)} already there, ` +
          `${countText(counts.failed)} failed`,
    quoted: (name: string) => `"${name}"`,
    file: (name: string) => `File: ${name}`,
    replaced: (prefix: string) => `Replaced the key ${prefix}…`,
    withKey: (name: string) => `With the key "${name}"`,
    withApp: (name: string) => `By the app "${name}"`,
    withProgram: (id: string) => `By ${id}`,
    id: (id: string) => `Id: ${id}`,
    owner: (id: string) => `Developer: ${id}`,
    role: (role: string) => `Role: ${role}`,
    reason: (reason: string) => `Reason: ${reason}`,
  },
};
