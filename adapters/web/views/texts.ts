import type { SearchFailureCode } from '../../../domain/search-failure.js';
import type { ProblemSlug } from '../../edge/problems/table.js';

/** What people read on every page: header, frame, error pages. */
export const COMMON_TEXTS = {
  skip: 'Skip to content',
  menu: 'Menu',
  mainNavigation: 'Marketplace',
  panelNavigation: 'Panel',
  catalogue: 'Catalogue',
  docs: 'API documentation',
  panel: 'Panel',
  signIn: 'Sign in',
  signOut: 'Sign out',
  error: 'Error: ',
  requestId: 'Request id',
  toStart: 'Go to the start page',
  fix: 'Please fix the following:',
  copy: 'Copy',
  show: 'Show',
  getItAt: 'Get it at',
  pages: 'Pages',
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  newer: 'Newer',
  older: 'Older',
};

/** The pages of the panel, by the id of their entry in the navigation. */
export const SECTION_TEXTS = {
  overview: 'Overview',
  automations: 'Your automations',
  keys: 'API keys',
  apps: 'Your apps',
  connected: 'Connected apps',
  history: 'History',
  account: 'Account',
  people: 'People',
  allAutomations: 'All automations',
  categories: 'Categories',
  reports: 'Reports',
  marketplaceHistory: 'Marketplace history',
};

/** The heading of the entries for operators. */
export const OPERATOR_GROUP = 'Operator';

/** The pages of the documentation. */
export const DOCUMENT_TEXTS = {
  docs: 'API documentation',
  needsScript: 'This page needs a script to show',
  openApiDocument: 'the OpenAPI document',
  missingPackage:
    'The package automation-marketplace-swagger-ui, which shows the API here, is not installed. Without it, read',
  problems: 'Problems',
  problemsLead:
    'Every error of the API is a problem document (RFC 9457). Its type is the address of one of ' + 'these pages.',
  allProblems: 'All problems',
  oauthErrors: 'Errors of OAuth 2.0',
  oauthErrorsLead:
    'The token endpoint returns them as "error", next to an "error_description". An authorization that fails leads ' +
    'the browser back to the app with "error" in the address.',
  advice: 'What to do',
  example: 'Example',
};

/** What is said above a description that is not shown as Markdown. */
export const MARKDOWN_TEXTS = {
  shownAsWritten: 'This description is too complex to be shown as Markdown, so it is shown as it was written.',
};

/** What is said of a file: what it needs and does, and what does not work. */
export const FILE_TEXTS = {
  needs: 'Needs',
  hosts: 'Calls',
  credentials: 'Sends credentials',
  abilities: 'Can do',
  communityPackages: 'Community packages',
  broken: 'Does not work',
  documents: 'Ids of documents in it',
  ownHosts: 'Hosts in it',
  emails: 'E-mail addresses in it',
  computedHost: 'an address that is computed',
  more: (count: string) => `${count} more`,
  brokenConnections: (count: string) => `${count} connections lead to no step`,
  unconnectedSteps: (count: string) => `${count} steps have no connection`,
};

/** After how long a page whose words were ignored may be asked for again. */
export const SEARCH_RETRY_AFTER_SECONDS = '2';

/** Why the words are ignored, and what to do. */
export const NO_SEARCH: Readonly<Record<SearchFailureCode, string>> = {
  'search-off': 'This marketplace has no search by words, so the words were ignored. The other filters work.',
  'search-incomplete':
    'The search is being prepared, so the words were ignored. The other filters work. Try again in a moment.',
  'search-too-slow':
    'The search took too long, so the words were ignored. Use more words or longer ones; the other filters work.',
  'too-many-searches': 'Many people are searching right now, so the words were ignored. Try again in a moment.',
};

interface ErrorText {
  readonly title: string;
  /** In place of the problem's detail, which is written for programs. */
  readonly advice?: string;
}

/** What is wrong, on the pages of panel and catalogue, and what to do. */
export const ERROR_TEXTS: Partial<Record<ProblemSlug, ErrorText>> = {
  'malformed-request': { title: 'The request was incomplete', advice: 'Go back, reload the page and try again.' },
  'cross-site-request': { title: 'This form cannot be accepted' },
  'missing-credentials': { title: 'You are not signed in' },
  'insufficient-scope': { title: 'No access' },
  'not-found': { title: 'Page not found' },
  'quota-exceeded': {
    title: 'Too many requests',
    advice: 'You asked for more pages than are allowed. Try again in a minute.',
  },
  'method-not-allowed': { title: 'This page does not accept this request', advice: 'Open it in a browser.' },
  conflict: { title: 'This is no longer possible' },
  'payload-too-large': {
    title: 'This is too large',
    advice: 'A description has at most 10,000 characters, a file at most 1 MiB. Go back, and send less.',
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
};

/** Why a form is refused, whichever it is. */
export const FORM_TEXTS = {
  crossSite: (reason: string) =>
    `It seems to come from another site: ${reason}. If you filled it in here, tell the operator of this marketplace: ` +
    'PUBLIC_URL must be the address in your browser, or the proxy must keep the header Host.',
  elsewhere: (address: string) =>
    `Sign in at ${address}. At the address that you used, your browser would not stay signed in. ` +
    'Nothing was checked.',
};
