import type { CategoryId } from '../../domain/category.js';
import type { AutomationPage, AutomationQuery } from '../../domain/ports.js';
import { PageCache } from '../storage/page-cache.js';
import { SUMMARY, summaryOf } from './automation-documents.js';
import { AUTOMATIONS, type AutomationDocument } from './collections.js';
import { inTime, reading } from './commands.js';
import type { CountedList, ListState, Place } from './counted-list.js';
import { isWorthRepeating } from './failures.js';
import type { Snapshot } from './snapshot.js';

interface Located {
  readonly snapshot: Snapshot;
  readonly revision: string;
  readonly total: number;
  readonly place: Place;
}

/** The pages of the list, found by the counts and kept while the state of the store is the same. */
export class AutomationPages {
  readonly #pages = new PageCache();

  /** Keeps no page yet. Tells with each state how many deltas there are. */
  constructor(
    private readonly counted: CountedList,
    private readonly onDeltas: (count: number) => void,
  ) {}

  /** Returns one page. */
  find(query: AutomationQuery): Promise<AutomationPage> {
    return inTime(reading((signal) => this.#page(query, signal)));
  }

  /** Returns the numbers of automations on sale. */
  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return inTime(this.#read((state) => state.totals()));
  }

  #read<Answer>(use: (state: ListState) => Answer): Promise<Answer> {
    return this.counted.read((state) => {
      this.onDeltas(state.deltas);
      return use(state);
    });
  }

  async #page(query: AutomationQuery, signal: AbortSignal): Promise<AutomationPage> {
    const { page, category } = query;
    const position = (page.number - 1) * page.limit;
    for (let tries = 1; ; tries += 1) {
      const located = await this.#read((state) => locate(state, position, category));
      const { revision, total } = located;
      const kept = this.#pages.find(revision, query);
      if (kept !== undefined) return kept;
      try {
        const items = position >= total ? [] : await readPage(query, located, signal);
        return this.#pages.keep(query, { items: items.map(summaryOf), total, revision });
      } catch (error) {
        if (tries === 2 || !isWorthRepeating(error)) throw error;
      }
    }
  }
}

function locate(state: ListState, position: number, category: CategoryId | undefined): Located {
  const { snapshot, revision } = state;
  return { snapshot, revision, total: state.total(category), place: state.locate(position, category) };
}

/** Reads the items at the moment of the state. */
function readPage(
  { category, page }: AutomationQuery,
  { place, snapshot }: Located,
  signal: AbortSignal,
): Promise<readonly AutomationDocument[]> {
  const filter = { on_sale: true, ...(category && { category_id: category }), seq: { $lt: place.below } };
  const query = { filter, sort: { seq: -1 }, skip: place.skip, limit: page.limit, projection: SUMMARY };
  return snapshot.find(AUTOMATIONS, query, signal);
}
