import type { Dialect } from './dialect.js';

/** What a statement gets. A list, or a list of rows, is one JSON text (`Dialect.listOf`, `Dialect.rowsOf`). */
export type Value = string | number | null;

/** Runs one statement, with values for `$1`, `$2`, and so on, and returns its rows. Integers are numbers. */
export type Query = <Row extends object>(sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/**
 * A relational database. Its failures are those that the ports name. A statement that needs a table that is not there
 * rejects as `unavailable`, code `not-prepared`.
 */
export interface SqlConnection {
  readonly dialect: Dialect;

  /** Whether the last write failed for lack of room. */
  readonly isFull: boolean;

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

  /** Releases what the connection holds; again is no error. From then on every call is `unavailable`. */
  close(): Promise<void>;
}
