import { ACCOUNT_TEXTS } from './account.js';
import { AUTOMATION_TEXTS } from './automations.js';
import { HISTORY_TEXTS } from './history.js';
import { KEY_TEXTS } from './keys.js';
import { OPERATOR_TEXTS } from './operator.js';
import { SIGN_IN_TEXTS } from './sign-in.js';

/** What people read in the panel, by page. Texts of the frame are in `http/views/texts.ts`. */
export const TEXTS = {
  ...SIGN_IN_TEXTS,
  ...KEY_TEXTS,
  ...AUTOMATION_TEXTS,
  ...HISTORY_TEXTS,
  account: ACCOUNT_TEXTS,
  operator: OPERATOR_TEXTS,
  columns: { actions: 'Actions', never: 'never', none: '—' },
  cancel: 'Cancel',
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  toPanel: 'Go to the panel',
  crossSite: (reason: string) =>
    `It seems to come from another site: ${reason}. If you filled it in here, tell the operator of this marketplace: ` +
    'PUBLIC_URL must be the address in your browser, or the proxy must keep the header Host.',
  earlierSession:
    'You have signed in again since you opened this form. Nothing was done yet. Check it, and send it again.',
  /** What is wrong, and what to do; the latter in place of the problem's detail, which is written for programs. */
  errors: {
    'malformed-request': { title: 'The request was incomplete', advice: 'Go back, reload the page and try again.' },
    'cross-site-request': { title: 'This form cannot be accepted' },
    'missing-credentials': { title: 'You are not signed in' },
    'insufficient-scope': { title: 'No access' },
    'not-found': { title: 'Page not found' },
    'method-not-allowed': { title: 'This page does not accept this request', advice: 'Open it in a browser.' },
    conflict: { title: 'This is no longer possible' },
    'payload-too-large': {
      title: 'The text is too long',
      advice: 'A description has at most 10,000 characters. Go back and shorten the text.',
    },
    'unsupported-media-type': { title: 'This request is not a form', advice: 'The panel accepts only its own forms.' },
    'internal-error': {
      title: 'Something went wrong on our side',
      advice: 'Try again. If it happens again, tell the operator the request id below.',
    },
    unavailable: { title: 'Not available at the moment' },
    overloaded: { title: 'The marketplace is busy' },
    'outcome-unknown': {
      title: 'The marketplace is unavailable',
      advice: 'It is unknown whether this was done. Check before you try again.',
    },
  },
};
