import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../../domain/errors.js';
import type { StoreState } from '../../../domain/ports.js';
import { searchFailure } from '../../../domain/search-failure.js';
import type { Query, SqlConnection } from '../connection.js';
import type { Value } from '../dialect.js';
import { postgresDialect } from './dialect.js';
import {
  commitFailure,
  isBehind,
  isLasting,
  isReadOnly,
  isTransient,
  readOnlySession,
  sqlStateOf,
  storeClosed,
  translated,
} from './failures.js';
import {
  giveBack,
  statement,
  surviveLostConnections,
  takeClient,
  type PooledClient,
  type PostgresPool,
} from './pool.js';
import { makeSchema } from './requirements.js';
import { advanceSequences } from './sequences.js';

const READ_MS = 2_000;
const WRITE_MS = 5_000;
const SEARCH_MS = 5_000;
/** The longest time of a timer. */
const NO_LIMIT_MS = 2_147_483_647;

/** The least time for a commit: one that got no answer may have been stored. */
const MIN_COMMIT_MS = 1_000;

/** The server ends a transaction whose process does nothing for this long, and with it the locks. */
const IDLE_MS = 3_000;

const MAX_ATTEMPTS = 20;

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

const SESSION = "SELECT current_setting('transaction_read_only') AS state";

/** A kind of transaction. Everything in it is set locally, since the connection may come from a pooler. */
interface Mode {
  readonly begin: string;
  readonly isReadOnly: boolean;
}

const WRITE = mode('READ COMMITTED', WRITE_MS);
const BUILD = mode('READ COMMITTED', NO_LIMIT_MS);
const SEARCH = mode('REPEATABLE READ READ ONLY', SEARCH_MS);
const CHECK = mode('REPEATABLE READ READ ONLY', NO_LIMIT_MS);

/** Returns a kind of transaction that begins, with its settings, by one message. */
function mode(level: string, limitMs: number): Mode {
  const settings = {
    statement_timeout: limitMs === NO_LIMIT_MS ? 0 : limitMs,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: IDLE_MS,
    synchronous_commit: 'on',
  };
  const lines = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  return { begin: [`BEGIN ISOLATION LEVEL ${level}`, ...lines].join('; '), isReadOnly: level.endsWith('READ ONLY') };
}

/** A PostgreSQL database over the pool of a host, which may lead to a pooler such as PgBouncer. */
export class PostgresConnection implements SqlConnection {
  readonly dialect;
  #isFull = false;
  #isClosed = false;
  /** The connections that were used before. */
  readonly #used = new WeakSet<PooledClient>();

  constructor(
    private readonly pool: PostgresPool,
    private readonly schema: string,
  ) {
    this.dialect = postgresDialect(schema);
    surviveLostConnections(pool);
  }

  readonly query: Query = (sql, values) => {
    const deadline = performance.now() + READ_MS;
    return this.#withClient(deadline, (client) => run(client, deadline, sql, values));
  };

