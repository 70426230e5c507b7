import type {
  ArchivedAutomation,
  AutomationArchive,
  CatalogueSearch,
  SearchPage,
  SearchQuery,
} from '../domain/ports.js';
import { matchesTerms, rankOf } from '../domain/search-terms.js';
import { indexedText } from '../domain/words.js';

const PART_SIZE = 1_000;

/**
 * A search for a storage that has none: it reads everything that may match at each call. It is good for some 10,000
 * automations. Items, total and counts agree with each other; what changes while it reads is seen before or after it.
 */
export class ScanningSearch implements CatalogueSearch {
  /** Takes the archive of the storage. */
  constructor(private readonly archive: AutomationArchive) {}

  async search(query: SearchQuery): Promise<SearchPage> {
    const found = ordered(await this.#matches(query), query);
    const { category, page } = query;
    const inCategory = found.filter(({ automation }) => category === undefined || category === automation.categoryId);
    const start = (page.number - 1) * page.limit;
    return {
      items: inCategory.slice(start, start + page.limit),
      total: inCategory.length,
      ...(query.countCategories === true && { categoryCounts: countByCategory(found) }),
    };
  }

  /** Returns what matches in any category, newest first. */
  async #matches(query: SearchQuery): Promise<readonly ArchivedAutomation[]> {
    const { developerId, status } = query;
    const scan = { developerId, status, order: 'newest-first', limit: PART_SIZE } as const;
    const found: ArchivedAutomation[] = [];
    for (let part = await this.archive.scan(scan); ;) {
      found.push(...part.filter((one) => isMatch(one, query)));
      const last = part.at(-1);
      if (last === undefined || part.length < PART_SIZE) return found;
      part = await this.archive.scan({ ...scan, after: last.automation.id });
    }
  }
}

function isMatch({ automation }: ArchivedAutomation, query: SearchQuery): boolean {
  const { terms, platform, lowestPrice = 0, highestPrice = Infinity } = query;
  const { price } = automation;
  if (platform !== undefined && platform !== automation.file?.platform) return false;
  if (price.minorUnits < lowestPrice || price.minorUnits > highestPrice) return false;
  return terms === undefined || matchesTerms(indexedText(automation), terms);
}

function ordered(found: readonly ArchivedAutomation[], { order, terms }: SearchQuery): readonly ArchivedAutomation[] {
  const byPrice = (one: ArchivedAutomation, other: ArchivedAutomation) =>
    one.automation.price.minorUnits - other.automation.price.minorUnits;
  if (order === 'price') return found.toSorted(byPrice);
  if (order === '-price') return found.toSorted(byPrice).toReversed();
  if (order === 'newest' || terms === undefined) return found;
  return found
    .map((one) => ({ one, rank: rankOf(indexedText(one.automation), terms) }))
    .toSorted((first, second) => first.rank - second.rank)
    .map(({ one }) => one);
}

function countByCategory(found: readonly ArchivedAutomation[]): NonNullable<SearchPage['categoryCounts']> {
  const counts = new Map<ArchivedAutomation['automation']['categoryId'], number>();
  for (const { automation } of found) counts.set(automation.categoryId, (counts.get(automation.categoryId) ?? 0) + 1);
  return counts;
}
