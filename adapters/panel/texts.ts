import { ACCOUNT_TEXTS } from './account-texts.js';
import { HISTORY_TEXTS, OVERVIEW_TEXTS } from './history-texts.js';
import { OPERATOR_TEXTS } from './operator-texts.js';
import { OWN_SHELF_TEXTS } from './shelf-texts.js';

/** What people read in the panel, by page. Texts of the frame are in `http/views/texts.ts`. */
export const TEXTS = {
  columns: { actions: 'Actions', never: 'never', none: '—' },
  cancel: 'Cancel',
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  signIn: {
    title: 'Sign in',
    lead: 'For people with an account of this marketplace.',
    name: 'Name',
    password: 'Password',
    submit: 'Sign in',
    help: 'No account yet, or forgot your password? Ask the operator of this marketplace for a sign-in link.',
    signedOut: 'You are signed out.',
    ended: 'Your session has ended. Please sign in again.',
    refused: 'Name or password is wrong.',
    suspended: 'This account is suspended. Ask the operator of the marketplace.',
    elsewhere: (address: string) =>
      `Sign in at ${address}. At the address that you used, your browser would not stay signed in. ` +
      'Nothing was checked.',
    toFinish: 'Sign in to continue. What you typed is kept, and nothing was done yet.',
    slowed: (seconds: number) =>
      `Too many failed attempts. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  },
  welcome: {
    title: 'Welcome',
    again: 'Choose a new password',
    invited: 'You have been invited. Your account is',
    invitedThen: (role: string) => ` (role: ${role}). Choose a name and a password to sign in with.`,
    returning: 'Welcome back,',
    returningThen: '. Choose a name and a new password. Your other sessions will end.',
    nameHint: 'An e-mail address or another name that you will remember. Only you and the operator can see it.',
    passwordHint: (lowest: number, highest: number) =>
      `${lowest} to ${highest} characters of any kind. Several words make a good password.`,
    submit: 'Continue',
    nameRequired: 'Name is required.',
    nameTaken: 'This name is taken. Choose another.',
    tooCommon: 'This password is too easy to guess. Choose another.',
    done: 'You are signed in. Next time, sign in with the name and password that you have just chosen.',
    used: 'This link has expired or was already used',
    usedWhy:
      'A sign-in link works once, within 24 hours. This one was used, has expired or was replaced by a newer one, or ' +
      'the account is suspended.',
    usedAdvice:
      'If you chose a password with it, sign in. If you did not use it, tell the operator of this marketplace and ' +
      'ask for a new link.',
  },
  keys: {
    title: 'API keys',
    lead:
      'A program sends a key with each request, in the header Authorization: Bearer. Create a separate key for each ' +
      'program.',
    newTitle: 'New key',
    name: 'Name',
    nameHint: 'Where you will use it, such as “Build server”.',
    nameRequired: 'Name is required.',
    scopes: 'Scopes',
    scopesRequired: 'Choose at least one scope.',
    scopeHints: {
      'automations:read': 'List and read the automations on sale and the categories.',
      'automations:write': 'Publish automations in your name.',
    },
    expires: 'Expires',
    expiresHint: 'A key without an expiry date works until you revoke it.',
    days: (days: string) => `${days} days`,
    noExpiry: 'None',
    create: 'Create key',
    active: (count: number) => (count === 1 ? '1 active key' : `${count} active keys`),
    emptyTitle: 'No keys yet',
    emptyText: 'Create your first key above. It is shown only once, so have a safe place ready for it.',
    key: 'Key',
    created: 'Created',
    lastUsed: 'Last used',
    rename: 'Rename',
    rotate: 'Rotate',
    revoke: 'Revoke',
    ended: (count: string) => `Expired and revoked keys (${count})`,
    endedKept: 'They are removed from this list a year after their end.',
    revokedAt: 'revoked',
    expiredAt: 'expired',
    revoked: 'The key is revoked.',
    renamed: 'The key has its new name.',
    alreadySent:
      'This form was already sent, and its key was shown then. If you did not store it, revoke it and create another.',
  },
  newKey: {
    title: 'Your new key',
    leadBefore: 'This is the key',
    leadAfter: '. Copy it now and store it in a safe place: it is shown only once and cannot be retrieved later.',
    tryIt: 'Try it',
    tryHint: 'This lists the categories of the marketplace.',
    done: 'Done',
  },
  rename: {
    title: 'Rename this key',
    lead: 'The key itself stays the same: programs that use it notice nothing.',
  },
  rotate: {
    title: 'Rotate this key',
    lead:
      'You get a new key with the same name, scopes and lifetime. The old key can keep working for a while, so that ' +
      'no program is interrupted before it has the new one.',
    overlap: 'The old key ends',
    overlapLabel: 'The overlap',
    overlaps: { 0: 'At once', 1: 'After 1 hour', 24: 'After 24 hours', 168: 'After 7 days' },
  },
  revoke: {
    title: 'Revoke this key?',
    lead:
      'Programs that use it can no longer call the API. This cannot be undone, but you can create a new key at any ' +
      'time.',
  },
  ownShelf: OWN_SHELF_TEXTS,
  automations: {
    publish: 'Publish automation',
    automation: 'Automation',
    price: 'Price',
    category: 'Category',
    published: 'Published',
    revise: 'Revise',
    withdraw: 'Withdraw',
    endTitle: 'No older automations',
    endText: 'This is the end of the list.',
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
    noticePublished: 'Your automation is on sale.',
    noticeRevised: 'Your changes are saved.',
    noticeUnchanged: 'Nothing was changed.',
    notFound: 'this automation is withdrawn',
  },
  form: {
    title: 'Title',
    titleHint: (most: number) => `What it does, in a few words. At most ${most} characters.`,
    titleRequired: 'Title is required.',
    description: 'Description',
    descriptionHint: (most: string) => `Markdown, such as **bold**, lists and links. At most ${most} characters.`,
    descriptionRequired: 'Description is required.',
    price: 'Price',
    priceIn: (currency: string) => `Price in ${currency}`,
    priceHint: (example: string) => `For example ${example}; 0 is free.`,
    priceRequired: 'Price is required.',
    category: 'Category',
    categoryHint: 'The number of automations is in brackets.',
    categoryRequired: 'Category is required.',
    chooseOne: 'Choose one',
    preview: 'Preview',
    noTitle: 'Your title',
    noDescription: 'Your description',
    notShown: 'Not shown here, because it breaks a rule.',
    chooseCategory: 'Choose a category.',
    tooMany: (seconds: number) =>
      'You have saved too many automations in a minute. This one was not saved; your text is still here. ' +
      `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
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
    optional: '(optional)',
    submit: 'Withdraw',
  },
  overview: OVERVIEW_TEXTS,
  history: HISTORY_TEXTS,
  account: ACCOUNT_TEXTS,
  operator: OPERATOR_TEXTS,
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
