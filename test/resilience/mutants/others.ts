import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, OVERLAP } from './sentences.js';

const categories = mutantsOf('categories', 'adapters/in-memory/category-repository.js', {
  'Returns every category, in any order': [
    [
      'lists the first 100',
      'Array.from(this.#categories.values())',
      'Array.from(this.#categories.values()).slice(0, 100)',
    ],
  ],
  'Returns the category; undefined when there is none with this id': [
    ['cuts names to 50 characters', 'Object.freeze({ id, name })', 'Object.freeze({ id, name: name.slice(0, 50) })'],
    [
      'finds what begins like it',
      'return this.#categories.get(id);',
      'return Array.from(this.#categories.values()).find((category) => category.id.startsWith(id));',
    ],
  ],
  'Adds the categories whose id is new and renames the others': [
    ['renames nothing', 'this.#categories.set(id,', 'if (!this.#categories.has(id)) this.#categories.set(id,'],
    [
      'forgets those that are not named',
      'const before = this.#categories.size;',
      'const before = this.#categories.size; this.#categories.clear();',
    ],
    [
      'lets the first of one id count',
      'for (const category of categories) this.#set(category); return',
      'for (const category of categories.toReversed()) this.#set(category); return',
    ],
    [
      'shows what is half saved',
      'for (const category of categories) this.#set(category); return',
      'for (const category of categories) { await undefined; this.#set(category); } return',
    ],
  ],
  'Returns how many were new': [
    ['counts those that were there', 'return this.#categories.size - before;', 'return categories.length;'],
  ],
  'Removes the category, and returns whether there was one': [
    ['says that there was one', 'return this.#categories.delete(id);', 'this.#categories.delete(id); return true;'],
    ['removes nothing', 'return this.#categories.delete(id);', 'return this.#categories.has(id);'],
  ],
  'When raced, one call returns true': [
    [
      'looks before it removes',
      'return this.#categories.delete(id);',
      'const has = this.#categories.has(id); await undefined; this.#categories.delete(id); return has;',
    ],
  ],
  [HANDLE]: [['hands out what can be changed', 'Object.freeze({ id, name })', '{ id, name }']],
});

const ONCE = 'One whose id is stored already is not stored again';
const REPEATED = 'When it rejects, some may be stored';
const LISTED = 'Returns the entries, field for field, in descending order of their ids';
const BELOW = 'With `before`, those whose id is lower';

const audit = mutantsOf('audit log', 'adapters/in-memory/audit-log.js', {
  'Stores the entries': [
    ['stores the first 100 of a call', 'for (const entry of entries)', 'for (const entry of entries.slice(0, 100))'],
  ],
  'With `after`, those whose id is higher': [
    ['repeats the last one', '({ id }) => id <= after', '({ id }) => id < after'],
    ['lists one more after it', 'Math.min(start + limit, end)', 'Math.min(start + limit + 1, end)'],
    ['ignores `before`', 'Math.min(start + limit, end)', 'start + limit'],
    [
      'lists the latest first',
      'entries.slice(start, Math.min(start + limit, end)).map(copyOf)',
      'entries.slice(start, Math.min(start + limit, end)).map(copyOf).reverse()',
    ],
  ],
  [ONCE]: [['stores an id twice', 'if (!this.#ids.has(entry.id))', 'if (true)']],
  [REPEATED]: [
    [
      'stores nothing of a call with an id that it has',
      'for (const entry of entries)',
      'if (entries.some(({ id }) => this.#ids.has(id))) return; for (const entry of entries)',
    ],
  ],
  [LISTED]: [
    ['lists one too many', 'end - limit', 'end - limit - 1'],
    ['lists 100 at most', 'end - limit', 'end - Math.min(limit, 100)'],
    ['orders by arrival', 'entries.splice(countBelow(entry.id, entries), 0, entry);', 'entries.push(entry);'],
    [
      'cuts request ids to 64 characters',
      'at: new Date(entry.at),',
      'at: new Date(entry.at), ...(entry.requestId && { requestId: entry.requestId.slice(0, 64) }),',
    ],
    [
      'cuts addresses to 39 characters',
      'at: new Date(entry.at),',
      'at: new Date(entry.at), ...(entry.address && { address: entry.address.slice(0, 39) }),',
    ],
    ['forgets from where', 'at: new Date(entry.at),', 'at: new Date(entry.at), address: undefined,'],
    ['forgets what was changed', '{ changed: Object.freeze([...entry.changed]) }', '{ changed: [] }'],
    [
      'forgets a part of the counts',
      'Object.freeze({ ...entry.counts })',
      'Object.freeze({ ...entry.counts, failed: 0 })',
    ],
  ],
  'With `developerId`, only the entries that concern this developer': [
    [
      'lists what concerns others',
      'developerId === undefined ? this.#all : (this.#concerning.get(developerId) ?? [])',
      'this.#all',
    ],
  ],
  [BELOW]: [
    ['begins with the one before', 'one.id < id', 'one.id <= id'],
    [
      'lists none below an unknown one',
      'countBelow(before, entries)',
      '(this.#ids.has(before) ? countBelow(before, entries) : 0)',
    ],
  ],
  [HANDLE]: [
    ['returns what it keeps', '.reverse() .map(copyOf)', '.reverse()'],
    ['keeps what it was given', 'this.#store(copyOf(entry));', 'this.#store(entry);'],
  ],
});

