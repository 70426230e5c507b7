import type { Db, Document } from 'mongodb';
import { setTimeout } from 'node:timers/promises';
import { READ } from './commands.js';
import { BSON_OPTIONS } from './collections.js';
import { isWorthRepeating } from './failures.js';

interface Reply<Found> {
  readonly cursor: { readonly id: unknown; readonly atClusterTime: unknown; readonly firstBatch: readonly Found[] };
}

/**
 * Reads of one moment that a majority of the servers has. The first read chooses the moment. No transaction is needed:
 * the server keeps what was valid at a time for some minutes.
 */
export class Snapshot {
  #time: unknown;

  /** Chooses no moment yet. */
  constructor(
    private readonly db: Db,
    private readonly limits: { readonly maxTimeMS: number } = READ,
  ) {}

  /** Returns the same moment, with other limits for its reads. */
  within(limits: { readonly maxTimeMS: number }): Snapshot {
    const other = new Snapshot(this.db, limits);
    other.#time = this.#time;
    return other;
  }

  /** Returns the documents that a `find` or an `aggregate` finds at this moment. */
  async read<Found extends Document>(command: Document, signal?: AbortSignal): Promise<readonly Found[]> {
    const options = { readPreference: 'primary', ...BSON_OPTIONS, ...(signal && { signal }) } as const;
    const { cursor } = (await this.db.command(this.#atThisMoment(command), options)) as Reply<Found>;
    this.#time ??= cursor.atClusterTime;
    if (String(cursor.id) === '0') return cursor.firstBatch;
    // All is read again by a cursor of the driver; this one would stay open.
    const collection: unknown = command['find'] ?? command['aggregate'];
    await this.db.command({ killCursors: collection, cursors: [cursor.id], ...this.limits }, options);
    const all = this.db.runCursorCommand(this.#atThisMoment(command), { readPreference: 'primary', ...BSON_OPTIONS });
    return (await all.toArray()) as Found[];
  }

  #atThisMoment(command: Document): Document {
    const readConcern = { level: 'snapshot', ...(this.#time !== undefined && { atClusterTime: this.#time }) };
    const batch = command['find'] === undefined ? { cursor: { batchSize: 100_000 } } : { batchSize: 100_000 };
    return { ...command, ...batch, ...this.limits, readConcern };
  }
}

/** With the waits between them some 600 ms, in which an election usually ends. */
const MAX_TRIES = 6;

/**
 * Reads again after a failure that may pass, with a new snapshot: the driver repeats no command by itself, and a moment
 * that the server does not have, or not any more, is chosen again.
 */
export async function withRetries<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isWorthRepeating(error)) throw error;
      await setTimeout(10 * 2 ** tries);
    }
  }
}
