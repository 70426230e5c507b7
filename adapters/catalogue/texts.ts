import type { FieldName } from './list-state.js';

/** Every text of the catalogue pages that people read. */
export const TEXTS = {
  catalogue: 'Catalogue',
  lead: 'Automations that are on sale, by the developers who made them.',
  filters: 'Filters',
  show: 'Show results',
  clear: 'Clear all filters',
  feed: 'Atom feed',
  /** The names are those of the category and of the developer, if the feed is of one. */
  feedTitle: (...names: readonly (string | undefined)[]) =>
    ['New automations', ...names.filter((name) => name !== undefined)].join(' · '),
  feedForMembers:
    'The feeds of this marketplace are only for people who are signed in. A feed reader cannot sign in: open the ' +
    'catalogue in a browser.',
  remove: 'Remove',
  allCategories: 'All categories',
  anyPlatform: 'Anything',
  none: 'No automations found',
  nothingYet: 'Nothing is on sale yet',
  nothingYetAdvice: 'Automations appear here as soon as a developer publishes one.',
  tryLess: 'Nothing matches all of your filters. Remove one to see more:',
  pastEnd: 'This page does not exist',
  pastEndAdvice: 'The list has become shorter, or the address is wrong.',
  lastPage: 'Go to the last page',
  published: 'Published',
  revised: 'Revised',
  developer: 'Developer',
  category: 'Category',
  license: 'Licence',
  worksWith: 'Works with',
  download: 'Download',
  copyFile: 'Copy to the clipboard',
  openInN8n: 'Open in n8n',
  picture: 'The steps and their connections',
  inFile: 'In the file',
  inFileNote: 'Read from the file, without running it. Others wrote it: look at it before you run it.',
  forPrograms: 'For programs',
  website: 'The developer offers it on their website:',
  developerWebsite: 'Website',
  noWebsite: 'The developer has not said where to get it.',
  viaApi: 'They read it from the API, with an API key:',
  apiNote: 'Replace KEY with an API key.',
  apiKeys: 'Create an API key',
  details: 'Details',
  moreOf: 'More by',
  onSale: 'On sale',
  withdrawn: 'This automation was withdrawn',
  withdrawnAdvice: 'It is no longer on sale. The developer or the marketplace took it off the market.',
  toCatalogue: 'Go to the catalogue',
  pages: 'Pages',
  page: 'Page',
  without: 'Without',
  by: 'by',
  all: 'All by this developer',
  aboveHighest: 'must not be higher than the highest price',
  openWebsite: 'Open the website',
  report: {
    link: 'Report this automation',
    title: 'Report this automation',
    lead: 'Tell the people who run this marketplace what is wrong. The developer does not learn that it was you.',
    kind: 'What is wrong?',
    kindRequired: 'Choose what is wrong.',
    kinds: {
      'does-not-work': 'It does not work',
      misleading: 'It is misleading',
      dangerous: 'It is dangerous',
      'not-theirs': 'It is not theirs to give',
      other: 'Something else',
    },
    text: 'What should we know?',
    textHint: 'At most 1,000 characters.',
    textTooLong: 'The text is too long. Use at most 1,000 characters.',
    textWrong: (detail: string) => `The text ${detail}.`,
    optional: '(optional)',
    send: 'Send report',
    cancel: 'Cancel',
    thanks: 'Thank you',
    outcomes: {
      stored: 'Your report has arrived. The people who run this marketplace will look at it.',
      repeated: 'You have reported this automation already. The people who run this marketplace will look at it.',
      full: 'Many people have reported this automation already. The people who run this marketplace will look at it.',
    },
    back: 'Back to the automation',
    tooMany: (minutes: number) =>
      'You have sent as many reports as are taken in an hour. What you typed is still here. ' +
      `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  },
  previous: 'Previous',
  next: 'Next',
} as const;

/** The labels of the form. */
export const LABELS: Readonly<Record<FieldName, string>> = {
  q: 'Search',
  category: 'Category',
  platform: 'Works with',
  lowest: 'Lowest price',
  highest: 'Highest price',
  free: 'Free only',
  sort: 'Order',
};

/** The choices of the order; the first one has no value. */
export const ORDERS = {
  best: 'Best match',
  newest: 'Newest',
  price: 'Lowest price first',
  '-price': 'Highest price first',
};

/** Sentences for people in place of those of the core, by field and code. */
const INSTEAD: Readonly<Record<string, string>> = {
  'sort unknown-value': 'Choose one of the orders in the list.',
  'platform unknown-value': 'Choose one of the platforms in the list.',
  'category unknown-value': 'There is no such category. Choose one from the list.',
};

export function messageOf(field: FieldName, code: string, detail: string): string {
  return INSTEAD[`${field} ${code}`] ?? `${LABELS[field]} ${detail}.`;
}