const storage = mutantsOf('storage', 'adapters/in-memory/storage.js', {
  'What a storage can do beyond what each one must': [
    ['denies its search', 'search: true, deepPages', 'search: false, deepPages'],
  ],
  'Creates what is missing, records what it is given': [
    [
      'makes its keys each time',
      'keys: open(new InMemoryApiKeyRepository(auditLog)),',
      'get keys() { return open(new InMemoryApiKeyRepository(auditLog)); },',
    ],
  ],
  'A text that nothing has as its id': [
    [
      'cuts ids off at U+0000',
      'keys: open(new InMemoryApiKeyRepository(auditLog)),',
      `keys: new Proxy(open(new InMemoryApiKeyRepository(auditLog)), {
        get: (keys, method) => (...args) =>
          keys[method](...args.map((arg) => (typeof arg === 'string' ? arg.split(String.fromCharCode(0))[0] : arg))),
      }),`,
    ],
  ],
  'Returns the recorded currency': [
    ['returns none', 'recordedCurrency: () => automations.currency', 'recordedCurrency: () => undefined'],
  ],
  'Until a store is prepared, by any process, each write to it rejects': [
    [
      'refuses by another error until it is prepared',
      'categories: open(new InMemoryCategoryRepository()),',
      'get categories() { return automations.currency ? open(new InMemoryCategoryRepository()) : undefined; },',
    ],
  ],
  'Resolves to what the store can do, when it can be reached. Rejects': [
    ['answers when it is closed', '...open(life),', '...life,'],
  ],
  'Counts again everything that is derived': [
    ['finds a difference', 'check: async () => []', "check: async () => [{ description: 'one', repaired: false }]"],
  ],
  'Releases what the storage holds': [
    ['is never closed', 'isClosed = true;', ''],
    ['closes without its sessions', 'sessions: open(sessions)', 'sessions'],
  ],
  'What one stores, the other sees': [
    [
      'stores the entry of a change a turn later',
      'const auditLog = new InMemoryAuditLog();',
      `const auditLog = new InMemoryAuditLog();
      const append = auditLog.append.bind(auditLog);
      auditLog.append = async (entries) => { await new Promise(setImmediate); return append(entries); };`,
    ],
    [
      'makes its developers each time',
      'developers: open(new InMemoryDeveloperRepository(sessions, auditLog)),',
      'get developers() { return open(new InMemoryDeveloperRepository(sessions, auditLog)); },',
    ],
  ],
});

const storageRaces = mutantsOf('storage', 'adapters/in-memory/automation-repository.js', {
  'The currency is recorded once': [
    [
      'takes the first currency for that of all',
      'recordFor(this.#recorded, options)',
      "recordFor({ currency: 'USD' }, options)",
    ],
  ],
  'A new address replaces the recorded one': [
    [
      'forgets the address',
      'recordFor(this.#recorded, options)',
      'recordFor(this.#recorded, { currency: options.currency })',
    ],
    [
      'keeps none that is not given',
      'recordFor(this.#recorded, options)',
      'recordFor({ ...this.#recorded, address: undefined }, options)',
    ],
  ],
  'May be repeated, also by several processes at once': [
    [
      'is prepared once',
      'return (this.#recorded = recordFor',
      "if (this.#recorded.currency) throw new Error('again'); return (this.#recorded = recordFor",
    ],
  ],
  'Rejects with a `DomainError` of kind `conflict`, code `other-currency`': [
    [
      'takes any currency',
      'recordFor(this.#recorded, options)',
      'recordFor(this.#recorded, { address: options.address })',
    ],
    [
      'records the address all the same',
      'return (this.#recorded = recordFor(',
      'this.#recorded = { ...this.#recorded, ...options }; return (this.#recorded = recordFor(',
    ],
  ],
  'Prices in another currency than the recorded one are reported, and stay': [
    ['stores any currency', 'currency: this.currency,', 'currency: undefined,'],
  ],
  [OVERLAP]: [
    [
      'waits between looking and revising',
      'const { id, developerId, createdAt } = entry;',
      'await undefined; const { id, developerId, createdAt } = entry;',
    ],
  ],
});

export const OTHERS: readonly Mutant[] = [...categories, ...audit, ...storage, ...storageRaces];
