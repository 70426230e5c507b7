import type { CategoryId } from '../../domain/category.js';
import { partitionPoint } from './partition-point.js';
import type { CatalogueSearch, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { titleTerms, type SearchTerms } from '../../domain/search-terms.js';
import { indexedText, type IndexedText } from '../../domain/words.js';
import { archivedOf, type Entry } from './entries.js';
import { Shelf } from './shelf.js';
import { WordIndex } from './word-index.js';

/**
 * Finds automations by an index of their words, and by looking at each that is left. The prices of what is on sale are
 * kept in order, so that a list by price alone looks at its page only.
 */
export class InMemoryCatalogueSearch implements CatalogueSearch {
  readonly #texts = new WordIndex();
  readonly #titles = new WordIndex();
  /** Of each automation, by its number. */
  readonly #names: string[] = [];
  readonly #runs: string[] = [];
  readonly #prices: number[] = [];
  readonly #shelves = new Map<number, Shelf>();

  /** Reads the entries of the store. Without `hasWords` it rejects queries with terms. */
  constructor(
    private readonly entries: readonly Entry[],
    private readonly hasWords: boolean,
  ) {}

  /** Notes that the entry was added under this number. */
  insert(number: number, entry: Entry): void {
    if (!entry.withdrawn) this.#shelf(entry.minorUnits).insert(number);
    if (!this.hasWords) return;
    const text = indexedText(entry);
    this.#titles.insert(number, text.title);
    this.#texts.insert(number, wordsOfBoth(text));
    this.#names[number] = text.name;
    this.#runs[number] = text.runs;
  }

  /** Notes that the entry is in the place of another one. */
  replace(number: number, before: Entry, after: Entry): void {
    if (!before.withdrawn) this.#shelf(before.minorUnits).remove(number);
    if (this.hasWords) {
      const text = indexedText(before);
      this.#titles.remove(number, text.title);
      this.#texts.remove(number, wordsOfBoth(text));
    }
    this.insert(number, after);
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    if (query.terms !== undefined && !this.hasWords) throw searchFailure('search-off');
    if (isByPriceAlone(query)) return this.#pageByPrice(query);
    const categoryCounts = new Map<CategoryId, number>();
    const matches: number[] = [];
    const hasTerms = this.#finder(query.terms);
    for (let number = this.entries.length - 1; number >= 0; number -= 1) {
      const entry = this.entries[number] as Entry;
      if (!hasTerms(number) || !isMatch(entry, query)) continue;
      categoryCounts.set(entry.categoryId, (categoryCounts.get(entry.categoryId) ?? 0) + 1);
      if (query.category === undefined || query.category === entry.categoryId) matches.push(number);
    }
    const start = (query.page.number - 1) * query.page.limit;
    return {
      items: this.#items(this.#ordered(matches, query).slice(start, start + query.page.limit)),
      total: matches.length,
      ...(query.countCategories === true && { categoryCounts }),
    };
  }

  #finder(wanted: SearchTerms | undefined): (number: number) => boolean {
    if (wanted === undefined) return () => true;
    const hasTerms = this.#texts.finder(wanted.terms, this.entries.length);
    if (wanted.runs.length === 0) return hasTerms;
    return (number) => hasTerms(number) && wanted.runs.every((run) => this.#runs[number]?.includes(run));
  }

  #ordered(newestFirst: readonly number[], { order, terms }: SearchQuery): readonly number[] {
    const priceOf = (number: number) => (this.entries[number] as Entry).minorUnits;
    if (order === 'newest' || (order === 'best' && terms === undefined)) return newestFirst;
    if (order === 'best') return this.#bestFirst(newestFirst, terms as SearchTerms);
    const byPrice = newestFirst.toSorted((one, other) => priceOf(one) - priceOf(other));
    return order === 'price' ? byPrice : byPrice.reverse();
  }

  /** Names are in no index, since nearly every title has one of its own. */
  #bestFirst(newestFirst: readonly number[], terms: SearchTerms): readonly number[] {
    const [, ...lists] = titleTerms(terms);
    const finders = lists.map((list) => this.#titles.finder(list, this.entries.length));
    const isPlace = [(number: number) => this.#names[number] === terms.name, ...finders, () => true];
    const places = isPlace.map((): number[] => []);
    for (const number of newestFirst) places[isPlace.findIndex((isIn) => isIn(number))]?.push(number);
    return places.flat();
  }

  /** Returns a page of all on sale by their price. It looks at each price, and at the automations of the page. */
  #pageByPrice(query: SearchQuery): SearchPage {
    const { order, page, lowestPrice = 0, highestPrice = Infinity } = query;
    const start = partitionPoint(this.#prices, (price) => price < lowestPrice);
    const end = partitionPoint(this.#prices, (price) => price <= highestPrice);
    const prices = this.#prices.slice(start, end);
    if (order === '-price') prices.reverse();
    const numbers: number[] = [];
    let total = 0;
    for (const shelf of prices.map((price) => this.#shelf(price))) {
      const skip = Math.max(0, (page.number - 1) * page.limit - total);
      const limit = page.limit - numbers.length;
      if (skip < shelf.size && limit > 0)
        numbers.push(...(order === 'price' ? shelf.page(skip, limit) : shelf.slice(skip, limit)));
      total += shelf.size;
    }
    return { items: this.#items(numbers), total };
  }

  #items(numbers: readonly number[]): SearchPage['items'] {
    return numbers.map((number) => archivedOf(this.entries[number] as Entry));
  }

  #shelf(price: number): Shelf {
    const known = this.#shelves.get(price);
    if (known !== undefined) return known;
    const shelf = new Shelf();
    this.#shelves.set(price, shelf);
    this.#prices.splice(
      partitionPoint(this.#prices, (one) => one < price),
      0,
      price,
    );
    return shelf;
  }
}

function wordsOfBoth({ title, description }: IndexedText): ReadonlySet<string> {
  return new Set([...title, ...description]);
}

function isByPriceAlone(query: SearchQuery): boolean {
  const { order, terms, category, platform, developerId, status, countCategories } = query;
  const isByPrice = order === 'price' || order === '-price';
  const isOfAll = (terms ?? category ?? platform ?? developerId) === undefined;
  return isByPrice && isOfAll && status === 'on-sale' && countCategories !== true;
}

function isMatch(entry: Entry, query: SearchQuery): boolean {
  const { platform, developerId, status, lowestPrice = 0, highestPrice = Infinity } = query;
  return (
    (status === undefined || (status === 'withdrawn') === (entry.withdrawn !== undefined)) &&
    (developerId === undefined || developerId === entry.developerId) &&
    (platform === undefined || platform === entry.platform) &&
    entry.minorUnits >= lowestPrice &&
    entry.minorUnits <= highestPrice
  );
}
