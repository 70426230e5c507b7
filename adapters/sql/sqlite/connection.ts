import type Libsql from 'libsql';
import { setTimeout } from 'node:timers/promises';
import type { StoreState } from '../../../domain/ports.js';
import type { Query, SqlConnection } from '../connection.js';
import type { Value } from '../dialect.js';
import { SQLITE } from './dialect.js';
import { commitFailure, isLocked, storeClosed, translated } from './failures.js';
import { openFile } from './file.js';

/** How long a call waits for a lock in all. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * A connection to an SQLite file, which other connections and processes may have open, too. Its statements block the
 * thread. Transactions run one after the other.
 */
export class SqliteConnection implements SqlConnection {
  readonly dialect = SQLITE;
  /** Whether the last write was refused, such as for lack of room. */
  refusesWrites = false;
  readonly #file: string;
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, (values: readonly Value[]) => readonly object[]>();
  #last: Promise<unknown> = Promise.resolve();

  /** Opens the file, or makes one. @throws Error with a sentence for people, as `openFile` does. */
  constructor(file: string) {
    this.#file = file;
    this.#database = openFile(file);
  }

  get query(): Query {
    return <Row extends object>(sql: string, values: readonly Value[] = []) =>
      this.#patiently(() => this.#run(sql, values) as readonly Row[]);
  }

  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact('IMMEDIATE', work);
  }

  /** The time limit is that of its thread. */
  search<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact('DEFERRED', work);
  }

  check<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact('DEFERRED', work);
  }

  build<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact('IMMEDIATE', work);
  }

  /** Does work with the driver, which blocks the thread. */
  use<Result>(work: (database: Libsql.Database) => Result): Promise<Result> {
    return this.#patiently(() => work(this.#database));
  }

  async ping(): Promise<StoreState> {
    await this.query('SELECT 1 AS one');
    return this.refusesWrites ? 'read-only' : 'ready';
  }

  close(): Promise<void> {
    if (this.#database.open) this.#database.close();
    return Promise.resolve();
  }

  /** The work waits for nothing but its statements, which do not wait: a transaction stays open for no other event. */
  #transact<Result>(mode: 'DEFERRED' | 'IMMEDIATE', work: (query: Query) => Promise<Result>): Promise<Result> {
    const query: Query = async <Row extends object>(sql: string, values: readonly Value[] = []) =>
      this.#run(sql, values) as readonly Row[];
    const transaction = this.#last.then(async () => {
      await this.#patiently(() => this.#database.exec(`BEGIN ${mode}`));
      try {
        const result = await work(query);
        this.#commit();
        return result;
      } catch (error) {
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
        throw translated(error, this.#file);
      }
    });
    this.#last = transaction.catch(() => undefined);
    return transaction;
  }

  #commit(): void {
    try {
      this.#database.exec('COMMIT');
    } catch (error) {
      throw commitFailure(error);
    }
  }

  /** Does work, and again while another process holds a lock that it needs. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      if (!this.#database.open) throw storeClosed();
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || performance.now() > deadline) throw translated(error, this.#file);
        await setTimeout(1 + Math.random() * 10);
      }
    }
  }

  /** A statement that failed once is prepared again: its `get` would fail for ever (libsql 0.5.29). */
  #run(sql: string, values: readonly Value[]): readonly object[] {
    const run = this.#statements.get(sql) ?? prepare(this.#database, sql);
    this.#statements.delete(sql);
    const rows = run(values);
    this.#statements.set(sql, run);
    return rows;
  }
}

/**
 * Returns a function that runs a statement. The rows of a query come as one JSON text: that takes 40 instead of 105 us
 * for 20 rows, and the driver's own rows lose what follows U+0000 in a text.
 */
function prepare(database: Libsql.Database, text: string): (values: readonly Value[]) => readonly object[] {
  const sql = text.replaceAll(/\$(?=\d)/g, '?');
  const statement = database.prepare(sql);
  if (!statement.reader)
    return (values) => {
      statement.run(values);
      return [];
    };
  if (!/^\s*(SELECT|WITH)\b/.test(sql)) return (values) => statement.all(values) as object[];
  const columns = statement.columns().map(({ name }) => `'${name}', "${name}"`);
  const asJson = database.prepare(`SELECT json_group_array(json_object(${columns.join(', ')})) FROM (${sql})`).raw();
  return (values) => JSON.parse((asJson.get(values) as [string])[0]) as object[];
}
