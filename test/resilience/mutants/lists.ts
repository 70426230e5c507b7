import { mutantsOf, type Mutant } from './mutant.js';
import * as SENTENCES from './sentences.js';

const { BEHIND, COUNTED, HANDLE, LIST, PAST, REVISION, STORED, TOTAL, UNKNOWN_AFTER, WHOLE, WITHDRAW } = SENTENCES;

const REVISE = 'Stores the changed content and `updatedAt`';
const OTHERWISE = 'Otherwise it changes nothing and returns the stored automation';
const UNKNOWN = 'Returns `unknown` for an id that is unknown or withdrawn';
const REVISED_ONCE = 'When raced, one call returns `revised`';
const FOLLOW = 'Totals and counts follow a change of category at once';

const REPLACE_REVISED = 'this.#replace({ ...entryOf(automation), id, developerId, createdAt });';

const lists = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  [LIST]: [
    [
      'orders by the time',
      'return shelf.page((page.number - 1) * page.limit, page.limit);',
      'return shelf.page(0, 1_000).toSorted((a, b) => this.#entries[b].createdAt - this.#entries[a].createdAt)' +
        '.slice((page.number - 1) * page.limit, page.number * page.limit);',
    ],
    ['lists whole automations', 'items: items.map(summaryOf)', 'items: items.map(automationOf)'],
    ['begins each page one further on', '(page.number - 1) * page.limit', '(page.number - 1) * (page.limit + 1)'],
  ],
  [TOTAL]: [
    [
      'reads the total after the items',
      'return { items: items.map(summaryOf),',
      'await new Promise(setImmediate); return { items: items.map(summaryOf),',
    ],
    ['counts the page only', 'total: shelf.size,', 'total: items.length,'],
    ['counts all, whatever the category', 'total: shelf.size,', "total: this.#shelf(shelfOf('on-sale')).size,"],
  ],
  [PAST]: [
    [
      'lists all for an unknown category',
      'category === undefined ? shelfOf',
      'category === undefined || !this.#categories.has(category) ? shelfOf',
    ],
  ],
  [BEHIND]: [
    [
      'looks for it among what is on sale',
      'const known = this.#numbers.get(page.after);',
      'const known = this.#numbers.get(page.after); ' +
        'if (this.#entries[known]?.withdrawn) return shelf.page(0, page.limit);',
    ],
    [
      'ends behind one that was withdrawn',
      'const known = this.#numbers.get(page.after);',
      'const known = this.#numbers.get(page.after); if (this.#entries[known]?.withdrawn) return [];',
    ],
    [
      'begins with it',
      "shelf.part('newest-first', page.limit, known)",
      "shelf.part('newest-first', page.limit, known + 1)",
    ],
    [
      'leaves one out',
      "shelf.part('newest-first', page.limit, known)",
      "shelf.part('newest-first', page.limit, known - 1)",
    ],
    [
      'knows those of the category alone',
      "return shelf.part('newest-first'",
      'if (!shelf.numbers.includes(known) && !this.#entries[known].withdrawn) return []; ' +
        "return shelf.part('newest-first'",
    ],
    ['reads in the other direction', "shelf.part('newest-first'", "shelf.part('oldest-first'"],
    [
      'reads the rest, whatever the limit',
      "shelf.part('newest-first', page.limit,",
      "shelf.part('newest-first', 1_000,",
    ],
    ['counts what is left', 'total: shelf.size,', "total: 'after' in page ? items.length : shelf.size,"],
  ],
  [UNKNOWN_AFTER]: [
    [
      'is at the end behind an unknown one',
      'if (known === undefined) throw unknownAfter();',
      'if (known === undefined) return [];',
    ],
    [
      'begins again behind an unknown one',
      'if (known === undefined) throw unknownAfter();',
      'if (known === undefined) return shelf.page(0, page.limit);',
    ],
    ['rejects as something else', 'throw unknownAfter();', 'throw new RangeError(page.after);'],
  ],
  [WHOLE]: [
    ['has no automations', 'whole === true && { automations: items.map(automationOf) }', 'false'],
    ['always has them', 'whole === true && {', '{'],
    [
      'has them in the other order',
      'automations: items.map(automationOf)',
      'automations: items.map(automationOf).reverse()',
    ],
    ['has what items have', 'automations: items.map(automationOf)', 'automations: items.map(summaryOf)'],
    [
      'has those of all categories',
      'automations: items.map(automationOf)',
      "automations: this.#at(this.#pageOf(this.#shelf(shelfOf('on-sale')), page)).map(automationOf)",
    ],
  ],
  [COUNTED]: [
    ['counts nothing', 'countCategories === true && { categoryCounts: this.#counts() }', 'false'],
    ['always counts', 'countCategories === true && {', '{'],
    [
      'counts the category of the query alone',
      'categoryCounts: this.#counts()',
      'categoryCounts: category === undefined ? this.#counts() : new Map([[category, shelf.size]])',
    ],
    [
      'counts later than it reads',
      'categoryCounts: this.#counts() }',
      'categoryCounts: (await new Promise(setImmediate), this.#counts()) }',
    ],
    [
      'counts all as one more category',
      'categoryCounts: this.#counts()',
      "categoryCounts: new Map([...this.#counts(), ['', this.#shelf(shelfOf('on-sale')).size]])",
    ],
  ],
  [REVISION]: [
    [
      'has the same revision when something is added',
      'this.#changes += 1; if (name === undefined)',
      'if (name === undefined)',
    ],
    ['has the same revision when something is changed', 'this.#changes += 1; } #entryOf', '} #entryOf'],
    ['has the same revision when something is revised', REPLACE_REVISED, `${REPLACE_REVISED} this.#changes -= 1;`],
    ['has one revision for all states', 'String(this.#changes)', "'1'"],
  ],
});

