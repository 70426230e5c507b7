import { mutantsOf, type Mutant } from './mutant.js';

const ADD = 'Stores the offers, 500 at most, one after the other';
const OVERLAP = 'Calls that overlap have the outcome of some order of them';
const STORED = 'What is `stored` is durable and is seen by every';
const CONFLICT = 'An id that is taken is a `conflict`';
const UNAVAILABLE = 'When it rejects as `unavailable`, none of the offers was stored';
const KEY = 'An idempotency key that the same developer has used';
const EXPIRED = 'A key whose `idempotencyKeyUntil` is not after';
const FIND = 'Returns the automation, field for field as it was added';
const LIST = 'Returns one page, newest first';
const TOTAL = 'The total counts exactly the automations that match';
const PAST = 'A page past the end is empty and has the true total';
const REVISION = 'Two pages of the same query with the same `revision`';
const OWN = "Returns a developer's own automations on sale, newest first";
const BEFORE = 'With `before`, those that come after that automation';
const OLDEST = 'Returns all automations on sale, oldest first';
const AFTER = 'With `after`, those that come after that automation';
const COUNT = 'Counts the automations on sale in each category';
const WITHDRAW = 'Takes an automation off the market for good';
const WHETHER = 'Returns `already-withdrawn` for one that is withdrawn';
const RACED = 'When raced, one call returns `withdrawn`';
const REASONS = 'Returns the reason for each of these ids';
const FREE = 'Frees every idempotency key';
const HANDLE = 'Values that go in and come out are copies';

const REJECTS_STORED = `const outcomes = offers.map((offer) => this.#addOne(offer));
  if (offers.length === 2 && this.#entries.size % 14 === 0) throw Object.assign(new Error(), { kind: 'unavailable' });
  return outcomes;`;

const CHECKS_FIRST = `const before = new Set(this.#entries.keys());
  await undefined;
  for (const { automation } of offers) if (!before.has(automation.id)) this.#entries.delete(automation.id);
  return offers.map((offer) => this.#addOne(offer));`;