  async transaction<Result>(
    work: (query: Query) => Promise<Result>,
    again: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const deadline = performance.now() + WRITE_MS;
    for (let attempt = 1; ; attempt += 1)
      try {
        const result = await this.#transact(WRITE, deadline, work);
        this.#isFull = false;
        return result;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'store-full') this.#isFull = true;
        const isLast = attempt === MAX_ATTEMPTS || performance.now() > deadline;
        if (isLast || !(isTransient(error) || isBehind(error) || again(error))) throw error;
        if (isBehind(error))
          await this.#transact(WRITE, deadline, (query) => advanceSequences(query, this.dialect.prefix));
        await setTimeout(Math.random() * attempt);
      }
  }

  async search<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + SEARCH_MS;
    try {
      return await this.#transact(SEARCH, deadline, work);
    } catch (error) {
      const isTooSlow = sqlStateOf(error) === '57014' || performance.now() >= deadline;
      throw isTooSlow ? searchFailure('search-too-slow', { cause: error }) : error;
    }
  }

  check<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact(CHECK, Infinity, work);
  }

  build<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#transact(BUILD, Infinity, async (query) => {
      await makeSchema(query, this.schema);
      return work(query);
    });
  }

  /** A session of a standby, or of a database that was made read-only, says so itself. */
  async ping(): Promise<StoreState> {
    const deadline = performance.now() + READ_MS;
    try {
      await this.#withClient(deadline, async (client) => {
        const [session] = await run<{ state: string }>(client, deadline, SESSION);
        if (session?.state === 'on') throw readOnlySession();
      });
      return this.#isFull ? 'read-only' : 'ready';
    } catch (error) {
      if (isReadOnly(error)) return 'read-only';
      throw error;
    }
  }

  /** The pool stays open: it is the host's. */
  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  #transact<Result>(
    { begin, isReadOnly }: Mode,
    deadline: number,
    work: (query: Query) => Promise<Result>,
  ): Promise<Result> {
    return this.#withClient(deadline, async (client) => {
      await run(client, deadline, begin);
      const result = await work((sql, values) => run(client, deadline, sql, values));
      await (isReadOnly ? run(client, deadline, 'COMMIT') : commit(client, deadline));
      return result;
    });
  }

  /**
   * Runs work on a connection. After a failure it is put back when it could be rolled back. A session that takes no
   * writes may have begun when the server took none, so the next one is asked, up to a new one.
   */
  async #withClient<Result>(deadline: number, work: (client: PooledClient) => Promise<Result>): Promise<Result> {
    for (;;) {
      if (this.#isClosed) throw storeClosed();
      const client = await takeClient(this.pool, millisecondsTo(deadline)).catch(throwTranslated);
      const isNew = !this.#used.has(client);
      this.#used.add(client);
      try {
        const result = await work(client);
        giveBack(client, true);
        return result;
      } catch (error) {
        giveBack(client, await isRolledBack(client, error));
        if (isNew || !isReadOnly(error)) throw error;
      }
    }
  }
}

/**
 * Runs one statement. In place of a text that PostgreSQL cannot store goes one that is nowhere, so that a statement
 * finds nothing by it. @throws Error when a statement with such a text has changed a row.
 */
async function run<Row extends object>(
  client: PooledClient,
  deadline: number,
  sql: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  const given = values.map((value) => (isUnstorable(value) ? randomBytes(16).toString('hex') : value));
  const sent = statement(sql, given, millisecondsTo(deadline));
  const { command, rowCount, rows } = await client.query(sent).catch(throwTranslated);
  if (command !== 'SELECT' && rowCount !== 0 && values.some(isUnstorable))
    throw new Error('PostgreSQL stores neither U+0000 nor half of a surrogate pair; nothing was stored');
  return rows as readonly Row[];
}

function isUnstorable(value: Value): boolean {
  return typeof value === 'string' && UNSTORABLE.test(value);
}

/** The server answers the commit of a transaction that has failed with ROLLBACK. */
async function commit(client: PooledClient, deadline: number): Promise<void> {
  const limitMs = Math.max(MIN_COMMIT_MS, millisecondsTo(deadline));
  const { command } = await client.query(statement('COMMIT', [], limitMs)).catch((error: unknown) => {
    throw commitFailure(error);
  });
  if (command !== 'COMMIT') throw new Error('a statement of the transaction has failed, and nothing was stored');
}

/** A connection without an answer to its last statement is not used again. */
async function isRolledBack(client: PooledClient, error: unknown): Promise<boolean> {
  if (error instanceof DomainError && (error.kind === 'outcome-unknown' || isOfConnection(error))) return false;
  if (isLasting(error)) return false;
  return client.query(statement('ROLLBACK', [], READ_MS)).then(
    () => true,
    () => false,
  );
}

/** Returns whether there was no answer of the server. */
function isOfConnection(error: DomainError): boolean {
  return error.kind === 'unavailable' && error.cause !== undefined && sqlStateOf(error) === '';
}

function millisecondsTo(deadline: number): number {
  return Math.min(NO_LIMIT_MS, Math.max(1, Math.ceil(deadline - performance.now())));
}

function throwTranslated(error: unknown): never {
  throw translated(error);
}
