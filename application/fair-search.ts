import type { CatalogueSearch, SearchPage, SearchQuery } from '../domain/ports.js';
import { searchFailure } from '../domain/search-failure.js';
import { FairQueue } from './fair-queue.js';

/** The bounds of the searches of a process. */
export interface FairSearchOptions {
  /** The number of searches that run at the same time; 2 by default. */
  readonly atOnce?: number | undefined;
  /** The number of searches that may wait; 64 by default. */
  readonly maxWaiting?: number | undefined;
  /** How long a search may wait for others; 2,000 by default. */
  readonly maxWaitMs?: number | undefined;
  /** How long a search may take, with its wait; 5,000 by default. */
  readonly maxMs?: number | undefined;
}

const DEFAULTS = { atOnce: 2, maxWaiting: 64, maxWaitMs: 2_000, maxMs: 5_000 };

/**
 * The searches of a process over one store, in fair shares: of those that wait, the client comes next that was served
 * longest ago. Equal searches that wait share a result.
 */
export class FairSearch implements CatalogueSearch {
  readonly #queue: FairQueue;
  readonly #maxMs: number;

  /** Uses the search of a store. A store has one of these. */
  constructor(
    private readonly port: CatalogueSearch,
    options: FairSearchOptions = {},
  ) {
    const { atOnce = DEFAULTS.atOnce, maxWaiting = DEFAULTS.maxWaiting, maxWaitMs = DEFAULTS.maxWaitMs } = options;
    this.#queue = new FairQueue({ atOnce, maxWaiting, maxWaitMs, refusal: () => searchFailure('too-many-searches') });
    this.#maxMs = options.maxMs ?? DEFAULTS.maxMs;
  }

  /**
   * Searches for a client: the id of a developer, or the network of a visitor. Rejects as `CatalogueSearch` does, and
   * as `unavailable` when too many wait, or when the search takes too long.
   */
  search(query: SearchQuery, client = ''): Promise<SearchPage> {
    const key = JSON.stringify(query);
    return this.#inTime(this.#queue.run(() => this.port.search(query), { client, key }));
  }

  /** The search keeps its place in the queue until the store has ended it, so that no more run at the same time. */
  async #inTime<Result>(search: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(searchFailure('search-too-slow')), this.#maxMs);
    });
    try {
      return await Promise.race([search, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
