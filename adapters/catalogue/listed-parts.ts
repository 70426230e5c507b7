import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Catalogue } from '../../application/index.js';
import { FairQueue } from '../../application/fair-queue.js';

/** The limit of a file (https://www.sitemaps.org/protocol.html). */
export const MAX_ADDRESSES = 50_000;

/** The parts of a million automations. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A large part is read again after some time only: 20 times as long as SQLite takes to read it. */
const MAX_SMALL_PART = 1_000;
const PAUSE_MS_PER_AUTOMATION = 0.5;

/** What a sitemap says of some automations. */
export interface ListedPart {
  /** Of each automation the id and the time of its last change, with a space between, in a line. */
  readonly lines: string;
  readonly digest: string;
}

interface CachedPart extends ListedPart {
  readonly revision: string | undefined;
  readonly keptUntil: number;
}

/**
 * Reads which automations are on sale, for sitemaps: once for a state of the store and one part at a time, however many
 * requests there are.
 */
export class ListedParts {
  readonly #reading = new FairQueue({ atOnce: 1 });
  readonly #parts: LRUCache<number, CachedPart, string | undefined>;

  constructor(catalogue: Pick<Catalogue, 'part'>) {
    this.#parts = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ lines }) => lines.length + 1,
      ignoreFetchAbort: true,
      fetchMethod: (number, _stale, { context }) => this.#reading.run(() => readPart(catalogue, number, context)),
    });
  }

  /** Returns a part, counted from 0. The revision names the state of the store, if that has a name. */
  async get(number: number, revision: string | undefined): Promise<ListedPart> {
    const cached = this.#parts.get(number);
    const isCurrent = cached !== undefined && revision !== undefined && cached.revision === revision;
    if (cached !== undefined && (isCurrent || performance.now() < cached.keptUntil)) return cached;
    return this.#parts.forceFetch(number, { forceRefresh: true, context: revision });
  }
}

async function readPart(
  catalogue: Pick<Catalogue, 'part'>,
  number: number,
  revision: string | undefined,
): Promise<CachedPart> {
  const listed: string[] = [];
  for await (const batch of catalogue.part(number * MAX_ADDRESSES, MAX_ADDRESSES))
    listed.push(...batch.map(({ id, updatedAt }) => `${id} ${updatedAt.toISOString()}\n`));
  const lines = listed.join('');
  const digest = createHash('sha256').update(lines).digest('base64url');
  const pause = PAUSE_MS_PER_AUTOMATION * Math.max(0, listed.length - MAX_SMALL_PART);
  return { lines, digest, revision, keptUntil: performance.now() + pause };
}
