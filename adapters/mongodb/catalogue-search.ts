import type { Db, Document } from 'mongodb';
import type { CategoryId } from '../../domain/category.js';
import type { ArchivedAutomation, CatalogueSearch, Difference, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { titleTerms, type Term } from '../../domain/search-terms.js';
import { archivedOf, CONTENT } from './automation-documents.js';
import { inTime, READ, reading } from './commands.js';
import { AUTOMATIONS, collectionsOf, type AutomationDocument } from './collections.js';
import { CountedList, type ListState } from './counted-list.js';
import { isIndexMissing, isTooSlow } from './failures.js';
import { Snapshot, withRetries } from './snapshot.js';
import type { MongoStorageSettings } from './schema.js';
import { BY_RULE, BY_WORD, matchConditions, WITHOUT_WORDS, WordIndex } from './words.js';

/** After this time the server gives up a command of a search. */
const SEARCHING = { maxTimeMS: 2_000 };

type Counts = ReadonlyMap<CategoryId, number>;

/** What matches: all in one number, or by category. */
type Counted = Pick<SearchPage, 'total' | 'categoryCounts'>;

/**
 * Finds automations in MongoDB by an index of their words, and by other indexes. All commands of a search read one
 * moment of the store: the first one tells whether every automation has its words at this moment.
 */
export class MongoCatalogueSearch implements CatalogueSearch {
  readonly #index: WordIndex | undefined;

  /**
   * Over a database that `prepareMongo` has prepared. Its client is not closed. With `search: false` it rejects queries
   * with terms.
   */
  constructor(
    private readonly db: Db,
    { search, onError = () => undefined }: MongoStorageSettings = {},
    private readonly counted = new CountedList(db),
  ) {
    if (search !== false) this.#index = new WordIndex(db, onError);
  }

  /** Writes words that are missing, in the background. A search that lacks them does so too. */
  build(): void {
    this.#index?.wake();
  }

  /** Compares the words of every automation with its texts, and returns what differed. */
  async check({ repair }: { readonly repair: boolean }): Promise<readonly Difference[]> {
    return (await this.#index?.check(repair)) ?? [];
  }

  /** Ends the work in the background. */
  async stop(): Promise<void> {
    await this.#index?.stop();
  }

  search(query: SearchQuery): Promise<SearchPage> {
    const work = reading((signal) => withRetries(() => this.#search(query, signal)));
    return inTime(work, () => searchFailure('search-too-slow'));
  }

  async #search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    try {
      const { snapshot, known } = await this.#begin(query, signal);
      const counted = known ?? (await this.#count(query, snapshot, signal));
      return { items: await this.#readPage(query, counted.total, snapshot, signal), ...counted };
    } catch (error) {
      if (isTooSlow(error)) throw searchFailure('search-too-slow', { cause: error });
      throw error;
    }
  }

  /** Chooses the moment. Without a filter that the counts of the list do not know, the count is known from then on. */
  async #begin(query: SearchQuery, signal: AbortSignal) {
    if (query.terms !== undefined) return { snapshot: await this.#whenComplete(signal), known: undefined };
    return this.counted.read((state) => ({
      snapshot: state.snapshot.within(SEARCHING),
      known: isOfList(query) ? knownCounts(query, state) : undefined,
    }));
  }

  /** Returns a moment at which every automation has its words. Writes those of some that lack them. */
  async #whenComplete(signal: AbortSignal): Promise<Snapshot> {
    const index = this.#index;
    if (index === undefined) throw searchFailure('search-off');
    for (let hasWritten = false; ; hasWritten = true) {
      const snapshot = new Snapshot(this.db, SEARCHING);
      if (await this.#isComplete(snapshot, signal)) return snapshot;
      if (hasWritten || !(await index.writeSome())) break;
    }
    index.wake();
    throw searchFailure('search-incomplete');
  }

  async #isComplete(snapshot: Snapshot, signal: AbortSignal): Promise<boolean> {
    const one = { filter: WITHOUT_WORDS, projection: { _id: 1 }, limit: 1, hint: BY_RULE };
    return this.#withIndex(async () => (await snapshot.find(AUTOMATIONS, one, signal)).length === 0);
  }

  async #count(query: SearchQuery, snapshot: Snapshot, signal: AbortSignal): Promise<Counted> {
    const options = { hint: hintOf(query), signal };
    const rows = await this.#withIndex(() =>
      snapshot.aggregate<{ _id?: CategoryId; count: number }>(AUTOMATIONS, countPipeline(query), options),
    );
    if (query.countCategories !== true) return { total: rows[0]?.count ?? 0 };
    return countedOf(query, new Map(rows.map(({ _id, count }) => [_id as CategoryId, count])));
  }

  async #readPage(
    query: SearchQuery,
    total: number,
    snapshot: Snapshot,
    signal: AbortSignal,
  ): Promise<readonly ArchivedAutomation[]> {
    if ((query.page.number - 1) * query.page.limit >= total) return [];
    const hint = (await this.#isDense(query, total)) ? BY_NUMBER : hintOf(query);
    const found = await this.#withIndex(() =>
      snapshot.aggregate<{ seq: number }>(AUTOMATIONS, pagePipeline(query), { hint, signal }),
    );
    const numbers = found.map(({ seq }) => seq);
    const content = { filter: { seq: { $in: numbers } }, projection: CONTENT };
    const documents = await snapshot.find<AutomationDocument>(AUTOMATIONS, content, signal);
    const byNumber = new Map(documents.map((document) => [document.seq, archivedOf(document)]));
    return numbers.flatMap((seq) => byNumber.get(seq) ?? []);
  }

  /** Returns whether the page is found sooner by looking at the newest automations than by sorting all that match. */
  async #isDense({ terms, order, status, page }: SearchQuery, total: number): Promise<boolean> {
    if (terms === undefined || order !== 'newest' || status !== 'on-sale') return false;
    const count = await collectionsOf(this.db).automations.estimatedDocumentCount(READ);
    const lookedAt = (page.number * page.limit * count) / total;
    return lookedAt * COST_OF_LOOK < total;
  }

  async #withIndex<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!isIndexMissing(error)) throw error;
      throw searchFailure('search-incomplete', { cause: error });
    }
  }
}

