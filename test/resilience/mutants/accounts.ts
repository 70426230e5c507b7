import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, OVERLAP } from './sentences.js';

const CONFLICT = 'Rejects with a `DomainError` of kind `conflict` when its id or its hash is taken';
const REPLACE = 'Stores the successor and lets the key with this id expire';

const apiKeys = mutantsOf('API keys', 'adapters/in-memory/api-key-repository.js', {
  'Stores a key': [['forgets the hash', 'this.#ids.set(key.hash, key.id);', '']],
  [CONFLICT]: [
    ['gives a hash again', 'this.#keys.has(key.id) || this.#ids.has(key.hash)', 'this.#keys.has(key.id)'],
    ['gives an id again', 'this.#keys.has(key.id) || this.#ids.has(key.hash)', 'this.#ids.has(key.hash)'],
    ['fails by another kind', "'conflict', 'duplicate-key'", "'invalid', 'duplicate-key'"],
    [
      'fails by what only looks like a DomainError',
      'throw new DomainError(',
      "throw Object.assign(new Error(), { name: 'DomainError', kind: 'conflict' }, ",
    ],
  ],
  'Returns the key, field for field as it was added': [
    ['forgets what it was issued for', 'return key && copyOf(key);', 'return key && copyOf({ ...key, scopes: [] });'],
    [
      'keeps a lifetime in 32 bits',
      'this.#keys.set(key.id, copyOf(key));',
      'this.#keys.set(key.id, copyOf(key.lifetime ? { ...key, lifetime: key.lifetime | 0 } : key));',
    ],
    [
      'cuts names to 50 characters',
      'this.#keys.set(key.id, copyOf(key));',
      'this.#keys.set(key.id, copyOf({ ...key, name: key.name.slice(0, 50) }));',
    ],
  ],
  'Returns the key with this hash, expired and revoked ones included': [
    [
      'does not find a revoked one',
      'return id && this.find(id);',
      'return id && this.#keys.get(id).revokedAt ? undefined : id && this.find(id);',
    ],
    [
      'does not find one that expires',
      'return id && this.find(id);',
      'return id && this.#keys.get(id).expiresAt ? undefined : id && this.find(id);',
    ],
  ],
  'Returns the keys of one developer, or of all': [
    ['lists backwards', 'Array.from(this.#keys.values(), copyOf)', 'Array.from(this.#keys.values(), copyOf).reverse()'],
    [
      'lists 1,000 at most',
      'Array.from(this.#keys.values(), copyOf)',
      'Array.from(this.#keys.values(), copyOf).slice(0, 1_000)',
    ],
    ["lists everybody's", 'keys.filter((key) => key.developerId === developerId)', 'keys'],
  ],
  [REPLACE]: [
    ['lets a key live longer', 'key.expiresAt === undefined || until < key.expiresAt', 'true'],
    ['does not end the key', 'if (key.expiresAt === undefined || until < key.expiresAt)', 'if (false)'],
    [
      'ends the key before it stores the successor',
      'this.#store(successor);',
      'this.#keys.set(id, copyOf({ ...key, expiresAt: until })); this.#store(successor);',
    ],
  ],
  'Returns false, and stores nothing, when there is no such key or it is revoked': [
    ['replaces a revoked key', 'key === undefined || key.revokedAt !== undefined', 'key === undefined'],
    [
      'stores the successor of none',
      'if (key === undefined || key.revokedAt !== undefined)',
      'if (key === undefined) this.#store(successor); if (key === undefined || key.revokedAt !== undefined)',
    ],
  ],
  'Rejects as `add` does': [
    [
      'overwrites by a successor',
      'this.#store(successor);',
      'this.#keys.set(successor.id, copyOf(successor)); this.#ids.set(successor.hash, successor.id);',
    ],
  ],
  'Stores the time of the revocation and returns true': [
    ['notes another time', 'copyOf({ ...key, revokedAt: at })', 'copyOf({ ...key, revokedAt: new Date() })'],
    [
      'answers true for none',
      'copyOf({ ...key, revokedAt: at })); return key !== undefined;',
      'copyOf({ ...key, revokedAt: at })); return true;',
    ],
  ],
  'The first revocation counts': [
    ['notes the last revocation', 'key !== undefined && key.revokedAt === undefined', 'key !== undefined'],
    [
      'answers false the second time',
      'copyOf({ ...key, revokedAt: at })); return key !== undefined;',
      'copyOf({ ...key, revokedAt: at })); return key !== undefined && key.revokedAt === undefined;',
    ],
  ],
  'Stores the name and returns true': [
    [
      'renames what there is not',
      'copyOf({ ...key, name })); return key !== undefined;',
      'copyOf({ ...key, name })); return true;',
    ],
    ['keeps the name', 'copyOf({ ...key, name })', 'copyOf(key)'],
  ],
  'Stores the time of a use': [['goes back in time', 'at <= key.lastUsedAt', 'false']],
  [OVERLAP]: [
    [
      'takes a revocation back by a use',
      'this.#keys.set(id, copyOf({ ...key, lastUsedAt: at }));',
      'await undefined; this.#keys.set(id, copyOf({ ...key, lastUsedAt: at }));',
    ],
    [
      'takes a revocation back by a successor',
      'if (key.expiresAt === undefined || until < key.expiresAt)',
      'await undefined; if (key.expiresAt === undefined || until < key.expiresAt)',
    ],
  ],
  [HANDLE]: [['hands out what it keeps', 'return key && copyOf(key);', 'return key;']],
});

