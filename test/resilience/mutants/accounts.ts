import { mutantsOf, type Mutant } from './mutant.js';
import { ENTRIES, HANDLE, OVERLAP } from './sentences.js';

const developerParts = mutantsOf('developers', 'adapters/in-memory/part-before.js', {
  'With `before`, those who were added before this developer': [
    ['repeats the last one', '.slice(known + 1)', '.slice(Math.max(0, known))'],
    ['lists all for an unknown one', 'before !== undefined && known < 0', 'false'],
  ],
});

const INVITATION = 'Returns the developer whose invitation has this hash';
const NOTHING_ELSE = 'Nothing else of a developer changes';
const ACTIVATE = 'Uses up the invitation with this hash';
const REFUSED = 'Returns false, and changes nothing, when there is no such invitation';
const REGISTER = 'this.#add(id, at); await this.auditLog.append(entries);';
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
      'this.#developers.get(id); return developer && copyOfDeveloper(developer);',
      'this.#developers.get(id); return developer && copyOfDeveloper({ ...developer, activeSince: undefined });',
    ],
  ],
  'Returns the developer with this sign-in name': [
    ['minds the case', 'this.#named.get(signInKey(name))', 'this.#named.get(name)'],
  ],
  [INVITATION]: [
    ['finds what was replaced', 'if (developer.invitation)', 'if (false)'],
    ['finds what was used', 'this.#invited.delete(invitationHash);', ''],
  ],
  'Returns the developer whose public name has the skeleton of this id': [
    ['compares with the id itself', 'this.#skeletons.get(developerIdKey(id))', 'this.#skeletons.get(id)'],
    ['finds a name that was given up', 'this.#skeletons.delete(publicNameKeys(shown).skeleton);', ''],
  ],
  'Returns developers, the one who was added last first': [
    ['lists the first first', '(this.#developers.values()).reverse()', '(this.#developers.values())'],
    [
      'moves who is invited again to the end',
      'this.#keep({ ...developer, invitation, ...(role && { role }) });',
      'this.#developers.delete(id); this.#keep({ ...developer, invitation, ...(role && { role }) });',
    ],
  ],
  'With `text`, only those whose id contains it': [
    ['minds the case of an id', 'lowerCase(id).includes(lowerCase(text))', 'id.includes(text)'],
    ['looks at no sign-in name', '...holdersIn(this.#named, signIn),', ''],
    ['looks at no public name', "shown === '' ? [] : holdersIn(this.#folded, shown)", '[]'],
    ['finds by no subject', 'known.subject === text', 'false'],
    ['finds every public name by a text that none can have', "shown === '' ? []", 'false ? []'],
  ],
  'Returns how many developers there are': [
    ['counts all for a text', 'text === undefined ? this.#developers.size', 'true ? this.#developers.size'],
  ],
  'Returns how many developers are operators': [
    ['counts everybody', 'return this.#activeOperators().length;', 'return this.#developers.size;'],
  ],
  'Adds a developer without a sign-in and with the role `developer`': [
    ['adds one twice', 'if (this.#developers.has(id)) return false;', ''],
    ['takes the id for no name', 'this.#ids.set(key, new Set(this.#ids.get(key)).add(id));', ''],
    ['tells nothing', `${REGISTER} return true;`, `${REGISTER} return false;`],
    ['adds a buyer', 'role: DEFAULT_ROLE, addedAt: at', "role: 'buyer', addedAt: at"],
  ],
  'Gives an identity to the developer with this id': [
    [
      'adds no developer',
      '?? this.#add(id, at); this.#identities',
      '?? { id, role: DEFAULT_ROLE, addedAt: at }; this.#identities',
    ],
  ],
  'Nothing else of a known developer changes': [
    [
      'adds a known developer again',
      'this.#developers.get(id) ?? this.#add(id, at); this.#identities',
      'this.#add(id, at); this.#identities',
    ],
    [
      'keeps one identity of each',
      'this.#identities.set(key, {',
      'for (const one of (await this.listIdentities([id])).map(identityKey)) ' +
        'this.#identities.delete(one); this.#identities.set(key, {',
    ],
  ],
  'When a developer has the identity already': [
    ['gives it to another one', 'if (holder !== undefined) return copyOfDeveloper(holder);', ''],
    [
      'waits before it gives it',
      'if (holder !== undefined) return copyOfDeveloper(holder);',
      'if (holder !== undefined) return copyOfDeveloper(holder); await undefined;',
    ],
  ],
  'Returns every identity of these developers': [
    ['lists those of all', '.filter(({ developerId }) => ids.includes(developerId))', ''],
    ['lists what it keeps', '.map((known) => ({ ...known }))', ''],
  ],
  'With `keepOneOperator`, returns `last-operator`, and changes nothing, when the only operator': [
    ['keeps none', "keepOneOperator && this.#isLast(developer, role !== 'operator')", 'false'],
    [
      'counts, and waits before it changes',
      "this.#isLast(developer, role !== 'operator')) return 'last-operator';",
      "this.#isLast(developer, role !== 'operator')) return 'last-operator'; await undefined;",
    ],
  ],
  'With `keepOneOperator`, returns `last-operator`, and changes nothing, for the only operator': [
    ['keeps two', 'this.#activeOperators().length === 1', 'this.#activeOperators().length <= 2'],
    ['suspends all the same', 'keepOneOperator && this.#isLast(developer, true)', 'false'],
  ],
  'Whether the last active operator is kept': [
    ['keeps everybody', 'isNone && isActiveOperator(developer) &&', ''],
    [
      'asks for no rule',
      "keepOneOperator && this.#isLast(developer, role !== 'operator')",
      "this.#isLast(developer, role !== 'operator')",
    ],
  ],
  'Returns the developer as they were before; undefined for a new one': [
    ['returns them as they are after', 'return before && copyOfDeveloper(before);', 'return this.find(id);'],
  ],
  'The name that they have changes nothing': [
    [
      'refuses their own name',
      'if ((this.#named.get(signInKey(signInName)) ?? id) !== id)',
      'if (this.#named.has(signInKey(signInName)))',
    ],
  ],
  'With `keepOneOperator`, returns `last-operator`, and changes nothing, as `setRole` does': [
    [
      'invites the last operator as another',
      "keepOneOperator && this.#isLast(before, role !== undefined && role !== 'operator')",
      'false',
    ],
  ],
  'ends all their sessions and starts this one, all or nothing': [
    ['leaves a session', 'developerId: developer.id }, 0);', 'developerId: developer.id }, 1);'],
    ['starts no session', 'this.sessions.start({ ...session, developerId: developer.id }, 0);', ''],
  ],
  'Rejects in the same way, code `duplicate-session`, when the hash of the session is taken': [
    [
      'accepts with the session of another',
      'return false; this.sessions.requireFree(session.hash); this.#rename',
      'return false; this.#rename',
    ],
  ],
  'ends every session of the developer, and returns the developer as they were before': [
    ['ends the sessions of nobody', 'this.sessions.endOthers(id);', "this.sessions.endOthers('');"],
  ],
  [ENTRIES]: [
    ['forgets the entry of a registration', `${REGISTER} return true;`, 'this.#add(id, at); return true;'],
    ['forgets the entry of a sign-in', 'MAX_SESSIONS - 1); await this.auditLog.append(entries);', 'MAX_SESSIONS - 1);'],
    [
      'stores the entry of a role that stays',
      'if (change === undefined) return copyOfDeveloper(developer);',
      'if (change === undefined) { await this.auditLog.append(entries); return copyOfDeveloper(developer); }',
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
      'forgets when they were added',
      'before ?? this.#add(id, at)',
      '{ ...(before ?? this.#add(id, at)), addedAt: at }',
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
  [ACTIVATE]: [['leaves the earlier name taken', 'if (earlier !== undefined)', 'if (false)']],
  [REFUSED]: [
    [
      'asks nothing of the invitation',
      'developer === undefined || !canAccept(developer, activation.at)',
      'developer === undefined',
    ],
  ],
  'When raced, one call returns true': [
    [
      'waits between looking and using up',
      'this.#rename(developer, activation.signInName);',
      'await undefined; this.#rename(developer, activation.signInName);',
    ],
  ],
  [TAKEN]: [
    ['gives one name to two', 'if ((this.#named.get(signInKey(signInName)) ?? id) !== id)', 'if (false)'],
    [
      'uses the invitation up',
      'this.#rename(developer, activation.signInName);',
      'this.#invited.delete(invitationHash); this.#rename(developer, activation.signInName);',
    ],
  ],
  'The developer gets this role': [
    ['forgets the role', '...(role && { role })', ''],
    ['takes a role away', 'invitation, ...(role && { role })', 'invitation, role: role ?? DEFAULT_ROLE'],
  ],
  'With `isForEmergencies`': [
    ['marks nobody', ', ...(isForEmergencies && { emergencySince: at })', ''],
    ['marks everybody', '(isForEmergencies && {', '({'],
  ],
  'Replaces the sign-in name and returns the developer as they were before': [
    ['gives a name to one who has no sign-in', 'if (developer?.signInName === undefined)', 'if (!developer)'],
    ['leaves the name as it was', ': { signInName }, entries', ': {}, entries'],
  ],
  'Rejects with a `DomainError` of kind `conflict`, and changes nothing, when another developer has the sign-in name': [
    [
      'renames to the name of another',
      'this.#rename(developer, signInName); return this.#change(',
      'return this.#change(',
    ],
  ],
  'Stores the role and returns the developer as they were before': [
    ['keeps the role', ': { role }, entries', ': {}, entries'],
    [
      'returns the developer as they are after',
      'await this.auditLog.append(entries); return copyOfDeveloper(developer); } /** Returns whether',
      'await this.auditLog.append(entries); return this.#developers.get(developer.id); } /** Returns whether',
    ],
  ],
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
  'Stores the time of the suspension, ends every session of the developer': [
    ['suspends whom there is not', 'if (developer === undefined) return undefined; if (change', 'if (change'],
  ],
  'The first suspension counts until it is lifted': [
    ['notes the last suspension', 'developer?.suspendedAt === undefined ?', 'true ?'],
  ],
  'Lifts a suspension and returns the developer as they were before': [
    ['lifts none', "without(['suspendedAt'], developer));", 'developer);'],
  ],
  'Returns false, and changes nothing, when the developer has another password hash or is suspended': [
    [
      'asks for no password to start',
      'if ((passwordHash ?? developer.passwordHash) !== developer.passwordHash) return false;',
      '',
    ],
    [
      'signs a suspended one in',
      'if (developer === undefined || developer.suspendedAt !== undefined) return false; if ((',
      'if (developer === undefined) return false; if ((',
    ],
  ],
  'Without a password hash none is compared': [
    ['makes nobody active', 'this.#keep({ activeSince: session.createdAt, ...developer });', ''],
    [
      'makes the last sign-in the first',
      'this.#keep({ activeSince: session.createdAt, ...developer });',
      'this.#keep({ ...developer, activeSince: session.createdAt });',
    ],
  ],
  'The role that they have changes nothing': [
    [
      'takes the role that they have away',
      'developer?.role === role ? undefined : { role }',
      "developer?.role === role ? { role: 'buyer' } : { role }",
    ],
  ],
  [HANDLE]: [
    [
      'hands out what it keeps',
      'this.#developers.get(id); return developer && copyOfDeveloper(developer);',
      'this.#developers.get(id); return developer;',
    ],
  ],
});

