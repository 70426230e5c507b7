import { LRUCache } from 'lru-cache';
import type { CategoryId } from '../../domain/category.js';
import type { ArchivedAutomation, SearchPage, SearchQuery } from '../../domain/ports.js';
import { searchFailure } from '../../domain/search-failure.js';
import { matchesTerms, WORD_RULE_VERSION, wordsOf, type SearchTerms } from '../../domain/search-terms.js';
import { archivedOf, ARCHIVED_COLUMNS, type ArchivedRow } from './automation-row.js';
import { firstRow, prepareRows, type Preparer, type Reader } from './connection.js';
import { SqliteCounts } from './counts.js';
import { matchOf, SearchRows, type Match, type Slice, type WordMatch } from './search-rows.js';

/** The rule by which the words of an index were made. */
export const WORD_RULE = `${WORD_RULE_VERSION} ${process.versions.unicode}`;

/** The most automations that a search compares by itself, since the index has not got them yet. */
export const MAX_UNINDEXED = 4_096;

/** An automation that waits for the index. All else is null when it is deleted. */
interface WaitingRow extends ArchivedRow {
  readonly number: number;
  readonly stale: number | null;
}

/** Where the rows of a page come from: the index, and the automations that it has not got yet. */
interface Part {
  readonly match: WordMatch | undefined;
  readonly unindexed: readonly ArchivedRow[];
}

export type Searches = ReturnType<typeof searchesOf>;

/** Prepares the searches over a connection. Each sees one state of the store, in a transaction. */
export function searchesOf(reader: Reader) {
  const rows = new SearchRows(reader);
  const counts = new SqliteCounts(reader);
  const unindexed = unindexedReader(reader);
  const find = prepareRows<ArchivedRow>(
    reader,
    ARCHIVED_COLUMNS,
    `FROM (SELECT key AS place, value AS number FROM json_each(?)) CROSS JOIN automations ON seq = number
     ORDER BY place`,
  );

  function search(query: SearchQuery): SearchPage {
    const parts = query.terms === undefined ? [{ match: undefined, unindexed: [] }] : partsOf(query, query.terms);
    const totals = parts.map((part) => totalOf(query, part));
    const found: Match[] = [];
    let offset = (query.page.number - 1) * query.page.limit;
    for (const [index, part] of parts.entries()) {
      const total = totals[index] ?? 0;
      found.push(...slice(query, part, total, [Math.max(0, offset), query.page.limit - found.length]));
      offset -= total;
    }
    return {
      items: itemsOf(found),
      total: totals.reduce((sum, total) => sum + total, 0),
      ...(query.countCategories === true && { categoryCounts: categoriesOf(query) }),
    };
  }

  /** With the order `best` first those whose title alone has all terms, then the others. */
  function partsOf(query: SearchQuery, terms: SearchTerms): readonly Part[] {
    const waiting = unindexed();
    const hasStale = waiting.some(({ stale }) => stale !== null);
    const matching = waiting.filter((row) => isThere(row) && isWanted(row, query) && has(row, terms));
    const all = matchOf(terms);
    if (query.order !== 'best') return [{ match: { expression: all, hasStale }, unindexed: matching }];
    const title = `{title} : (${all})`;
    const others = `(${all}) NOT (${title})`;
    return [
      { match: { expression: title, hasStale }, unindexed: matching.filter((row) => titleHas(row, terms)) },
      { match: { expression: others, hasStale }, unindexed: matching.filter((row) => !titleHas(row, terms)) },
    ];
  }

  function totalOf(query: SearchQuery, { match, unindexed: extra }: Part): number {
    const inCategory = extra.filter((row) => isIn(row, query)).length;
    if (match !== undefined || !isPlain(query)) return rows.count(query, match) + inCategory;
    return counts.current().total(query.category);
  }

  /** Any of the rows that are not in the index may come before the first one of the page. */
  function slice(query: SearchQuery, part: Part, total: number, [offset, limit]: Slice): readonly Match[] {
    if (limit <= 0 || offset >= total) return [];
    const extra = part.unindexed.filter((row) => isIn(row, query));
    const start = Math.max(0, offset - extra.length);
    const indexed = rows.slice(query, part.match, total - extra.length, [start, offset - start + limit]);
    if (extra.length === 0) return indexed;
    return [...indexed, ...extra].sort(comparison(query)).slice(offset - start, offset - start + limit);
  }

  function categoriesOf(wanted: SearchQuery): ReadonlyMap<CategoryId, number> {
    const query = inAnyCategory(wanted);
    if (query.terms === undefined && isPlain(query)) return counts.current().totals();
    const parts = query.terms === undefined ? [] : partsOf({ ...query, order: 'newest' }, query.terms);
    const found = rows.countCategories(query, parts[0]?.match);
    for (const { category_id: id } of parts[0]?.unindexed ?? []) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }

  function itemsOf(found: readonly Match[]): readonly ArchivedAutomation[] {
    return found.length === 0 ? [] : find(JSON.stringify(found.map(({ seq }) => seq))).map(archivedOf);
  }

  return { search };
}

