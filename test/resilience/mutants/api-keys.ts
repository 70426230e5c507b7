import { mutantsOf, type Mutant } from './mutant.js';
import { ENTRIES, HANDLE, OVERLAP } from './sentences.js';

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
  'With `max`, rejects as `conflict`, code `too-many-keys`': [
    ['stores one too many', ' >= max) throw tooManyKeys(max);', ' > max) throw tooManyKeys(max);'],
    ['counts what has ended towards the limit', '(end) => end > createdAt.getTime()', '() => true'],
    [
      'waits between counting and storing',
      'this.#requireRoom(key, max); this.#store(key);',
      'this.#requireRoom(key, max); await undefined; this.#store(key);',
    ],
  ],
  'Rejects as `add` does; the key with this id counts': [
    ['does not count the key that is replaced', 'others.length + (isCounted ? 1 : 0)', 'others.length'],
    ['counts the key that ends', 'others.length + (isCounted ? 1 : 0)', 'active.length'],
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
  'Returns keys of one developer, or of all, the latest added first': [
    ['lists the first first', 'Array.from(this.#keys.values()).reverse()', 'Array.from(this.#keys.values())'],
    ["lists everybody's", 'developerId === undefined || key.developerId === developerId', 'true'],
  ],
  'Returns the keys of a developer that have not ended at this time': [
    [
      'lists what ends at this very time',
      '(end) => end > at.getTime()).map(copyOf)',
      '(end) => end >= at.getTime()).map(copyOf)',
    ],
    ['lists what works for others', 'key.developerId === developerId && isMeant(endOf(key))', 'isMeant(endOf(key))'],
  ],
  'A key ends when it is revoked or when it expires': [
    ['forgets that a key expires', 'isMeant(endOf(key))', 'isMeant(endOf({ ...key, expiresAt: undefined }))'],
  ],
  'Returns how many keys `listActive` would return': [
    [
      'counts what has ended',
      'return this.#of(developerId, (end) => end > at.getTime()).length;',
      'return this.#of(developerId, () => true).length;',
    ],
  ],
  'Returns keys of the developer that have ended at `asOf`, the latest end first': [
    [
      'lists what has not ended',
      'const ended = this.#of(developerId, (end) => end <= asOf.getTime());',
      'const ended = this.#of(developerId, () => true);',
    ],
    ['lists in the order of issue', '.sort((one, other) => endOf(other) - endOf(one))', ''],
  ],
  'Returns how many keys of a developer have ended at this time': [
    [
      'counts those that have not ended',
      'return this.#of(developerId, (end) => end <= asOf.getTime()).length;',
      'return this.#of(developerId, (end) => end > asOf.getTime()).length;',
    ],
  ],
  'Removes every key that has ended at this time, and returns how many': [
    ['keeps what ended at this very time', 'endOf(key) <= asOf.getTime())', 'endOf(key) < asOf.getTime())'],
    ['keeps the hash', 'this.#ids.delete(hash);', ''],
    ['removes 1,000 at most', 'of ended) {', 'of ended.slice(0, 1_000)) {'],
  ],
  [REPLACE]: [
    ['lets a key live longer', 'key.expiresAt === undefined || until < key.expiresAt', 'true'],
    ['does not end the key', 'key.expiresAt === undefined || until < key.expiresAt ?', 'false ?'],
  ],
  'Returns false, and stores nothing, when there is no such key or it is revoked': [
    [
      'replaces a revoked key',
      'if (key === undefined || key.revokedAt !== undefined) return false;',
      'if (key === undefined) return false;',
    ],
    [
      'stores the successor of none',
      'if (key === undefined || key.revokedAt !== undefined) return false;',
      'if (key === undefined) this.#store(successor); ' +
        'if (key === undefined || key.revokedAt !== undefined) return false;',
    ],
  ],
  'Rejects as `add` does': [
    [
      'ends the key before it stores the successor',
      'this.#store(successor);',
      'this.#keys.set(id, copyOf({ ...key, expiresAt: until })); this.#store(successor);',
    ],
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
      'if (key === undefined || key.revokedAt !== undefined) return key !== undefined;',
      'if (key === undefined || key.revokedAt !== undefined) return true;',
    ],
  ],
  'The first revocation counts': [
    [
      'notes the last revocation',
      'if (key === undefined || key.revokedAt !== undefined) return key !== undefined;',
      'if (key === undefined) return false;',
    ],
    [
      'answers false the second time',
      'if (key === undefined || key.revokedAt !== undefined) return key !== undefined;',
      'if (key === undefined || key.revokedAt !== undefined) return false;',
    ],
  ],
  'Stores the name and returns true': [
    ['renames what there is not', 'if (key === undefined) return false;', 'if (key === undefined) return true;'],
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
      'const ending = key.expiresAt === undefined',
      'await undefined; const ending = key.expiresAt === undefined',
    ],
  ],
  [HANDLE]: [['hands out what it keeps', 'return key && copyOf(key);', 'return key;']],
  [ENTRIES]: [
    ['forgets the entries of a key', 'this.#store(key); await this.auditLog.append(entries);', 'this.#store(key);'],
    [
      'stores those of a second revocation',
      'if (key === undefined || key.revokedAt !== undefined) return key !== undefined;',
      'if (key === undefined) return false; ' +
        'if (key.revokedAt !== undefined) { await this.auditLog.append(entries); return true; }',
    ],
  ],
});

const keyParts = mutantsOf('API keys', 'adapters/in-memory/part-before.js', {
  'Returns keys of one developer, or of all, the latest added first': [['lists all of them', '.slice(0, limit)', '']],
  'With `before`, those that were added before this key': [
    ['begins with the first again', 'items.findIndex(({ id }) => id === before)', '-1'],
    ['repeats the last one', '.slice(known + 1)', '.slice(Math.max(0, known))'],
    ['lists all for an unknown one', 'before !== undefined && known < 0', 'false'],
  ],
  'With `before`, those that come after this key': [
    ['repeats the last of those that ended', '.slice(known + 1)', '.slice(Math.max(0, known))'],
    ['lists all that ended for an unknown one', 'before !== undefined && known < 0', 'false'],
  ],
});

export const API_KEYS: readonly Mutant[] = [...apiKeys, ...keyParts];
