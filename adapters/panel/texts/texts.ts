import { ACCOUNT_TEXTS } from './account.js';
import { APP_TEXTS } from './apps.js';
import { AUTOMATION_TEXTS } from './automations.js';
import { HISTORY_TEXTS } from './history.js';
import { KEY_TEXTS } from './keys.js';
import { OPERATOR_TEXTS } from './operator.js';
import { SIGN_IN_TEXTS } from './sign-in.js';

/** What people read in the panel, by page. Texts of the frame are in `http/views/texts.ts`. */
export const TEXTS = {
  ...SIGN_IN_TEXTS,
  ...KEY_TEXTS,
  ...APP_TEXTS,
  ...AUTOMATION_TEXTS,
  ...HISTORY_TEXTS,
  account: ACCOUNT_TEXTS,
  operator: OPERATOR_TEXTS,
  columns: { actions: 'Actions', never: 'never', none: '—' },
  cancel: 'Cancel',
  optional: '(optional)',
  required: (label: string) => `${label} is required.`,
  endText: 'This is the end of the list.',
  toPanel: 'Go to the panel',
  earlierSession:
    'You have signed in again since you opened this form. Nothing was done yet. Check it, and send it again.',
};