const revisions = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  'A price in another currency than the recorded one changes nothing': [
    [
      'takes any currency',
      "if (automation.price.currency !== currency) return { outcome: 'other-currency', currency };",
      '',
    ],
  ],
  [REVISE]: [
    [
      'forgets the new price',
      REPLACE_REVISED,
      'this.#replace({ ...entryOf(automation), id, developerId, createdAt, minorUnits: entry.minorUnits });',
    ],
    [
      'forgets the new time',
      REPLACE_REVISED,
      'this.#replace({ ...entryOf(automation), id, developerId, createdAt, updatedAt: entry.updatedAt });',
    ],
    [
      'keeps an address that was removed',
      REPLACE_REVISED,
      'this.#replace({ ...entryOf(automation), id, developerId, createdAt, url: automation.url ?? entry.url });',
    ],
    [
      'forgets the new licence',
      REPLACE_REVISED,
      'this.#replace({ ...entryOf(automation), id, developerId, createdAt, license: entry.license });',
    ],
    ['keeps what was there', 'this.#entries[number] = entry;', 'if (entry.withdrawn) this.#entries[number] = entry;'],
  ],
  [OTHERWISE]: [
    ['stores what is based on another state', 'if (entry.updatedAt !== basedOn.getTime())', 'if (false)'],
    [
      'compares to two milliseconds',
      'entry.updatedAt !== basedOn.getTime()',
      'Math.abs(entry.updatedAt - basedOn.getTime()) > 1',
    ],
    [
      'returns what was sent',
      "outcome: 'conflict', automation: automationOf(entry)",
      "outcome: 'conflict', automation",
    ],
  ],
  [UNKNOWN]: [
    [
      'revises what was withdrawn',
      "entry === undefined || entry.withdrawn) return { outcome: 'unknown' };",
      "entry === undefined) return { outcome: 'unknown' };",
    ],
    [
      'adds what is unknown',
      "if (entry === undefined || entry.withdrawn) return { outcome: 'unknown' };",
      'if (entry === undefined) { this.#insert({ automation }); ' +
        "return { outcome: 'unknown' }; } if (entry.withdrawn) return { outcome: 'unknown' };",
    ],
  ],
  [REVISED_ONCE]: [['waits between looking and revising', REPLACE_REVISED, `await undefined; ${REPLACE_REVISED}`]],
  [FOLLOW]: [
    ['leaves it in its old category', 'if (!after.includes(shelf))', 'if (entry.withdrawn && !after.includes(shelf))'],
    ['does not count a category that a revision made', 'this.#categories.add(entry.categoryId);', ''],
  ],
});

const shelf = mutantsOf('automations', 'adapters/in-memory/shelf.js', {
  [LIST]: [['lists oldest first', 'end)).reverse()', 'end))']],
  [TOTAL]: [['leaves one out of each page', 'Math.max(0, end - limit)', 'Math.max(0, end - limit + 1)']],
  [PAST]: [
    [
      'repeats the last page past the end',
      'const end = Math.max(0, this.#size - skip);',
      'const end = Math.max(Math.min(limit, this.#size), this.#size - skip);',
    ],
  ],
  [WITHDRAW]: [
    ['leaves it in its category', 'return withdrawn ? names :', 'return'],
    [
      'takes away the next one',
      'copyWithin(index, index + 1, this.#size)',
      'copyWithin(index + 1, index + 2, this.#size)',
    ],
  ],
  [REVISE]: [
    [
      'puts what comes from another category on top',
      'const index = this.#countBelow(number); this.#numbers.copyWithin(index + 1, index, this.#size);',
      'const index = this.#size;',
    ],
  ],
});

const pageCache = mutantsOf('cached pages', 'adapters/storage/page-cache.js', {
  [STORED]: [['keeps a page for ever', 'page?.revision === revision ? page : undefined', 'page']],
  [LIST]: [
    ['takes one category for another', "category ?? ''", "''"],
    ['takes one page for another', '`${page.number} ', '`'],
  ],
  [TOTAL]: [['takes one limit for another', ' ${page.limit} ', ' ']],
  [WHOLE]: [['keeps whole pages', '&& query.whole !== true', '']],
  [COUNTED]: [['keeps pages with counts', '&& query.countCategories !== true', '']],
  [BEHIND]: [['keeps pages behind one', "!('after' in query.page) &&", '']],
  [HANDLE]: [['returns a page that can be changed', 'items: Object.freeze(items.map(frozen)),', 'items,']],
});

export const LISTS: readonly Mutant[] = [...lists, ...revisions, ...shelf, ...pageCache];
