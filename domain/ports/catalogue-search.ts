import type { DeveloperId } from '../access.js';
import type { CategoryId } from '../category.js';
import type { PlatformName } from '../file.js';
import type { Page } from '../page.js';
import type { MinorUnits } from '../price.js';
import type { SearchTerms } from '../search-terms.js';
import type { ArchivedAutomation } from './automation-archive.js';

/**
 * `newest`: the reverse of the order of the market. `price`: the lowest price first, equal prices newest first.
 * `-price`: the exact reverse of `price`. `best`, only with terms: first those whose title is the search, then those
 * whose title has all words, then those whose title has them with the last as a beginning, then the others, newest
 * first in each (`rankOf`). A run of four characters and more counts as in a title that has all its neighbours, three
 * by three, even where they stand apart.
 */
export type SearchOrder = 'newest' | 'price' | '-price' | 'best';

/** A page of the automations that match all of this. */
export interface SearchQuery {
  readonly page: Page;
  readonly order: SearchOrder;
  /** Only those that match these: `matchesTerms`. */
  readonly terms?: SearchTerms | undefined;
  /** Only the automations of this category. */
  readonly category?: CategoryId | undefined;
  /** Only those with a file of this platform. */
  readonly platform?: PlatformName | undefined;
  /** Only those that cost at least this. */
  readonly lowestPrice?: MinorUnits | undefined;
  /** Only those that cost at most this. */
  readonly highestPrice?: MinorUnits | undefined;
  /** Only those of this developer. */
  readonly developerId?: DeveloperId | undefined;
  /** Only those on sale, or only the withdrawn ones; without it, both. */
  readonly status?: 'on-sale' | 'withdrawn' | undefined;
  /** Whether to count the matches of each category as well. */
  readonly countCategories?: boolean | undefined;
}

/** A page of what was found, and how many automations match on all pages. */
export interface SearchPage {
  readonly items: readonly ArchivedAutomation[];
  readonly total: number;
  /** With `countCategories`: the matches of each category, as if the query named none. */
  readonly categoryCounts?: ReadonlyMap<CategoryId, number>;
}

/** Finding automations by words, platform, price, developer and status. */
export interface CatalogueSearch {
  /**
   * Returns one page of the automations that match, in the order that was asked for, and exactly how many match. Items,
   * total and counts show one state of the store. What was stored, revised or withdrawn before the call began is seen.
   * A page past the end is empty and has the true total. The counts of categories ignore the category of the query; a
   * category without a match may be missing. Rejects as `unavailable` while an index that it needs is not complete, or
   * when the search takes too long: never with a part of the answer. Words are those of `domain/words.ts`.
   */
  search(query: SearchQuery): Promise<SearchPage>;
}