/** The index of lists. */
const BY_NUMBER = 'list';
/** To look at an automation takes as long as to find so many in the index of words. */
const COST_OF_LOOK = 2;

/** Without the index of words a search would read every automation. */
function hintOf({ terms }: SearchQuery): string | undefined {
  return terms && BY_WORD;
}

function isOfList({ developerId, status, lowestPrice, highestPrice }: SearchQuery): boolean {
  return status === 'on-sale' && (developerId ?? lowestPrice ?? highestPrice) === undefined;
}

function knownCounts(query: SearchQuery, state: ListState): Counted {
  return query.countCategories === true ? countedOf(query, state.totals()) : { total: state.total(query.category) };
}

function countedOf({ category }: SearchQuery, categoryCounts: Counts): Counted {
  const all = Array.from(categoryCounts.values()).reduce((sum, count) => sum + count, 0);
  return { total: category === undefined ? all : (categoryCounts.get(category) ?? 0), categoryCounts };
}

const ORDERS = { newest: { seq: -1 }, price: { price: 1, seq: -1 }, '-price': { price: -1, seq: 1 } } as const;

const STATUSES: Readonly<Record<NonNullable<SearchQuery['status']>, Document>> = {
  'on-sale': { on_sale: true },
  withdrawn: { on_sale: { $exists: false } },
};
/** With a condition on `on_sale`, so that the indexes in which it comes first are of use. */
const ANY_STATUS = { on_sale: { $in: [true, null] } };

/** Returns the filter of what matches. */
function filterOf(query: SearchQuery): Document {
  const { terms, category, developerId, status, order, lowestPrice, highestPrice } = query;
  const isByPrice = lowestPrice !== undefined || order === 'price' || order === '-price';
  const price = {
    ...(isByPrice && { $gte: lowestPrice ?? 0 }),
    ...(highestPrice !== undefined && { $lte: highestPrice }),
  };
  return {
    ...(status === undefined ? ANY_STATUS : STATUSES[status]),
    ...(category !== undefined && { category_id: category }),
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(Object.keys(price).length > 0 && { price }),
    ...(terms !== undefined && { $and: matchConditions(terms) }),
  };
}

/** Returns the pipeline that counts what matches: as one number, or for each category. */
function countPipeline({ category, ...query }: SearchQuery): readonly Document[] {
  if (query.countCategories === true)
    return [{ $match: filterOf(query) }, { $group: { _id: '$category_id', count: { $sum: 1 } } }];
  return [{ $match: filterOf({ ...query, ...(category !== undefined && { category }) }) }, { $count: 'count' }];
}

/** Returns the pipeline that finds the numbers of the automations on the page. */
function pagePipeline(query: SearchQuery): readonly Document[] {
  const { limit, number } = query.page;
  const skip = (number - 1) * limit;
  const filter = filterOf(query);
  return [...ordered(query, filter, skip + limit), { $skip: skip }];
}

/** Finds the first in the order. No more than these pass on, so that none after them is kept. */
function ordered({ order, terms }: SearchQuery, filter: Document, count: number): readonly Document[] {
  const numbers = { $project: { _id: 0, seq: 1 } };
  if (order !== 'best' || terms === undefined)
    return [
      { $match: filter },
      { $sort: order === 'best' ? ORDERS.newest : ORDERS[order] },
      { $limit: count },
      numbers,
    ];
  const ranked = { $project: { seq: 1, rank: rankOf(titleTerms(terms)) } };
  return [{ $match: filter }, ranked, { $sort: { rank: 1, ...ORDERS.newest } }, { $limit: count }, numbers];
}

/** Returns an expression: the place of the first list of which a title has all terms. */
function rankOf(lists: readonly (readonly Term[])[]): Document {
  const branches = lists.map((list, place) => ({ case: { $and: list.map(isInTitle) }, then: place }));
  return { $switch: { branches, default: lists.length } };
}

function isInTitle({ text, isBeginning }: Term): Document {
  if (!isBeginning) return { $in: [text, '$words.title'] };
  const begins = { $eq: [{ $indexOfBytes: ['$$this', text] }, 0] };
  return { $anyElementTrue: { $map: { input: '$words.title', in: begins } } };
}
