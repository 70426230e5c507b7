import { DomainError, notPrepared } from 'automation-marketplace';
import pg from 'pg';

/** Runs a statement, and returns its rows. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const MAX_WAIT_MS = 10_000;
const MAX_ATTEMPTS = 20;
const NOT_STORABLE = /\0|\p{Surrogate}/u;

/** A PostgreSQL database. Its failures are those that the ports name. */
export class Database {
  readonly #pool: pg.Pool;

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({
      connectionString,
      connectionTimeoutMillis: MAX_WAIT_MS,
      query_timeout: MAX_WAIT_MS,
      // Ends the locks of a process that the server cannot reach any more.
      idle_in_transaction_session_timeout: MAX_WAIT_MS,
    });
    // A connection that is lost must not end the process. The call that uses it rejects.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** Returns the rows of a statement that writes nothing. No row has a text that PostgreSQL cannot store. */
  async read<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (values.some((value) => typeof value === 'string' && NOT_STORABLE.test(value))) return [];
    return (await this.#pool.query<Row>(text, [...values]).catch(throwIfLost('unavailable'))).rows;
  }

  /** Runs one statement that writes. */
  async execute(text: string, values: readonly unknown[]): Promise<void> {
    await this.change(text, values);
  }

  /** Runs one statement that writes, and returns its rows. */
  change<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.write((query) => query<Row>(text, values));
  }

  /** Runs statements in a transaction. After one of these errors, such as that of a deadlock, it runs them again. */
  async write<Result>(work: (query: Query, attempt: number) => Promise<Result>, errors = /^40/): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transaction((query) => work(query, attempt));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !errors.test(sqlStateOf(error))) throw error;
      }
    }
  }

  /** Ends the connections. Calls afterwards reject as `unavailable`, since the pool has none. */
  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch(throwIfLost('unavailable'));
    const query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values]).catch(throwIfLost('unavailable'))).rows;
    try {
      await query('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await work(query);
      await client.query('COMMIT').catch(throwIfLost('outcome-unknown'));
      client.release();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  }
}

/** Returns a function that throws this error in place of one that says that a unique index has such a row. */
export function throwIfDuplicate(taken: DomainError): (error: unknown) => never {
  return (error) => {
    throw sqlStateOf(error) === '23505' ? taken : error;
  };
}

/** Returns the row without the columns that are null: they are the fields that the value lacks. */
export function withoutNulls<Value>(row: { readonly [Field in keyof Value]: Value[Field] | null }): Value {
  return Object.fromEntries(Object.entries(row).filter(([, field]) => field !== null)) as Value;
}

/** Returns the code that the server gave the error. An error without one is about the connection. */
function sqlStateOf(error: unknown): string {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : '';
}

/** Returns a function that throws such an error if the server could not be reached, was full, or was about to end. */
function throwIfLost(kind: 'unavailable' | 'outcome-unknown'): (error: unknown) => never {
  return (cause) => {
    // There is no such table.
    if (sqlStateOf(cause) === '42P01') throw notPrepared();
    if (!/^(08|53|57P|$)/.test(sqlStateOf(cause))) throw cause;
    const code = kind === 'unavailable' ? 'store-unavailable' : 'no-answer';
    throw new DomainError(kind, code, 'PostgreSQL cannot be reached', [], { cause });
  };
}
