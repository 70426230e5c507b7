import { mutantsOf, type Mutant } from './mutant.js';
import * as SENTENCES from './sentences.js';

const { ADD, ORDER, STORED, CONFLICT, UNAVAILABLE, KEY, EXPIRED, FIND, HANDLE } = SENTENCES;
const { COUNT, WITHDRAW, WHETHER, RACED, OVERLAP, FREE } = SENTENCES;

const PLAN = 'const { outcomes, inserts } = planAdd(offers, this.#contextOf(offers));';
const INSERT = 'for (const insert of inserts) this.#insert(insert);';
const REPLACE_WITHDRAWN = 'this.#replace(withdrawnEntry(entry, withdrawal)); await this.#record(auditEntry);';

const adds = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  [ADD]: [
    ['returns the outcomes backwards', 'return outcomes;', 'return outcomes.toReversed();'],
    [
      'takes the first 200 of a call',
      'planAdd(offers, this.#contextOf(offers))',
      'planAdd(offers.slice(0, 200), this.#contextOf(offers))',
    ],
  ],
  [ORDER]: [['stores the last one first', INSERT, 'for (const insert of inserts.toReversed()) this.#insert(insert);']],
  [STORED]: [
    [
      'returns before it is listed',
      'for (const shelf of shelvesOf(entry)) this.#keepShelf(shelf).insert(number); this.#search',
      'setTimeout(() => { for (const shelf of shelvesOf(entry)) this.#keepShelf(shelf).insert(number); }); ' +
        'this.#search',
    ],
  ],
  [CONFLICT]: [
    [
      'gives the id of a withdrawn one again',
      'ids.filter((id) => this.#numbers.has(id))',
      'ids.filter((id) => this.#numbers.has(id) && !this.#entryOf(id).withdrawn)',
    ],
    ['overwrites what has the id', 'ids.filter((id) => this.#numbers.has(id))', '[]'],
    ['looks for ids before it waits', PLAN, `${PLAN} await undefined;`],
  ],
  'A price in another currency than the recorded one is refused as': [
    ['takes that of the first price of each call', 'currency: this.currency,', 'currency: undefined,'],
  ],
  [UNAVAILABLE]: [
    [
      'rejects what it has stored',
      'await this.#record(...inserts',
      'if (offers.length === 2 && this.#entries.length % 14 === 0) ' +
        "throw Object.assign(new Error(), { kind: 'unavailable' }); await this.#record(...inserts",
    ],
  ],
  [KEY]: [
    ['knows keys within one call only', PLAN, `this.#keys.clear(); ${PLAN}`],
    [
      'forgets the key of what is withdrawn',
      REPLACE_WITHDRAWN,
      'for (const [name, { number }] of this.#keys) if (number === this.#numbers.get(id)) this.#keys.delete(name); ' +
        REPLACE_WITHDRAWN,
    ],
    [
      'returns the earlier one as it was first seen',
      'automation: automationOf(this.#entries[number]),',
      'automation: automationOf((this.seen ??= new Map()).get(number) ?? ' +
        'this.seen.set(number, this.#entries[number]).get(number)),',
    ],
    [
      'forgets the hash of the request',
      'idempotencyKeyUntil: new Date(until) }), ...(requestHash !== undefined && { requestHash }),',
      'idempotencyKeyUntil: new Date(until) }),',
    ],
  ],
  [EXPIRED]: [['forgets when a key is free again', '...(until && { until: until.getTime() }),', '']],
  [FIND]: [
    ['finds what was withdrawn', 'entry && !entry.withdrawn ? automationOf', 'entry ? automationOf'],
    [
      'tells whether it was withdrawn',
      'automationOf(entry) : undefined',
      '{ ...automationOf(entry), withdrawn: false } : undefined',
    ],
  ],
  [FREE]: [
    ['returns how many are left', 'return free.length;', 'return this.#keys.size;'],
    ['frees 1,000 at most', 'until <= asOf.getTime());', 'until <= asOf.getTime()).slice(0, 1_000);'],
    ['counts but does not free', 'for (const [name] of free) this.#keys.delete(name);', ''],
    ['frees what is good for longer', 'until !== undefined && until <= asOf.getTime()', 'until !== undefined'],
    ['frees one millisecond late', 'until <= asOf.getTime()', 'until < asOf.getTime()'],
    [
      'withdraws what it frees',
      'for (const [name] of free) this.#keys.delete(name);',
      'for (const [name, { number }] of free) ' +
        '{ this.#keys.delete(name); this.#replace({ ...this.#entries[number], withdrawn: { at: 0 } }); }',
    ],
  ],
  [OVERLAP]: [
    [
      'frees a key that was used meanwhile',
      'for (const [name] of free) this.#keys.delete(name);',
      'await undefined; for (const [name] of free) this.#keys.delete(name);',
    ],
  ],
  [COUNT]: [
    ['counts one too many', '(categoryShelf(category)).size]', '(categoryShelf(category)).size + 1]'],
    [
      'counts 200 categories at most',
      'Array.from(this.#categories, (',
      'Array.from([...this.#categories].slice(0, 200), (',
    ],
    ['counts all as one category', '(categoryShelf(category)).size]', "(shelfOf('on-sale')).size]"],
  ],
  [WITHDRAW]: [['counts what was withdrawn', "? shelfOf('on-sale') :", "? shelfOf('all') :"]],
  [WHETHER]: [
    ['withdraws twice', "if (entry.withdrawn) return 'already-withdrawn';", ''],
    ['does not tell withdrawn from unknown', "return 'already-withdrawn';", "return 'unknown';"],
    [
      "tells another developer's as withdrawn",
      'developerId !== undefined && developerId !== entry.developerId',
      '!entry.withdrawn && developerId !== undefined && developerId !== entry.developerId',
    ],
    ["withdraws another developer's", 'developerId !== undefined && developerId !== entry.developerId', 'false'],
    [
      'withdraws for the operator only',
      'developerId !== undefined && developerId !== entry.developerId',
      'developerId !== undefined',
    ],
  ],
  'Returns the ids of the automations, the oldest first, which got the entries in the same order': [
    ['withdraws all at once', 'shelf.slice(0, withdrawal.entryIds.length)', 'shelf.slice(0, shelf.size)'],
    ['withdraws the newest', 'shelf.slice(0, withdrawal.entryIds.length)', 'shelf.page(0, withdrawal.entryIds.length)'],
    [
      'withdraws of all developers',
      "this.#shelf(shelfOf('on-sale', withdrawal.developerId))",
      "this.#shelf(shelfOf('on-sale'))",
    ],
    ['withdraws 100 at most', 'withdrawal.entryIds.length)', 'Math.min(100, withdrawal.entryIds.length))'],
    ['withdraws none', 'for (const entry of entries) this.#replace', 'for (const entry of []) this.#replace'],
  ],
  [RACED]: [['waits between looking and withdrawing', REPLACE_WITHDRAWN, `await undefined; ${REPLACE_WITHDRAWN}`]],
  [HANDLE]: [
    [
      'returns what it has returned before',
      'automationOf(entry) : undefined',
      '(entry.out ??= automationOf(entry)) : undefined',
    ],
    [
      'returns the earlier one again',
      'automation: automationOf(this.#entries[number]),',
      'automation: (this.#entries[number].out ??= automationOf(this.#entries[number])),',
    ],
  ],
});