function inAnyCategory(query: SearchQuery): SearchQuery {
  const copy: { -readonly [Name in keyof SearchQuery]: SearchQuery[Name] } = { ...query };
  delete copy.category;
  return copy;
}

/** Returns whether the query asks for no more than the counts of blocks know. */
function isPlain({ terms, developerId, status, lowestPrice, highestPrice }: SearchQuery): boolean {
  if (status !== 'on-sale') return false;
  return [terms, developerId, lowestPrice, highestPrice].every((each) => each === undefined);
}

/** Returns a function that reads what the index has not got. @throws DomainError `search-incomplete` */
function unindexedReader(preparer: Preparer): () => readonly WaitingRow[] {
  const rule = preparer.prepare(`SELECT value FROM settings WHERE name = 'words'`).raw();
  let read: (() => readonly WaitingRow[]) | undefined;
  return () => {
    const [recorded] = (firstRow(rule) as [string] | undefined) ?? [];
    if (recorded !== WORD_RULE) throw searchFailure('search-incomplete');
    read ??= prepareRows<WaitingRow>(
      preparer,
      ['number', 'stale', ...ARCHIVED_COLUMNS],
      `FROM (SELECT seq AS number, stale FROM unindexed LIMIT ${MAX_UNINDEXED + 1})
       LEFT JOIN automations ON seq = number`,
    );
    const found = read();
    if (found.length > MAX_UNINDEXED) throw searchFailure('search-incomplete');
    return found;
  };
}

function isThere({ id }: { readonly id: string | null }): boolean {
  return id !== null;
}

/** Returns whether a row is wanted, in whatever category it is. */
function isWanted(row: ArchivedRow, query: SearchQuery): boolean {
  const { status, developerId, lowestPrice = 0, highestPrice = Infinity } = query;
  if (status !== undefined && (row.withdrawn_at === null) !== (status === 'on-sale')) return false;
  if (developerId !== undefined && row.developer_id !== developerId) return false;
  return row.price >= lowestPrice && row.price <= highestPrice;
}

function isIn(row: ArchivedRow, { category }: SearchQuery): boolean {
  return category === undefined || category === row.category_id;
}

/** Characters of texts whose words are kept. With its words a character takes up to 9 bytes. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Texts that searches compare again and again until the index has them. */
const words = new LRUCache<string, ReadonlySet<string>>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (_, text) => text.length + 20,
});

function wordSetOf(text: string): ReadonlySet<string> {
  const known = words.get(text) ?? new Set(wordsOf(text));
  words.set(text, known);
  return known;
}

function titleHas({ title }: ArchivedRow, terms: SearchTerms): boolean {
  return matchesTerms(wordSetOf(title), terms);
}

function has({ title, description }: ArchivedRow, terms: SearchTerms): boolean {
  return matchesTerms(wordSetOf(`${title}\n${description}`), terms);
}

function comparison({ order }: SearchQuery): (one: Match, other: Match) => number {
  if (order === 'price') return (one, other) => one.price - other.price || other.seq - one.seq;
  if (order === '-price') return (one, other) => other.price - one.price || one.seq - other.seq;
  return (one, other) => other.seq - one.seq;
}
