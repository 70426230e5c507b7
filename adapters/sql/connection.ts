import { setImmediate } from 'node:timers/promises';
import type { DeveloperId } from '../../domain/access.js';
import type { AutomationId } from '../../domain/automation.js';
import type { StoreState } from '../../domain/ports.js';
import type { Dialect, Value } from './dialect.js';

/** Runs one statement, with values for `$1`, `$2`, and so on, and returns its rows. Integers are numbers. */
export type Query = <Row extends object>(sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/**
 * A relational database. Its failures are those that the ports name. A statement that needs a table that is not there
 * rejects as `unavailable`, code `not-prepared`.
 */
export interface SqlConnection {
  readonly dialect: Dialect;

  /** Runs one statement that reads. It sees one state of the store. */
  readonly query: Query;

  /**
   * Runs statements in a transaction: all of it is durable when it resolves, and none of it is stored when it rejects
   * as `unavailable`. The work runs again after a serialization failure, a deadlock, or an error that `again` accepts.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>, again?: (error: unknown) => boolean): Promise<Result>;

  /** Runs statements that may take long and see one state of the store. Rejects as `unavailable` after 5 seconds. */
  search<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;

  /** Does the same without a time limit, for the check. */
  check<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;

  /** Runs statements that build or repair the store: a transaction without a time limit, and one at a time of all. */
  build<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;

  /** Returns what the store can do. Rejects as `unavailable` when it cannot be reached. */
  ping(): Promise<StoreState>;

  /** Releases what the connection holds; again is no error. From then on every call is `unavailable`. */
  close(): Promise<void>;
}

/** Runs one statement that writes, in a transaction. Returns how many rows it returns. */
export function change(connection: SqlConnection, sql: string, values: readonly Value[]): Promise<number> {
  return connection.transaction(async (query) => (await query(sql, values)).length);
}

/**
 * Locks a developer or an automation until the transaction ends: what counts before it inserts has no other between. It
 * is the first statement of a transaction, so that two of them do not deadlock.
 */
export async function lockById(query: Query, { lock, prefix }: Dialect, id: DeveloperId | AutomationId): Promise<void> {
  if (lock !== undefined) await query(lock, [`${prefix}${id}`]);
}

/** The rows that one transaction of upkeep changes, so that others do not wait long. */
export const MAX_ROWS = 200;

/**
 * Repeats a statement that changes, and returns, at most `MAX_ROWS` rows until it finds fewer. Others come in between.
 * Returns how many in all. With the first lot it does what `withFirst` does, if that changes anything.
 */
export async function inLots(
  connection: SqlConnection,
  sql: string,
  values: readonly Value[],
  withFirst: (query: Query) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await connection.transaction(async (query) => {
      const { length } = await query(sql, values);
      if (total === 0 && length > 0) await withFirst(query);
      return length;
    });
    total += changed;
    if (changed < MAX_ROWS) return total;
    await setImmediate();
  }
}