const repository = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  [ADD]: [
    [
      'answers backwards',
      'return offers.map((offer) => this.#addOne(offer));',
      'return offers.map((offer) => this.#addOne(offer)).reverse();',
    ],
    [
      'takes the first 200 of a call',
      'return offers.map((offer) => this.#addOne(offer));',
      'return offers.slice(0, 200).map((offer) => this.#addOne(offer));',
    ],
    [
      'stores the last one first',
      'return offers.map((offer) => this.#addOne(offer));',
      'return offers.toReversed().map((offer) => this.#addOne(offer)).reverse();',
    ],
  ],
  [STORED]: [
    [
      'answers before it stores',
      "return { outcome: 'stored' };",
      "this.#onSale.pop(); setTimeout(() => this.#onSale.push(entry)); return { outcome: 'stored' };",
    ],
  ],
  [CONFLICT]: [
    [
      'gives the id of a withdrawn one again',
      'if (this.#entries.has(automation.id))',
      'if (this.#entries.get(automation.id)?.withdrawn === false)',
    ],
    ['overwrites what has the id', 'if (this.#entries.has(automation.id))', 'if (false)'],
    [
      'keeps the idempotency key of a conflict',
      "return { outcome: 'conflict' };",
      '{ if (name) this.#lend(name, idempotencyKeyUntil, this.#entries.get(automation.id)); ' +
        "return { outcome: 'conflict' }; }",
    ],
    [
      'frees an expired key for a conflict',
      'if (this.#entries.has(automation.id))',
      'if (earlier) this.#free(earlier); if (this.#entries.has(automation.id))',
    ],
    ['looks for ids before it waits', 'return offers.map((offer) => this.#addOne(offer));', CHECKS_FIRST],
  ],
  [UNAVAILABLE]: [['rejects what it has stored', 'return offers.map((offer) => this.#addOne(offer));', REJECTS_STORED]],
  [KEY]: [
    [
      'looks for the id before the key',
      'if (earlier && !hasExpired(',
      "if (earlier && this.#entries.has(automation.id)) return { outcome: 'conflict' }; if (earlier && !hasExpired(",
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
    ['answers the earlier one by the later one', 'automation: automationOf(earlier) }', 'automation }'],
    ['forgets the key of what is withdrawn', 'entry.withdrawn = true;', 'entry.withdrawn = true; this.#free(entry);'],
    [
      'knows keys within one call only',
      'return offers.map((offer) => this.#addOne(offer));',
      'this.#keyed.clear(); return offers.map((offer) => this.#addOne(offer));',
    ],
  ],
  [EXPIRED]: [
    [
      'frees a key one millisecond late',
      'idempotencyKey.until <= asOf.getTime()',
      'idempotencyKey.until < asOf.getTime()',
    ],
    [
      'frees a key that has no end',
      'idempotencyKey?.until !== undefined && idempotencyKey.until <= asOf.getTime()',
      '(idempotencyKey?.until ?? 0) <= asOf.getTime()',
    ],
    ['forgets when a key is free again', 'until: until?.getTime()', 'until: undefined'],
    [
      'lets an expired key answer once more',
      'if (earlier) this.#free(earlier);',
      "if (earlier) { this.#free(earlier); return { outcome: 'earlier', automation: automationOf(earlier) }; }",
    ],
  ],
  [FIND]: [
    ['finds what was withdrawn', 'entry && !entry.withdrawn ? automationOf', 'entry ? automationOf'],
    [
      'cuts times to seconds',
      'createdAt: new Date(createdAt) });',
      'createdAt: new Date(Math.trunc(createdAt / 1000) * 1000) });',
    ],
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
      'composes accents',
      'return Object.freeze({ id, title, description, price,',
      "return Object.freeze({ id, title: title.normalize('NFC'), description, price,",
    ],
    [
      'rounds prices to whole units',
      'const { minorUnits, currency } = price;',
      'const { currency } = price; const minorUnits = Math.round(price.minorUnits / 100) * 100;',
    ],
    [
      'tells the idempotency key',
      'entry && !entry.withdrawn ? automationOf(entry)',
      'entry && !entry.withdrawn ? { ...automationOf(entry), idempotencyKey: entry.idempotencyKey?.name }',
    ],
  ],
  [LIST]: [
    [
      'orders by the time',
      'lastOf(entries, entries.length',
      'lastOf(entries.toSorted((a, b) => a.createdAt - b.createdAt), entries.length',
    ],
    ['lists whole automations', 'items.map(summaryOf)', 'items.map(automationOf)'],
    [
      'begins each page one further on',
      'entries.length - (page.number - 1) * page.limit',
      'entries.length - (page.number - 1) * (page.limit + 1)',
    ],
  ],
  [TOTAL]: [
    [
      'counts what is being withdrawn',
      'for (const entries of this.#placesOf(entry)) remove(entry, entries);',
      'for (const entries of this.#placesOf(entry)) { remove(entry, entries); entries.length += 1; } await new ' +
        'Promise(setImmediate); for (const entries of this.#placesOf(entry)) entries.length -= 1;',
    ],
    ['counts the page only', 'total: entries.length,', 'total: items.length,'],
    ['counts all, whatever the category', 'total: entries.length,', 'total: this.#onSale.length,'],
  ],
  [PAST]: [
    [
      'repeats the last page past the end',
      'entries.length - (page.number - 1) * page.limit',
      'Math.max(page.limit, entries.length - (page.number - 1) * page.limit)',
    ],
    [
      'lists all for an unknown category',
      'this.#onSaleIn.get(category) ?? []',
      'this.#onSaleIn.get(category) ?? this.#onSale',
    ],
  ],
  [REVISION]: [
    ['has the same revision when something is added', 'this.#changes += 1; this.#entries.set(', 'this.#entries.set('],
    ['has the same revision when something is withdrawn', 'this.#changes += 1; for', 'for'],
    ['has one revision for all states', 'String(this.#changes)', "'1'"],
  ],
  [OWN]: [
    ["lists everybody's as one's own", 'this.#onSaleOf.get(developerId) ?? []', 'this.#onSale'],
    ['lists one too many', 'lastOf(entries, end, limit).map', 'lastOf(entries, end, limit + 1).map'],
    ['lists 100 at most', 'lastOf(entries, end, limit).map', 'lastOf(entries, end, Math.min(limit, 100)).map'],
  ],
  [BEFORE]: [
    ['begins with the one before', 'number < before.number', 'number <= before.number'],
    ["takes another developer's for one's own", 'before?.developerId !== developerId', 'before === undefined'],
    ['starts again with the newest behind an unknown one', 'return 0;', 'return entries.length;'],
    [
      'does not know a withdrawn one',
      'const before = this.#entries.get(id);',
      'const before = this.#entries.get(id)?.withdrawn ? undefined : this.#entries.get(id);',
    ],
  ],
  [OLDEST]: [
    [
      'lists newest first',
      'this.#onSale.slice(start, start + limit).map',
      'this.#onSale.slice(start, start + limit).reverse().map',
    ],
    [
      'stops short of the limit',
      'this.#onSale.slice(start, start + limit).map',
      'this.#onSale.slice(start, start + Math.min(limit, 5)).map',
    ],
    [
      'lists 100 at most, from the oldest on',
      'this.#onSale.slice(start, start + limit).map',
      'this.#onSale.slice(start, start + Math.min(limit, 100)).map',
    ],
    [
      'lists what was withdrawn',
      'this.#onSale.slice(start, start + limit).map',
      'Array.from(this.#entries.values()).slice(start, start + limit).map',
    ],
  ],
  [AFTER]: [
    ['begins with the one that is known', 'number <= known', 'number < known'],
    [
      'starts again with the oldest behind an unknown one',
      'if (known === undefined) return [];',
      'if (known === undefined) return this.listOldestFirst({ limit });',
    ],
    [
      'does not know a withdrawn one, from the oldest on',
      'this.#entries.get(after)?.number',
      'this.#onSale.find((entry) => entry.id === after)?.number',
    ],
  ],
  [COUNT]: [
    ['counts one too many', '[category, entries.length]', '[category, entries.length + 1]'],
    [
      'counts 200 categories at most',
      'Array.from(this.#onSaleIn, (',
      'Array.from([...this.#onSaleIn].slice(0, 200), (',
    ],
    [
      'leaves a category of one out',
      '[category, entries.length]',
      '[category, entries.length === 1 ? 0 : entries.length]',
    ],
  ],
  [WITHDRAW]: [
    [
      'counts what was withdrawn',
      'total: entries.length,',
      'total: category === undefined ? this.#entries.size : entries.length,',
    ],
    ['takes away the next one', 'number < entry.number', 'number <= entry.number'],
    [
      'leaves it in its category',
      'for (const entries of this.#placesOf(entry)) remove',
      'for (const entries of this.#placesOf(entry).filter((_, place) => place !== 1)) remove',
    ],
    [
      'frees its key',
      'for (const entries of this.#placesOf(entry)) remove',
      'this.#free(entry); for (const entries of this.#placesOf(entry)) remove',
    ],
  ],
  [WHETHER]: [
    ['withdraws twice', 'if (entry.withdrawn)', 'if (false)'],
    ['does not tell withdrawn from unknown', "return 'already-withdrawn';", "return 'unknown';"],
    [
      "tells another developer's as withdrawn",
      '(developerId !== undefined && developerId !== entry.developerId)',
      '(!entry.withdrawn && developerId !== undefined && developerId !== entry.developerId)',
    ],
    ["withdraws another developer's", 'developerId !== undefined && developerId !== entry.developerId', 'false'],
    [
      'withdraws for the operator only',
      'developerId !== undefined && developerId !== entry.developerId',
      'developerId !== undefined',
    ],
  ],
  [RACED]: [
    ['waits between looking and withdrawing', 'entry.withdrawn = true;', 'await undefined; entry.withdrawn = true;'],
  ],
  [REASONS]: [
    [
      'takes an empty reason for none',
      'if (reason !== undefined) entry.reason = reason;',
      'if (reason) entry.reason = reason;',
    ],
    ['forgets the reason', 'if (reason !== undefined) entry.reason = reason;', ''],
    [
      'tells an empty reason where there is none',
      'if (reason !== undefined) entry.reason = reason;',
      "entry.reason = reason ?? '';",
    ],
    ['tells the reasons of all', 'for (const id of ids)', 'for (const id of this.#entries.keys())'],
    [
      'takes the last reason',
      'if (entry.withdrawn)',
      'if (entry.withdrawn) entry.reason = reason; if (entry.withdrawn)',
    ],
  ],
  [OVERLAP]: [
    [
      'frees a key that was used meanwhile',
      'for (const entry of expired) this.#free(entry);',
      'await undefined; for (const { idempotencyKey, developerId } of expired) for (const [name, entry] of ' +
        'this.#keyed) if (entry.idempotencyKey.value === idempotencyKey.value) this.#keyed.delete(name);',
    ],
  ],
  [FREE]: [
    ['answers how many are left', 'return expired.length;', 'return this.#keyed.size;'],
    [
      'frees 1,000 at most',
      'filter((entry) => hasExpired(entry, asOf))',
      'filter((entry) => hasExpired(entry, asOf)).slice(0, 1_000)',
    ],
    ['counts but does not free', 'for (const entry of expired) this.#free(entry);', ''],
    [
      'frees what has not expired',
      'filter((entry) => hasExpired(entry, asOf))',
      'filter((entry) => entry.idempotencyKey.until !== undefined)',
    ],
    [
      'withdraws what it frees',
      'for (const entry of expired) this.#free(entry);',
      'for (const entry of expired) { this.#free(entry); entry.withdrawn = true; }',
    ],
  ],
  [HANDLE]: [
    [
      'keeps the date that it was given',
      'createdAt: createdAt.getTime(),',
      'get createdAt() { return createdAt.getTime(); },',
    ],
    [
      'hands out what it has handed out before',
      'automationOf(entry) : undefined',
      '(entry.out ??= automationOf(entry)) : undefined',
    ],
    [
      'hands out the earlier one again',
      'automation: automationOf(earlier) }',
      'automation: (earlier.out ??= automationOf(earlier)) }',
    ],
  ],
  'Values that `listOf` returns are copies': [
    [
      'hands out what it has handed out before, in parts',
      'lastOf(entries, end, limit).map(automationOf)',
      'lastOf(entries, end, limit).map((entry) => (entry.out ??= automationOf(entry)))',
    ],
  ],
  'Values that `listOldestFirst` returns are copies': [
    [
      'hands out what it has handed out before, in parts from the oldest on',
      'this.#onSale.slice(start, start + limit).map(automationOf)',
      'this.#onSale.slice(start, start + limit).map((entry) => (entry.out ??= automationOf(entry)))',
    ],
  ],
});

