import type { RemovedKind } from '../../../domain/file-facts.js';

/** The texts of the pages of a developer's own automations. */
const OWN = {
  title: 'Your automations',
  lead: 'Everything that you have published, newest first.',
  emptyTitle: 'Nothing on sale yet',
  emptyText:
    'You need a title, a description, a price and a category. A preview shows how it will look before you publish it.',
  noneText: 'No automation of yours matches this search and category.',
  noneWithdrawnText: 'An automation that you or the operator withdraws is listed here, with the reason.',
  withdrawnLead: 'Buyers no longer see it. You can publish it again as a new automation.',
  withdrawLead: 'It leaves the market for good. You can publish a new one with the same text.',
  reasonHint: 'Kept in the records of the marketplace.',
  withdrawnBy: { developer: 'Withdrawn by you', operator: 'Withdrawn by the operator' },
};

/** The texts of the pages of everyone's automations. */
const EVERYONES: typeof OWN = {
  title: 'All automations',
  lead: 'Everything that was ever on sale, of all developers, newest first.',
  emptyTitle: 'Nothing on sale',
  emptyText: 'What developers publish is listed here.',
  noneText: 'No automation matches these filters.',
  noneWithdrawnText: 'An automation that its developer or an operator withdraws is listed here, with the reason.',
  withdrawnLead: 'Buyers no longer see it. Its developer can publish it again as a new automation.',
  withdrawLead: 'It leaves the market for good. Its developer can publish a new one with the same text.',
  reasonHint: 'Its developer can read it.',
  withdrawnBy: { developer: 'Withdrawn by its developer', operator: 'Withdrawn by an operator' },
};

/** The texts of the pages of automations: those of a list, and those of both. */
export const AUTOMATION_TEXTS = {
  ownAutomations: OWN,
  allAutomations: EVERYONES,
  automations: {
    publish: 'Publish automation',
    automation: 'Automation',
    price: 'Price',
    category: 'Category',
    published: 'Published',
    revise: 'Revise',
    withdraw: 'Withdraw',
    endTitle: 'No older automations',
    noticeWithdrawn: 'The automation is withdrawn.',
    statuses: { 'on-sale': 'On sale', withdrawn: 'Withdrawn' },
    status: 'Status',
    search: 'Search',
    allCategories: 'All categories',
    filter: 'Filter',
    withdrawn: 'Withdrawn',
    reason: 'Reason',
    noReason: 'No reason given.',
    publishAgain: 'Publish again',
    noneTitle: 'Nothing found',
    removeFilters: 'Remove the filters',
    noneWithdrawn: 'Nothing withdrawn',
  },
  automation: {
    back: 'Back to the list',
    backToOne: 'Back to the automation',
    onSale: 'On sale',
    withdrawn: 'Withdrawn',
    published: 'published',
    revised: 'revised',
    address: 'API address',
    toCatalogue: 'See it in the catalogue',
    noticePublished: 'Your automation is on sale.',
    noticeRevised: 'Your changes are saved.',
    noticeUnchanged: 'Nothing was changed.',
    notFound: 'this automation is withdrawn',
  },
  form: {
    title: 'Title',
    titleHint: (most: number) => `What it does, in a few words. At most ${most} characters.`,
    description: 'Description',
    descriptionHint: (most: string) => `Markdown, such as **bold**, lists and links. At most ${most} characters.`,
    price: 'Price',
    priceIn: (currency: string) => `Price in ${currency}`,
    priceHint: (example: string) => `For example ${example}; 0 is free.`,
    category: 'Category',
    chooseOne: 'Choose one',
    url: 'Link',
    urlHint: 'Where buyers get it or read more. It begins with https://.',
    license: 'Licence',
    fileIsFree: 'This automation has a file, so it must cost nothing.',
    file: 'File',
    fileHint:
      'The automation itself, as your tool exports it, such as a workflow of n8n. At most 1 MiB, and only with ' +
      'the price 0. Names of credentials and the like are removed from it.',
    fileAgain: 'Choose the file again: browsers do not keep it.',
    storedFile: 'The file now:',
    removeFile: 'Remove the file',
    oneFile: 'Choose one file.',
    licenseHint: 'Such as MIT. Companies often need one.',
    licenses: ['MIT', 'Apache-2.0', 'BSD-3-Clause', 'MPL-2.0', 'GPL-3.0-or-later', 'CC-BY-4.0', 'CC0-1.0'],
    preview: 'Preview',
    noTitle: 'Your title',
    noDescription: 'Your description',
    notShown: 'Not shown here, because it breaks a rule.',
    chooseCategory: 'Choose a category.',
    tooMany: (seconds: number) =>
      'You have saved too many automations in a minute. This one was not saved; your text is still here. ' +
      `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  },
  file: {
    title: 'File',
    removed: 'Removed from the file before it was stored',
    confirm: 'What is marked may be private. If buyers should not see it, change the file and choose it again.',
    removedKinds: {
      credential: 'names and ids of credentials',
      'webhook-id': 'ids of webhooks',
      'pinned-data': 'sample data',
      'installation-id': 'ids of your installation',
      'document-name': 'names of documents',
      'document-link': 'links to documents',
      other: 'other parts',
    } satisfies Readonly<Record<RemovedKind, string>>,
  },
  publish: {
    title: 'Publish an automation',
    lead: 'It goes on sale at once. You can revise or withdraw it later.',
    previewTitle: 'Preview — not published yet',
    submit: 'Publish automation',
    alreadySent:
      'This form was already sent with other content. Check your automations, then send it again to publish this one ' +
      'too.',
  },
  revise: {
    title: 'Revise automation',
    lead: 'Buyers see the change at once. Address, date of publication and place in the list stay.',
    previewTitle: 'Preview — not saved yet',
    submit: 'Save changes',
    versions: 'Both versions',
    stored: 'Stored now',
    typed: 'Typed by you',
    conflict:
      'This automation was changed after you opened the form, so nothing was saved. Compare both versions below. ' +
      'If you save again, your values replace the stored ones.',
  },
  withdraw: {
    title: 'Withdraw this automation?',
    reason: 'Reason',
    reasonLabel: 'The reason',
    submit: 'Withdraw',
  },
};
