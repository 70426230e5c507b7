import type { Db, Document } from 'mongodb';
import { createHash } from 'node:crypto';
import { BatchQueue } from '../storage/batch-queue.js';
import { BlockCounts } from '../storage/block-counts.js';
import { COUNT_DELTAS, COUNTS } from './collections.js';
import { reading } from './commands.js';
import { blockCountsIn, MAX_COUNTS } from './counts.js';
import { CountsMerge } from './counts-merge.js';
import { Snapshot } from './snapshot.js';

/** What is on sale at one moment. It is valid only until the function that got it returns. */
export interface ListState {
  /** Reads of this moment. */
  readonly snapshot: Snapshot;
  /** A name for this state. */
  readonly revision: string;
  readonly counts: Pick<BlockCounts, 'total' | 'totals' | 'locate'>;
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
/** This number of documents of counts, also of many categories, is in an answer of 16 MB. */
const MAX_READ = 100;
/** Fewer deltas are not merged. */
const MIN_MERGED = 8;

/**
 * The counts by which a page is found without counting. A process keeps them in memory, and reads those again whose `v`
 * has changed. It has deltas merged when it sees many.
 */
export class CountedList {
  /** The merging of deltas in the background. */
  readonly merge: CountsMerge;
  readonly #counts = new BlockCounts();
  readonly #known = new Map<Version['_id'], Document>();
  readonly #reads = new BatchQueue<Use, unknown>((uses) => this.#readFor(uses), MAX_SHARING);

  constructor(
    private readonly db: Db,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.merge = new CountsMerge(db, onError);
  }

  /**
   * Reads the state and returns what `use` makes of it. Calls that wait share a read that starts after they came.
   * Rejects as `unavailable` when the store is out of reach.
   */
  read<Answer>(use: (state: ListState) => Answer): Promise<Answer> {
    return this.#reads.ask(use) as Promise<Answer>;
  }

  async #readFor(uses: readonly Use[]): Promise<readonly unknown[]> {
    const found = await reading((signal) => this.#find(signal));
    this.#update(found);
    if (found.versions.filter(isDelta).length >= MIN_MERGED) this.merge.begin();
    const revision = createHash('sha256').update(JSON.stringify(found.versions)).digest('base64url');
    const state = { snapshot: found.snapshot, revision, counts: this.#counts };
    return uses.map((use) => use(state));
  }

  async #find(signal: AbortSignal): Promise<Found> {
    const snapshot = new Snapshot(this.db);
    const versions = await snapshot.aggregate<Document & Version>(COUNTS, VERSIONS, { signal });
    const isNew = ({ _id, v }: Version) => v === undefined || this.#known.get(_id)?.['v'] !== v;
    const changed = new Map<Version['_id'], Document>();
    const ids = versions.filter(isNew).map(({ _id }) => _id);
    for (let start = 0; start < ids.length; start += MAX_READ) {
      const some = documentsOf(ids.slice(start, start + MAX_READ));
      for (const document of await snapshot.aggregate<Document & Version>(COUNTS, some, { signal }))
        changed.set(document._id, document);
    }
    return { snapshot, versions, changed };
  }

  /** Takes away what has changed or is gone, and adds what is there. */
  #update({ versions, changed }: Found): void {
    const present = new Set(versions.map(({ _id }) => _id));
    for (const [id, document] of this.#known) {
      if (present.has(id) && !changed.has(id)) continue;
      this.#add(document, -1);
      this.#known.delete(id);
    }
    for (const [id, document] of changed) {
      this.#add(document, 1);
      this.#known.set(id, document);
    }
  }

  #add(document: Document, sign: 1 | -1): void {
    for (const { category, block, count } of blockCountsIn(document)) this.#counts.add(category, block, sign * count);
  }
}

function isDelta({ _id }: Version): boolean {
  return typeof _id === 'string';
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
