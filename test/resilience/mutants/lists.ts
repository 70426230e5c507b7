import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, LIST, PAST, REVISION, STORED, TOTAL, WITHDRAW } from './sentences.js';

const REVISE = 'Stores the changed title, description, price, category';
const OTHERWISE = 'Otherwise it changes nothing and returns the stored automation';
const UNKNOWN = 'Returns `unknown` for an id that is unknown or withdrawn';
const REVISED_ONCE = 'When raced, one call returns `revised`';
const FOLLOW = 'Totals and counts follow a change of category at once';

const REPLACE_REVISED = 'this.#replace({ ...entryOf(automation), id, developerId, createdAt });';

const lists = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  [LIST]: [
    [
      'orders by the time',
      'this.#at(shelf.page((page.number - 1) * page.limit, page.limit));',
      'this.#at(shelf.page(0, 1_000)).toSorted((a, b) => b.createdAt - a.createdAt)' +
        '.slice((page.number - 1) * page.limit, page.number * page.limit);',
    ],
    ['lists whole automations', 'items.map(summaryOf)', 'items.map(automationOf)'],
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
  [HANDLE]: [['returns a page that can be changed', 'items: Object.freeze(items.map(frozen)),', 'items,']],
});

export const LISTS: readonly Mutant[] = [...lists, ...revisions, ...shelf, ...pageCache];
