import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, PAST } from './sentences.js';

const MATCH = 'Returns one page of the automations that match, in the order that was asked for';
const COUNTS = 'The counts of categories ignore the category of the query';
const SEEN = 'What was stored, revised or withdrawn before the call began is seen';
const ONE_STATE = 'Items, total and counts show one state of the store';

const BY_PRICE = 'newestFirst.toSorted((one, other) => priceOf(one) - priceOf(other));';
const WORDS = 'Words are those of `domain/words.ts`';
const COUNT = 'categoryCounts.set(entry.categoryId, (categoryCounts.get(entry.categoryId) ?? 0) + 1);';
const ON_SALE = 'this.entries.filter((entry) => entry.withdrawn === undefined).length';

const search = mutantsOf('search', 'adapters/in-memory/catalogue-search.js', {
  [MATCH]: [
    ['ignores the status', "(status === undefined || (status === 'withdrawn') ===", '(true ||'],
    ['ignores the platform', '(platform === undefined || platform === entry.platform) &&', ''],
    [
      'ignores the platform by price',
      '(terms ?? category ?? platform ?? developerId)',
      '(terms ?? category ?? developerId)',
    ],
    ['ignores the developer', '(developerId === undefined || developerId === entry.developerId) &&', ''],
    [
      'takes 0 for no highest price',
      'page, lowestPrice = 0, highestPrice = Infinity } = query',
      'page, lowestPrice = 0, highestPrice = Infinity } = { ...query, highestPrice: query.highestPrice || undefined }',
    ],
    ['leaves out what costs the highest price', 'entry.minorUnits <= highestPrice', 'entry.minorUnits < highestPrice'],
    ['leaves out what costs the lowest price', 'entry.minorUnits >= lowestPrice', 'entry.minorUnits > lowestPrice'],
    ['lists equal prices oldest first', BY_PRICE, BY_PRICE.replace('newestFirst', 'newestFirst.toReversed()')],
    [
      'lists equal prices newest first in both orders',
      'byPrice.reverse()',
      'newestFirst.toSorted((one, other) => priceOf(other) - priceOf(one))',
    ],
    ['lists the best as the newest', 'return this.#bestFirst(newestFirst, terms)', 'return newestFirst'],
    ['lists the best without the others', 'return places.flat()', 'return places.slice(0, 3).flat()'],
    ['does not list the title that is the search first', 'this.#names[number] === terms.name', 'false'],
    ['lists whole words with beginnings', 'const [, ...lists] =', 'const [, , ...lists] ='],
    ['lists beginnings in the title with the others', '...finders, () => true', '...finders.slice(0, 1), () => true'],
    ['looks at the titles alone', 'new Set([...title, ...description])', 'new Set(title)'],
    ['forgets the lowest price where it lists by price', '(price) => price < lowestPrice', '() => false'],
    ['finds 100 at most', 'total: matches.length', 'total: Math.min(100, matches.length)'],
  ],
  [WORDS]: [
    ['finds the pairs of a run anywhere', 'if (wanted.runs.length === 0)', 'if (true)'],
    ['looks for the first run alone', 'wanted.runs.every(', 'wanted.runs.slice(0, 1).every('],
  ],
  [PAST]: [
    ['has no total past the end', 'total: matches.length', 'total: start < matches.length ? matches.length : 0'],
    [
      'has no total past the end by price',
      'items: this.#items(numbers), total }',
      'items: this.#items(numbers), total: numbers.length && total }',
    ],
  ],
  [COUNTS]: [
    [
      'counts the category of the query',
      COUNT,
      `if ((query.category ?? entry.categoryId) === entry.categoryId) ${COUNT}`,
    ],
    ['counts when not asked', '...(query.countCategories === true && { categoryCounts })', 'categoryCounts'],
  ],
  [SEEN]: [
    ['finds by words that were replaced', 'this.#texts.remove(number, wordsOfBoth(text));', ''],
    ['keeps the price from before', 'this.#shelf(before.minorUnits).remove(number);', ';'],
  ],
  [ONE_STATE]: [
    ['counts later than it lists', 'total: matches.length', `total: (await new Promise(setImmediate), ${ON_SALE})`],
  ],
  [HANDLE]: [
    [
      'returns what it has returned before',
      'archivedOf(this.entries[number])',
      '(this.entries[number].out ??= archivedOf(this.entries[number]))',
    ],
  ],
});

const words = mutantsOf('search', 'adapters/in-memory/word-index.js', {
  [MATCH]: [
    ['takes the last term for a whole word', 'if (!isBeginning)', 'if (true)'],
    ['takes each term for a beginning', 'if (!isBeginning)', 'if (false)'],
    ['finds what has any of the terms', 'termsFound[number] === terms.length', 'termsFound[number] > 0'],
    [
      'finds nothing by the last term alone',
      'termsFound[number] === terms.length',
      'terms.length > 1 && termsFound[number] === terms.length',
    ],
  ],
  [SEEN]: [
    [
      'finds no word that comes later',
      'this.#shelf(word).insert(number)',
      'number < 8 && this.#shelf(word).insert(number)',
    ],
  ],
});

export const SEARCH: readonly Mutant[] = [...search, ...words];
