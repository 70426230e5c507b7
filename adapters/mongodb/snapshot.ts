import type { Db, Document } from 'mongodb';
import { BSON_OPTIONS } from './collections.js';
import { READ } from './commands.js';

/** More than any read of one moment finds. */
const BATCH_SIZE = 100_000;

interface Reply<Found> {
  readonly cursor: { readonly id: unknown; readonly atClusterTime: unknown; readonly firstBatch: readonly Found[] };
}

interface Options {
  readonly hint?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads of one moment that a majority of the servers has. The first read chooses the moment. No transaction is needed:
 * the server keeps what was valid at a time for some minutes. The driver's snapshot sessions do the same, but one of
 * them cannot be shared by reads that go on at once.
 */
export class Snapshot {
  #time: unknown;

  constructor(
    private readonly db: Db,
    private readonly limits: { readonly maxTimeMS: number } = READ,
  ) {}

  /** Returns the documents of a collection that match at this moment, in one answer: of 16 MB at most. */
  find<Found extends Document>(collection: string, query: Document, signal?: AbortSignal): Promise<readonly Found[]> {
    return this.#read({ find: collection, ...query, batchSize: BATCH_SIZE }, signal);
  }

  /** Returns the documents that a pipeline makes of a collection at this moment, in one answer: of 16 MB at most. */
  aggregate<Found extends Document>(
    collection: string,
    pipeline: readonly Document[],
    { hint, signal }: Options = {},
  ): Promise<readonly Found[]> {
    const cursor = { batchSize: BATCH_SIZE };
    return this.#read({ aggregate: collection, pipeline, cursor, ...(hint !== undefined && { hint }) }, signal);
  }

  /** The driver repeats no such command by itself. */
  async #read<Found extends Document>(command: Document, signal?: AbortSignal): Promise<readonly Found[]> {
    const readConcern = { level: 'snapshot', ...(this.#time !== undefined && { atClusterTime: this.#time }) };
    const options = { readPreference: 'primary', ...BSON_OPTIONS, ...(signal && { signal }) } as const;
    const { cursor } = (await this.db.command({ ...command, ...this.limits, readConcern }, options)) as Reply<Found>;
    this.#time ??= cursor.atClusterTime;
    if (String(cursor.id) !== '0') throw new Error('a read of one moment found more than one answer holds');
    return cursor.firstBatch;
  }
}