const entries = mutantsOf('automations', 'adapters/in-memory/entries.js', {
  [FIND]: [
    [
      'cuts times to seconds',
      'createdAt: new Date(createdAt),',
      'createdAt: new Date(Math.trunc(createdAt / 1000) * 1000),',
    ],
    ['forgets when it was revised', 'updatedAt: new Date(updatedAt),', 'updatedAt: new Date(createdAt),'],
    [
      'cuts ids of developers to 64 characters',
      'createdAt: createdAt.getTime(),',
      'createdAt: createdAt.getTime(), developerId: developerId.slice(0, 64),',
    ],
    [
      'cuts ids of categories to 32 characters',
      'createdAt: createdAt.getTime(),',
      'createdAt: createdAt.getTime(), categoryId: categoryId.slice(0, 32),',
    ],
    [
      'cuts titles to 200 code units',
      'createdAt: createdAt.getTime(),',
      'createdAt: createdAt.getTime(), title: title.slice(0, 200),',
    ],
    [
      'composes accents',
      'createdAt: createdAt.getTime(),',
      "createdAt: createdAt.getTime(), title: title.normalize('NFC'),",
    ],
    ['forgets addresses', 'createdAt: createdAt.getTime(),', 'createdAt: createdAt.getTime(), url: null,'],
    [
      'has an empty licence where there is none',
      'createdAt: createdAt.getTime(),',
      "createdAt: createdAt.getTime(), license: license ?? '',",
    ],
    [
      'cuts licences to 100 code units',
      'createdAt: createdAt.getTime(),',
      'createdAt: createdAt.getTime(), license: license?.slice(0, 100) ?? null,',
    ],
    ['keeps prices in 32 bits', 'minorUnits: price.minorUnits,', 'minorUnits: price.minorUnits | 0,'],
  ],
  [HANDLE]: [
    [
      'keeps the date that it was given',
      'createdAt: createdAt.getTime(),',
      'get createdAt() { return createdAt.getTime(); },',
    ],
  ],
});