const INVITATION = 'Returns the developer whose invitation has this hash';
const NOTHING_ELSE = 'Nothing else of a developer changes';
const ACTIVATE = 'Uses up the invitation with this hash';
const REFUSED = 'Returns false, and changes nothing, when there is no such invitation';
const TAKEN = 'Rejects with a `DomainError` of kind `conflict`, and leaves the invitation good';

const developers = mutantsOf('developers', 'adapters/in-memory/developer-repository.js', {
  [OVERLAP]: [
    [
      'takes a suspension back by an invitation',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      'await undefined; this.#keep({ ...developer, invitation, ...(role && { role }) });',
    ],
    [
      'takes a suspension back by an acceptance',
      'this.#invited.delete(invitationHash);',
      'this.#invited.delete(invitationHash); await undefined;',
    ],
  ],
  'Returns the developer with this id, field for field': [
    [
      'forgets since when',
      'return developer && copyOfDeveloper(developer);',
      'return developer && copyOfDeveloper({ ...developer, activeSince: undefined });',
    ],
  ],
  'Returns the developer with this sign-in name': [
    ['minds the case', 'this.#named.get(signInKey(name))', 'this.#named.get(name)'],
  ],
  [INVITATION]: [
    ['finds what was replaced', 'if (developer.invitation)', 'if (false)'],
    ['finds what was used', 'this.#invited.delete(invitationHash);', ''],
  ],
  'Returns every developer, in the order in which they were first invited': [
    [
      'lists backwards',
      'Array.from(this.#developers.values(), copyOfDeveloper)',
      'Array.from(this.#developers.values(), copyOfDeveloper).reverse()',
    ],
    [
      'moves who is invited again to the end',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      'this.#developers.delete(id); this.#keep({ ...developer, invitation, ...(role && { role }) });',
    ],
  ],
  'Adds a developer with this invitation': [
    [
      'keeps the earlier invitation',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      'this.#keep({ invitation, ...developer, ...(role && { role }) });',
    ],
  ],
  [NOTHING_ELSE]: [
    [
      'forgets when they were first invited',
      'this.#developers.get(id) ?? { id, role: DEFAULT_ROLE, invitedAt: at }',
      '{ role: DEFAULT_ROLE, ...this.#developers.get(id), id, invitedAt: at }',
    ],
    [
      'lifts a suspension',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      "this.#keep({ ...without(['suspendedAt'], developer), invitation });",
    ],
    [
      'signs nobody in any more',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      "this.#keep({ ...without(['passwordHash'], developer), invitation });",
    ],
  ],
  [ACTIVATE]: [
    ['notes the last time', 'developer.activeSince ?? at', 'at'],
    ['leaves the earlier name taken', 'if (earlier !== undefined)', 'if (false)'],
    ['leaves the invitation', "...without(['invitation'], developer), signInName", '...developer, signInName'],
  ],
  [REFUSED]: [
    [
      'asks nothing of the invitation',
      'developer === undefined || !canAccept(developer, at)',
      'developer === undefined',
    ],
  ],
  'When raced, one call returns true': [
    [
      'waits between looking and using up',
      'this.#rename(developer, signInName); this.#invited.delete(invitationHash);',
      'await undefined; this.#rename(developer, signInName); this.#invited.delete(invitationHash);',
    ],
  ],
  [TAKEN]: [
    ['gives one name to two', 'if ((this.#named.get(signInKey(signInName)) ?? id) !== id)', 'if (false)'],
    [
      'uses the invitation up',
      'this.#rename(developer, signInName); this.#invited.delete(invitationHash);',
      'this.#invited.delete(invitationHash); this.#rename(developer, signInName);',
    ],
  ],
  'The developer gets this role': [
    ['forgets the role', '...(role && { role })', ''],
    ['takes a role away', 'invitation, ...(role && { role })', 'invitation, role: role ?? DEFAULT_ROLE'],
  ],
  'Stores the role and returns true': [['keeps the role', '...developer, role }', '...developer }']],
  'Stores public name and website and returns true': [
    ['removes nothing', "...without(['publicName', 'website'], developer), ...profile", '...developer, ...profile'],
    ['adds whom there is not', 'if (developer === undefined) return false; if (profile', 'if (profile'],
  ],
  'Rejects with a `DomainError` of kind `conflict`, and changes nothing, when the public name of another developer': [
    ['gives one public name to two', 'this.#holdersOf(keys).some((holder) => holder !== id)', 'false'],
    ['compares folded forms alone', ', this.#skeletons.get(skeleton)]', ']'],
    ['compares skeletons alone', '[this.#folded.get(folded), ', '['],
    ['leaves the earlier public name taken', 'if (shown !== undefined) {', 'if (false) {'],
  ],
  'Rejects in the same way when the id of another developer has the skeleton of the public name': [
    ['compares with no id', '[...named, ...(this.#ids.get(skeleton) ?? [])]', 'named'],
  ],
  'A public name that stays the same is not compared with ids': [
    ['compares every name', 'if (profile.publicName !== developer.publicName) this.#showAs', 'this.#showAs'],
  ],
  'Replaces sign-in name and password hash': [
    [
      'keeps the password',
      'this.#keep({ ...developer, signInName, passwordHash });',
      'this.#keep({ ...developer, signInName });',
    ],
  ],
  "Returns false, and changes nothing, when the developer's password hash is another than `current`": [
    ['asks for no password', 'developer?.passwordHash !== current', 'developer === undefined'],
  ],
  'Rejects with a `DomainError` of kind `conflict` when another developer has the sign-in name': [
    [
      'changes to a name that another has',
      'this.#rename(developer, signInName); this.#keep({ ...developer, signInName, passwordHash });',
      'this.#named.set(signInKey(signInName), id); this.#keep({ ...developer, signInName, passwordHash });',
    ],
  ],
  'Stores the time of the suspension and returns true': [
    [
      'suspends whom there is not',
      'this.#keep({ suspendedAt: at, ...developer }); return developer !== undefined;',
      'this.#keep({ suspendedAt: at, ...developer }); return true;',
    ],
  ],
  'The first suspension counts until it is lifted': [
    ['notes the last suspension', '{ suspendedAt: at, ...developer }', '{ ...developer, suspendedAt: at }'],
  ],
  'Lifts a suspension and returns true': [
    ['lifts none', "this.#keep(without(['suspendedAt'], developer))", 'this.#keep(developer)'],
  ],
  [HANDLE]: [['hands out what it keeps', 'return developer && copyOfDeveloper(developer);', 'return developer;']],
});

