/** The texts of the pages of API keys. */
export const KEY_TEXTS = {
  keys: {
    title: 'API keys',
    lead:
      'A program sends a key with each request, in the header Authorization: Bearer. Create a separate key for each ' +
      'program.',
    newTitle: 'New key',
    name: 'Name',
    nameHint: 'Where you will use it, such as “Build server”.',
    scopes: 'Scopes',
    scopesRequired: 'Choose at least one scope.',
    scopeHints: {
      'automations:read': 'List and read the automations on sale and the categories.',
      'automations:write': 'Publish automations in your name.',
      'library:read':
        'Read libraries of templates, such as that of n8n. Choose it alone for a key that stands in an address.',
    },
    expires: 'Expires',
    expiresHint: 'A key without an expiry date works until you revoke it.',
    days: (days: string) => `${days} days`,
    noExpiry: 'None',
    create: 'Create key',
    active: (count: number) => (count === 1 ? '1 active key' : `${count} active keys`),
    emptyTitle: 'No active keys',
    emptyText: 'Create one above. It is shown only once, so have a safe place ready for it.',
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
};
