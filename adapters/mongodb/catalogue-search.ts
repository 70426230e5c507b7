import type { Db, Document } from 'mongodb';
import type { CategoryId } from '../../domain/category.js';
import type { ArchivedAutomation, CatalogueSearch, Difference, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { titleTerms, type Term } from '../../domain/search-terms.js';
import { archivedOf, CONTENT, type AutomationDocument } from './automation-documents.js';
import { AUTOMATIONS, collectionsOf } from './collections.js';
import { READ, reading } from './commands.js';
import { CountedList, type ListState } from './counted-list.js';
import { isIndexMissing, isTooSlow } from './failures.js';
import type { MongoStorageSettings } from './schema.js';
import { Snapshot } from './snapshot.js';
import { BY_RULE, BY_WORD, matchConditions, WITHOUT_WORDS, WordIndex } from './words.js';

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
    return reading(
      (signal) => this.#search(query, signal),
      () => searchFailure('search-too-slow'),
    );
  }

  async #search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    try {
      const { snapshot, known } = await this.#begin(query, signal);
      const counted = known ?? (await this.#count(query, snapshot, signal));
      return { items: await this.#readPage(query, counted.total, snapshot, signal), ...counted };
    } catch (error) {
      if (isTooSlow(error)) throw searchFailure('search-too-slow', { cause: error });
      if (isIndexMissing(error)) throw searchFailure('search-incomplete', { cause: error });
      throw error;
    }
  }

  /** Chooses the moment. Without a filter that the counts of the list do not know, the count is known from then on. */
  async #begin(query: SearchQuery, signal: AbortSignal) {
    if (query.terms !== undefined) return { snapshot: await this.#whenComplete(signal), known: undefined };
    return this.counted.read(({ snapshot, counts }) => ({
      snapshot,
      known: isOfList(query) ? knownCounts(query, counts) : undefined,
    }));
  }

  /** Returns a moment at which every automation has its words. Writes those of some that lack them. */
  async #whenComplete(signal: AbortSignal): Promise<Snapshot> {
    const index = this.#index;
    if (index === undefined) throw searchFailure('search-off');
    const one = { filter: WITHOUT_WORDS, projection: { _id: 1 }, limit: 1, hint: BY_RULE };
    for (let hasWritten = false; ; hasWritten = true) {
      const snapshot = new Snapshot(this.db);
      if ((await snapshot.find(AUTOMATIONS, one, signal)).length === 0) return snapshot;
      if (hasWritten || !(await index.writeSome())) break;
    }
    index.wake();
    throw searchFailure('search-incomplete');
  }

  async #count(query: SearchQuery, snapshot: Snapshot, signal: AbortSignal): Promise<Counted> {
    const options = { hint: hintOf(query), signal };
    type Row = { readonly _id?: CategoryId; readonly count: number };
    const rows = await snapshot.aggregate<Row>(AUTOMATIONS, countPipeline(query), options);
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
    const found = await snapshot.aggregate<{ seq: number }>(AUTOMATIONS, pagePipeline(query), { hint, signal });
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
}

/** The index of lists. */
const BY_NUMBER = 'list';
const BY_PLATFORM = 'platform';
/** To look at an automation takes as long as to find this number in the index of words. */
const COST_OF_LOOK = 2;

/** Without these a search may read every automation. */
function hintOf({ terms, platform, developerId }: SearchQuery): string | undefined {
  if (terms !== undefined) return BY_WORD;
  return platform !== undefined && developerId === undefined ? BY_PLATFORM : undefined;
}

function isOfList({ platform, developerId, status, lowestPrice, highestPrice }: SearchQuery): boolean {
  return status === 'on-sale' && (platform ?? developerId ?? lowestPrice ?? highestPrice) === undefined;
}

function knownCounts(query: SearchQuery, counts: ListState['counts']): Counted {
  return query.countCategories === true ? countedOf(query, counts.totals()) : { total: counts.total(query.category) };
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
  const { terms, category, platform, developerId, status, order, lowestPrice, highestPrice } = query;
  const isByPrice = lowestPrice !== undefined || order === 'price' || order === '-price';
  const price = {
    ...(isByPrice && { $gte: lowestPrice ?? 0 }),
    ...(highestPrice !== undefined && { $lte: highestPrice }),
  };
  return {
    ...(status === undefined ? ANY_STATUS : STATUSES[status]),
    ...(category !== undefined && { category_id: category }),
    ...(platform !== undefined && { 'file.platform': platform }),
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(Object.keys(price).length > 0 && { price }),
    ...(terms !== undefined && { $and: matchConditions(terms) }),
  };
}

/** Returns the pipeline that counts what matches: as one number, or for each category. */
function countPipeline(query: SearchQuery): readonly Document[] {
  if (query.countCategories !== true) return [{ $match: filterOf(query) }, { $count: 'count' }];
  const inAny = filterOf({ ...query, category: undefined });
  return [{ $match: inAny }, { $group: { _id: '$category_id', count: { $sum: 1 } } }];
}

/** Returns the pipeline that finds the numbers of the automations on the page, and keeps none after them. */
function pagePipeline(query: SearchQuery): readonly Document[] {
  const { order, terms, page } = query;
  const isRanked = order === 'best' && terms !== undefined;
  const sort = order === 'price' || order === '-price' ? ORDERS[order] : ORDERS.newest;
  return [
    { $match: filterOf(query) },
    ...(isRanked ? [{ $project: { seq: 1, rank: rankOf(titleTerms(terms)) } }] : []),
    { $sort: isRanked ? { rank: 1, ...sort } : sort },
    { $limit: page.number * page.limit },
    { $project: { _id: 0, seq: 1 } },
    { $skip: (page.number - 1) * page.limit },
  ];
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