const rules = mutantsOf('developers', 'domain/developer.js', {
  [REFUSED]: [
    ['accepts at the very end', 'at < developer.invitation.until', 'at <= developer.invitation.until'],
    ['accepts who is suspended', '&& developer.suspendedAt === undefined', ''],
  ],
});

const names = mutantsOf('developers', 'domain/text.js', {
  'Returns the developer with this sign-in name': [
    ['minds how accents are typed', "name.normalize('NFC').toLowerCase().normalize('NFC')", 'name.toLowerCase()'],
    [
      'takes a sharp s for two',
      "name.normalize('NFC').toLowerCase().normalize('NFC')",
      "name.normalize('NFC').toUpperCase()",
    ],
    [
      'takes a ligature for its letters',
      "name.normalize('NFC').toLowerCase().normalize('NFC')",
      "name.normalize('NFKC').toLowerCase()",
    ],
  ],
});

const sessions = mutantsOf('sessions', 'adapters/in-memory/session-repository.js', {
  'Stores a session': [['stores none', 'this.#sessions.set(session.hash, copyOf(session));', '']],
  'Rejects with a `DomainError` of kind `conflict` when its hash is taken': [
    ['gives a hash again', 'if (this.#sessions.has(session.hash))', 'if (false)'],
  ],
  [OVERLAP]: [
    [
      'takes an end back by a renewal',
      'if (session !== undefined && until > session.until)',
      'await undefined; if (session !== undefined && until > session.until)',
    ],
  ],
  'Returns the session with this hash, field for field': [
    [
      'hides an expired one',
      'return session && copyOf(session);',
      'return session && session.until > new Date() ? copyOf(session) : undefined;',
    ],
  ],
  'Returns every session of a developer, field for field, expired ones included, in any order': [
    [
      "lists everybody's",
      'return sessions.filter((session) => session.developerId === developerId);',
      'return sessions;',
    ],
    [
      'hides expired ones',
      'return sessions.filter((session) => session.developerId === developerId);',
      'return sessions.filter((one) => one.developerId === developerId && one.until > new Date(1e12));',
    ],
  ],
  'Extends a session until this time': [
    ['shortens a session', 'session !== undefined && until > session.until', 'session !== undefined'],
    ['renews none', 'session !== undefined && until > session.until', 'false'],
  ],
  'Ends the session with this hash and returns whether there was one': [
    ['answers true for none', 'return this.#sessions.delete(hash);', 'this.#sessions.delete(hash); return true;'],
  ],
  'When raced, one call returns true': [
    [
      'waits between looking and ending',
      'return this.#sessions.delete(hash);',
      'const found = this.#sessions.has(hash); await undefined; this.#sessions.delete(hash); return found;',
    ],
  ],
  'Ends every session of a developer, but not the one with the hash `except`': [
    [
      "ends everybody's",
      'session.developerId === developerId && session.hash !== except',
      'session.hash !== except',
    ],
    ['ends the excepted one', '&& session.hash !== except', ''],
    ['ends 1,000 at most', '.filter(isMeant);', '.filter(isMeant).slice(0, 1_000);'],
    ['answers how many are left', 'return meant.length;', 'return this.#sessions.size;'],
  ],
  'Ends every session whose `until` is not after this time': [
    ['spares what ends at this very time', 'until <= asOf', 'until < asOf'],
  ],
  [HANDLE]: [
    ['hands out what it keeps', 'return session && copyOf(session);', 'return session;'],
    [
      'keeps what it was given',
      'this.#sessions.set(session.hash, copyOf(session));',
      'this.#sessions.set(session.hash, session);',
    ],
  ],
});

export const ACCOUNTS: readonly Mutant[] = [...apiKeys, ...developers, ...rules, ...names, ...sessions];
