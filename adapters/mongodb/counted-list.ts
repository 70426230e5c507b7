import type { Db, Document } from 'mongodb';
import { createHash } from 'node:crypto';
import type { CategoryId } from '../../domain/category.js';
import { BatchQueue } from '../storage/batch-queue.js';
import { BLOCK_SIZE, BlockCounts } from '../storage/block-counts.js';
import { COUNT_DELTAS, COUNTS } from './collections.js';
import { reading } from './commands.js';
import { addTo, MAX_COUNTS } from './counts.js';
import { Snapshot, withRetries } from './snapshot.js';

/** Where a part of the list begins: below this number, after so many others. */
export interface Place {
  readonly below: number;
  readonly skip: number;
}

/** The numbers of automations on sale at one moment. It is valid only until the function that got it returns. */
export interface ListState {
  /** Reads of this moment. */
  readonly snapshot: Snapshot;
  /** A name for this state. */
  readonly revision: string;
  /** How many deltas there are. */
  readonly deltas: number;
  total(category?: CategoryId): number;
  totals(): ReadonlyMap<CategoryId, number>;
  /** Returns the place of the automation that has `position` newer ones. */
  locate(position: number, category?: CategoryId): Place;
}

/** A document of counts, or a delta. */
interface Version {
  readonly _id: number | string;
  readonly v?: unknown;
}

/** What one read finds: the versions of all documents, and the documents that have another version than is known. */
interface Found {
  readonly snapshot: Snapshot;
  readonly versions: readonly Version[];
  readonly changed: ReadonlyMap<Version['_id'], Document>;
}

type Use = (state: ListState) => unknown;

const MAX_SHARING = 1_000;
/** So many documents of counts, also of many categories, are in an answer of 16 MB. */
const MAX_READ = 100;

/**
 * The counts by which a page is found without counting. A process keeps them in memory, and reads those again whose `v`
 * has changed.
 */
export class CountedList {
  readonly #counts = new BlockCounts();
  readonly #known = new Map<Version['_id'], Document>();
  readonly #reads = new BatchQueue<Use, unknown>((uses) => this.#readFor(uses), MAX_SHARING);

  /** Reads the counts at first use. */
  constructor(private readonly db: Db) {}

  /**
   * Reads the state and returns what `use` makes of it. Calls that wait share a read that starts after they came.
   * Rejects as `unavailable` when the store is out of reach.
   */
  read<Answer>(use: (state: ListState) => Answer): Promise<Answer> {
    return this.#reads.ask(use) as Promise<Answer>;
  }

  async #readFor(uses: readonly Use[]): Promise<readonly unknown[]> {
    const found = await reading((signal) => withRetries(() => this.#find(signal)));
    this.#update(found);
    const state = this.#stateOf(found);
    return uses.map((use) => use(state));
  }

  async #find(signal: AbortSignal): Promise<Found> {
    const snapshot = new Snapshot(this.db);
    const versions = await snapshot.aggregate<Document & Version>(COUNTS, VERSIONS, { signal });
    const isNew = ({ _id, v }: Version) => v === undefined || this.#known.get(_id)?.['v'] !== v;
    const changed = new Map<Version['_id'], Document>();
    const ids = versions.filter(isNew).map(({ _id }) => _id);
    for (let start = 0; start < ids.length; start += MAX_READ)
      for (const document of await snapshot.aggregate(COUNTS, documentsOf(ids.slice(start, start + MAX_READ)), {
        signal,
      }))
        changed.set(document['_id'] as Version['_id'], document);
    return { snapshot, versions, changed };
  }

  /** Takes away what has changed or is gone, and adds what is there. */
  #update({ versions, changed }: Found): void {
    const present = new Set(versions.map(({ _id }) => _id));
    for (const [id, document] of this.#known) {
      if (present.has(id) && !changed.has(id)) continue;
      addTo(this.#counts, document, -1);
      this.#known.delete(id);
    }
    for (const [id, document] of changed) {
      addTo(this.#counts, document);
      this.#known.set(id, document);
    }
  }

  #stateOf({ snapshot, versions }: Found): ListState {
    const counts = this.#counts;
    return {
      snapshot,
      revision: createHash('sha256').update(JSON.stringify(versions)).digest('base64url'),
      deltas: versions.filter(({ _id }) => typeof _id === 'string').length,
      total: (category) => Math.max(0, counts.total(category)),
      totals: () => counts.totals(),
      locate: (position, category) => {
        const found = counts.locate(position, category);
        return found === undefined
          ? { below: 0, skip: 0 }
          : { below: (found.block + 1) * BLOCK_SIZE, skip: found.skip };
      },
    };
  }
}

/** With bounds of the key, as otherwise the index of `_id` and `v` is not used. */
const KNOWN_COUNTS = { _id: { $gte: 0, $lt: MAX_COUNTS } };
const KNOWN_DELTAS = { _id: { $gte: '' } };

/** The `v` of all documents, which an index has. */
const VERSIONS = [
  { $match: KNOWN_COUNTS },
  { $project: { v: 1 } },
  { $unionWith: { coll: COUNT_DELTAS, pipeline: [{ $match: KNOWN_DELTAS }, { $project: { v: 1 } }] } },
];

function documentsOf(ids: readonly Version['_id'][]): readonly Document[] {
  const chosen = [{ $match: { _id: { $in: ids } } }];
  return [...chosen, { $unionWith: { coll: COUNT_DELTAS, pipeline: chosen } }];
}
