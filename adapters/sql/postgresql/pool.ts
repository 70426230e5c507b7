/** A statement, as the driver takes it. */
export interface Statement {
  readonly text: string;
  readonly values: (string | number | null)[];
  readonly types: TypeParsers;
  /** The milliseconds after which the driver gives up. */
  readonly query_timeout: number;
}

/** How the driver reads values. */
export interface TypeParsers {
  /** Returns what reads the values of a type, by its number. */
  readonly getTypeParser: (type: number) => (text: string) => unknown;
}

/** The outcome of a statement, as the driver returns it. */
export interface StatementResult {
  /** The first word of the statement, such as `SELECT`. */
  readonly command: string;
  /** How many rows it returned or changed; null where it does neither. */
  readonly rowCount: number | null;
  readonly rows: readonly unknown[];
}

/** A connection that was taken from a pool. */
export interface PooledClient {
  /** Runs a statement. */
  query(statement: Statement): Promise<StatementResult>;
  /** Puts it back into the pool, or closes it. */
  release(close?: boolean): void;
  /** Adds a listener to the loss of the connection. */
  on(event: 'error', listener: () => void): unknown;
  /** Removes it. */
  off(event: 'error', listener: () => void): unknown;
}

/** A `Pool` of any copy of `pg` 8 (https://node-postgres.com/apis/pool). */
export interface PostgresPool {
  /** Takes a connection, or makes one. */
  connect(): Promise<PooledClient>;
  /** Adds a listener to the loss of an idle connection. */
  on(event: 'error', listener: () => void): unknown;
}

/** The number of a type of integers: int8, int2 and int4. */
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);

/** Reads integers as numbers, and all else as it is written. It leaves the host's parsers of types alone. */
const TYPES: TypeParsers = {
  getTypeParser: (type) => (INTEGERS.has(type) ? Number : String),
};

/** Returns a statement without a name: a named one belongs to a session, and a pooler shares those. */
export function statement(text: string, values: readonly (string | number | null)[], limitMs: number): Statement {
  return { text, values: [...values], types: TYPES, query_timeout: limitMs };
}

const ignore = () => undefined;

const guarded = new WeakSet<PostgresPool>();

/** Lets the process go on when an idle connection is lost. The pool makes another one for the next call. */
export function surviveLostConnections(pool: PostgresPool): void {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on('error', ignore);
}

/** Takes a connection. One that comes too late goes back. @throws Error when there is none after this time. */
export async function takeClient(pool: PostgresPool, limitMs: number): Promise<PooledClient> {
  const connecting = pool.connect();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const client = await Promise.race([connecting, tooLate]).finally(() => clearTimeout(timer));
  if (client === undefined) {
    connecting.then((late) => late.release(), ignore);
    throw new Error('no connection of the pool has become free');
  }
  client.on('error', ignore);
  return client;
}

/** Puts a connection back, or closes one that may be in the middle of something. */
export function giveBack(client: PooledClient, isUsable: boolean): void {
  client.off('error', ignore);
  client.release(!isUsable);
}
