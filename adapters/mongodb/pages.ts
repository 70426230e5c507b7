import { LRUCache } from 'lru-cache';
import type { Db, Filter } from 'mongodb';
import type { AutomationSummary } from '../../domain/automation.js';
import { BatchQueue } from '../../domain/batch-queue.js';
import { sizeOf, type Numbering, type NumberRange } from '../../domain/numbering.js';
import {
  collectionsOf,
  summaryOf,
  type AutomationDocument,
  type Collections,
  type SummaryDocument,
} from './documents.js';
import { fieldOf, type Scope } from './scope.js';
import { AT_ONCE, reading } from './operations.js';

/** A page: the ranges of numbers on sale that it is made of. */
interface Wanted {
  readonly scope: Scope;
  readonly ranges: readonly NumberRange[];
}

type Items = readonly AutomationSummary[];

/** Pages read in one command at most, and pages kept. */
const MAX_BATCH_SIZE = 16;
const MAX_KEPT = 1_000;

/**
 * Reads pages by their ranges of numbers, those that are asked for at the same time in one command. Automations do not
 * change, so a page stays as it is until one is withdrawn, and is kept till then.
 */
export class Pages {
  readonly #automations: Collections['automations'];
  readonly #kept = new LRUCache<string, Items>({ max: MAX_KEPT });
  readonly #reads = new BatchQueue<Wanted, Items>((wanted) => this.#read(wanted), MAX_BATCH_SIZE);

  constructor(db: Db) {
    this.#automations = collectionsOf(db).automations;
  }

  /** Undefined when one of them was withdrawn after the numbering was read. */
  async page(scope: Scope, range: NumberRange, numbering: Numbering): Promise<Items | undefined> {
    const name = [scope, range.lowest, range.highest, numbering.withdrawn.length].join(' ');
    const items = this.#kept.get(name) ?? (await this.#reads.ask({ scope, ranges: withoutGaps(range, numbering) }));
    if (items.length !== sizeOf(range, numbering)) return undefined;
    this.#kept.set(name, items);
    return items;
  }

  async #read(wanted: readonly Wanted[]): Promise<readonly Items[]> {
    const documents = await reading((signal) =>
      this.#automations
        .find<SummaryDocument>(pagesFilter(wanted), { ...AT_ONCE, signal, projection: SUMMARY })
        .toArray(),
    );
    return wanted.map((one) => itemsOf(one, documents));
  }
}

const SUMMARY = { title: 1, price: 1, currency: 1, number: 1, category_id: 1, category_number: 1, withdrawn_at: 1 };

/** What is left of a range without what was withdrawn; its ends are on sale. */
export function withoutGaps({ lowest, highest }: NumberRange, numbering: Numbering): readonly NumberRange[] {
  const { withdrawn } = numbering;
  const ranges: NumberRange[] = [];
  let start = lowest;
  for (let next = lowest - 1 - sizeOf({ lowest: 1, highest: lowest - 1 }, numbering); ; next += 1) {
    const gone = withdrawn[next] ?? Infinity;
    if (gone > highest) return [...ranges, { lowest: start, highest }];
    if (gone > start) ranges.push({ lowest: start, highest: gone - 1 });
    start = gone + 1;
  }
}

export function pagesFilter(wanted: readonly Wanted[]): Filter<AutomationDocument> {
  const [first = {}, ...others] = wanted.flatMap(({ scope, ranges }) =>
    ranges.map(({ lowest, highest }): Filter<AutomationDocument> => ({
      ...(scope && { category_id: scope }),
      [fieldOf(scope)]: { $gte: lowest, $lte: highest },
    })),
  );
  return others.length === 0 ? first : { $or: [first, ...others] };
}

function itemsOf({ scope, ranges }: Wanted, documents: readonly SummaryDocument[]): Items {
  const field = fieldOf(scope);
  const items = documents
    .filter((document) => document.withdrawn_at === undefined && (scope === '' || document.category_id === scope))
    .filter((document) => ranges.some(({ lowest, highest }) => document[field] >= lowest && document[field] <= highest))
    .sort((one, other) => other[field] - one[field])
    .map(summaryOf);
  return Object.freeze(items);
}