const plan = mutantsOf('automations', 'domain/add-plan.js', {
  [CONFLICT]: [
    [
      'keeps the idempotency key of a conflict',
      "if (taken.has(automation.id)) return { outcome: 'conflict' };",
      "if (taken.has(automation.id)) { if (name) holderOf.set(name, offer); return { outcome: 'conflict' }; }",
    ],
    ['inserts a conflict', 'if (taken.has(automation.id))', 'if (false)'],
  ],
  [KEY]: [
    [
      'looks for the id before the key',
      'if (holder !== undefined && !isFree',
      "if (taken.has(automation.id)) return { outcome: 'conflict' }; if (holder !== undefined && !isFree",
    ],
    ['lets developers share keys', 'JSON.stringify([developerId, idempotencyKey])', 'JSON.stringify([idempotencyKey])'],
    [
      'runs developer and key together',
      'JSON.stringify([developerId, idempotencyKey])',
      'developerId + idempotencyKey',
    ],
    [
      'cuts keys to 255 characters',
      'JSON.stringify([developerId, idempotencyKey])',
      'JSON.stringify([developerId, idempotencyKey.slice(0, 255)])',
    ],
    [
      'composes accents in ids of developers',
      'JSON.stringify([developerId, idempotencyKey])',
      "JSON.stringify([developerId.normalize('NFC'), idempotencyKey])",
    ],
    [
      'knows keys without their case',
      'JSON.stringify([developerId, idempotencyKey])',
      'JSON.stringify([developerId, idempotencyKey.toLowerCase()])',
    ],
    [
      'returns the later one as the earlier one',
      'return earlier(holder);',
      'return earlier({ ...holder, automation });',
    ],
    [
      'returns the hash of the repeated request',
      'return earlier(holder);',
      'return earlier({ ...holder, requestHash: offer.requestHash });',
    ],
    ['knows no keys within one call', 'if (name !== undefined) holderOf.set(name, offer);', ''],
  ],
  [EXPIRED]: [
    [
      'frees a key one millisecond late',
      'idempotencyKeyUntil.getTime() <= at.getTime()',
      'idempotencyKeyUntil.getTime() < at.getTime()',
    ],
    [
      'frees a key that has no end',
      'idempotencyKeyUntil !== undefined && idempotencyKeyUntil.getTime() <= at.getTime()',
      '(idempotencyKeyUntil?.getTime() ?? 0) <= at.getTime()',
    ],
    [
      'returns an expired one once more',
      'if (holder !== undefined) release(holder);',
      'if (holder !== undefined) { holderOf.delete(name); return earlier(holder); }',
    ],
  ],
});

export const AUTOMATIONS: readonly Mutant[] = [...adds, ...entries, ...plan];