const slices = mutantsOf('automations', 'adapters/in-memory/slices.js', {
  [LIST]: [['turns nothing round', 'Math.max(0, end)).reverse()', 'Math.max(0, end))']],
  [TOTAL]: [['leaves one out of each page', 'Math.max(0, end - limit)', 'Math.max(0, end - limit + 1)']],
});

const pageCache = mutantsOf('numbered automations', 'adapters/storage/page-cache.js', {
  [STORED]: [['keeps a page for ever', 'page?.revision === revision ? page : undefined', 'page']],
  [LIST]: [
    ['takes one category for another', '`${page.number} ${page.limit} ${category}`', '`${page.number} ${page.limit}`'],
    ['takes one page for another', '`${page.number} ${page.limit} ${category}`', '`${page.limit} ${category}`'],
  ],
  [TOTAL]: [
    ['takes one limit for another', '`${page.number} ${page.limit} ${category}`', '`${page.number} ${category}`'],
  ],
  [HANDLE]: [['hands out a page that can be changed', 'items: Object.freeze(items.map(frozen)),', 'items,']],
});

const numbering = mutantsOf('numbered automations', 'domain/numbering.js', {
  [TOTAL]: [['gives each page one more', 'newest - page.limit + 1', 'newest - page.limit']],
  [PAST]: [
    [
      'has a page past the end',
      'if (newest < 1) return undefined;',
      'if (newest < 1) return rangeOf({ ...page, number: 1 }, numbering);',
    ],
  ],
  [WITHDRAW]: [
    [
      'counts the numbers of what was withdrawn',
      'return numbering.highest - numbering.withdrawn.length;',
      'return numbering.highest;',
    ],
    ['skips one number for all that are withdrawn', 'value - before - 1 < nth', 'value < nth'],
  ],
});

export const AUTOMATIONS: readonly Mutant[] = [...repository, ...slices, ...pageCache, ...numbering];
