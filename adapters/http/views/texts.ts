import type { SearchFailureCode } from '../../../domain/search-failure.js';

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
  pages: 'Pages',
  newer: 'Newer',
  older: 'Older',
};

/** The pages of the panel, by the id of their entry in the navigation. */
export const SECTION_TEXTS = {
  overview: 'Overview',
  automations: 'Your automations',
  keys: 'API keys',
  history: 'History',
  account: 'Account',
  developers: 'Developers',
  allAutomations: 'All automations',
  categories: 'Categories',
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
    'Every response with status 400 or above is a problem document (RFC 9457). Its type is the address of one of ' +
    'these pages.',
  allProblems: 'All problems',
  advice: 'What to do',
  example: 'Example',
};

/** What is said above a description that is not shown as Markdown. */
export const MARKDOWN_TEXTS = {
  shownAsWritten: 'This description is too complex to be shown as Markdown, so it is shown as it was written.',
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