const rules = mutantsOf('developers', 'domain/developer.js', {
  'Returns how many developers are operators': [
    ['counts who was only invited', "&& statusOf(developer) === 'active'", ''],
    ['counts every role', "developer.role === 'operator' &&", ''],
  ],
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

const identities = mutantsOf('developers', 'domain/identity.js', {
  'Returns the developer who has this identity': [
    ['minds no issuer', 'JSON.stringify([issuer, subject])', 'subject'],
    ['minds no case', 'JSON.stringify([issuer, subject])', 'JSON.stringify([issuer, subject]).toLowerCase()'],
  ],
});

const sessions = mutantsOf('sessions', 'adapters/in-memory/session-repository.js', {
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
  'Returns every session of a developer, field for field, expired ones included, the latest': [
    ["lists everybody's", '.filter((session) => session.developerId === developerId);', ';'],
    [
      'hides expired ones',
      'return this.#of(developerId).map(copyOf);',
      'return this.#of(developerId).filter((one) => one.until > new Date(1e12)).map(copyOf);',
    ],
    [
      'lists the oldest first',
      'other.createdAt.getTime() - one.createdAt.getTime()',
      'one.createdAt.getTime() - other.createdAt.getTime()',
    ],
  ],
  'Extends a session until this time': [
    ['shortens a session', 'session !== undefined && until > session.until', 'session !== undefined'],
    ['renews none', 'session !== undefined && until > session.until', 'false'],
  ],
  'Ends the session with this hash and returns whether there was one': [
    [
      'answers true for none',
      'const isThere = this.#sessions.delete(hash);',
      'this.#sessions.delete(hash); const isThere = true;',
    ],
  ],
  'When raced, one call returns true': [
    [
      'waits between looking and ending',
      'const isThere = this.#sessions.delete(hash);',
      'const isThere = this.#sessions.has(hash); await undefined; this.#sessions.delete(hash);',
    ],
  ],
  'Ends every session of a developer, and returns how many': [
    ["ends everybody's", 'session.developerId === developerId && session.hash !== except', 'session.hash !== except'],
    ['answers how many are left', 'return meant.length;', 'return this.#sessions.size;'],
  ],
  [ENTRIES]: [
    ['forgets the entry of an end', 'if (isThere) await this.auditLog.append(entries);', ''],
    ['stores the entry of no end', 'if (ended > 0) await', 'await'],
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

/** What changes of developers do with sessions. */
const starts = mutantsOf('developers', 'adapters/in-memory/session-repository.js', {
  'Starts a session, ends the oldest others of its developer': [
    ['stores none', 'this.#sessions.set(session.hash, copyOf(session));', ''],
    ['ends the latest', '.slice(kept)', '.reverse().slice(kept)'],
    ['keeps one too many', '.slice(kept)', '.slice(kept + 1)'],
  ],
  'Rejects with a `DomainError` of kind `conflict`, code `duplicate-session`, and changes nothing': [
    ['gives a hash again', 'if (this.#sessions.has(hash)) throw', 'if (false) throw'],
  ],
  'with another password hash ends every session of the developer but `keptSession`': [
    ['ends the kept one', '&& session.hash !== except', ''],
  ],
});

export const ACCOUNTS: readonly Mutant[] = [
  ...developers,
  ...developerParts,
  ...rules,
  ...names,
  ...identities,
  ...sessions,
  ...starts,
];
