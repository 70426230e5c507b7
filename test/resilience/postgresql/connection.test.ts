import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { PostgresConnection } from '../../../adapters/sql/postgresql/connection.js';
import { DomainError } from '../../../application/index.js';
import { describePostgres, type PostgresPlace } from '../../support/postgres.js';

describePostgres('A connection to PostgreSQL', (newPlace) => {
  let pool: pg.Pool;
  let connection: PostgresConnection;
  let place: PostgresPlace;
  before(async () => {
    place = await newPlace();
    pool = new pg.Pool({ connectionString: place.url, max: 2 });
    connection = new PostgresConnection(pool, place.schema);
  });
  after(() => pool.end());

  const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
  const SETTINGS = `SELECT current_setting('transaction_isolation') AS isolation,
    current_setting('transaction_read_only') AS read_only, current_setting('statement_timeout') AS time,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('synchronous_commit') AS sync`;

  it('sets locally what each kind of transaction needs, and leaves the session as it was', async () => {
    await pool.query('SET default_transaction_isolation = serializable; SET synchronous_commit = off');
    const written = { isolation: 'read committed', read_only: 'off', idle: '3s', sync: 'on' };
    const read = { ...written, isolation: 'repeatable read', read_only: 'on' };
    const settings = async (query: PostgresConnection['query']) => (await query(SETTINGS))[0];
    expect(await connection.transaction(settings)).to.deep.equal({ ...written, time: '5s' });
    expect(await connection.build(settings)).to.deep.equal({ ...written, time: '0' });
    expect(await connection.search(settings)).to.deep.equal({ ...read, time: '5s' });
    expect(await connection.check(settings)).to.deep.equal({ ...read, time: '0' });
    expect((await pool.query(SETTINGS)).rows).to.deep.equal([
      { isolation: 'serializable', read_only: 'off', time: '0', idle: '0', sync: 'off' },
    ]);
    expect((await pool.query('SELECT * FROM pg_prepared_statements')).rows).to.deep.equal([]);
    await pool.query('RESET ALL');
  });

  it('gives up a read after 2 s, and throws its connection away', async () => {
    const [{ pid }] = (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    const begun = performance.now();
    const failure = await failureOf(connection.query('SELECT pg_sleep(4)'));
    expect(failure).to.include({ kind: 'unavailable', message: 'PostgreSQL cannot be reached: Query read timeout' });
    expect(performance.now() - begun).to.be.above(1_900);
    const [next] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(next?.pid).not.to.equal(pid);
  });

  it('gives up a search after 5 s', async () => {
    const failure = await failureOf(connection.search((query) => query('SELECT pg_sleep(10)')));
    expect(failure).to.include({ kind: 'unavailable', code: 'search-too-slow' });
  });

  it('gives up a call that gets no connection of the pool', async () => {
    const taken = [await pool.connect(), await pool.connect()];
    expect(await failureOf(connection.query('SELECT 1'))).to.include({
      kind: 'unavailable',
      message: 'PostgreSQL cannot be reached: no connection of the pool has become free',
    });
    for (const client of taken) client.release();
    expect(await connection.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    expect(pool.idleCount, 'connections that came back').to.equal(pool.totalCount);
  });

  it('loses a transaction in which the process does nothing for 3 s', async () => {
    const stalled = connection.transaction(async (query) => {
      await query('SELECT 1');
      await setTimeout(4_000);
      await query('SELECT 1');
    });
    expect(await failureOf(stalled))
      .to.be.instanceOf(DomainError)
      .and.to.include({ kind: 'unavailable' });
  });

  it('searches one state of the store', async () => {
    await connection.transaction((query) => query(`CREATE TABLE ${connection.dialect.prefix}seen (n int)`));
    const count = `SELECT count(*) AS count FROM ${connection.dialect.prefix}seen`;
    await connection.search(async (query) => {
      const before = await query(count);
      await connection.transaction((write) => write(`INSERT INTO ${connection.dialect.prefix}seen VALUES (1)`));
      expect(await query(count)).to.deep.equal(before);
    });
    expect(await connection.query(count)).to.deep.equal([{ count: 1 }]);
  });

  const pidOf = async (query: PostgresConnection['query']) => (await query<{ pid: number }>(PID))[0]?.pid ?? 0;
  const PID = 'SELECT pg_backend_pid() AS pid';

  it('closes a session that began while the server took no writes, and writes on another', async () => {
    const table = `${connection.dialect.prefix}written`;
    await connection.transaction((query) => query(`CREATE TABLE ${table} (n int)`));
    const stale = await connection.query('SET default_transaction_read_only = on').then(() => pidOf(connection.query));
    await connection.transaction((query) => query(`INSERT INTO ${table} VALUES (1)`));
    expect(await connection.query(`SELECT n FROM ${table}`)).to.deep.equal([{ n: 1 }]);
    expect((await pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [stale])).rows).to.deep.equal([]);
    expect(await connection.ping()).to.equal('ready');
  });

  it('is read-only where new sessions are, refuses a write at once, and writes when they do', async () => {
    const url = new URL(place.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const own = new pg.Pool({ connectionString: url.href, max: 2 });
    const other = new PostgresConnection(own, place.schema);
    const write = () => other.transaction((query) => query(`CREATE TABLE ${other.dialect.prefix}refused (n int)`));
    expect(await other.ping()).to.equal('read-only');
    const failure = await failureOf(write());
    expect(failure).to.include({ kind: 'unavailable', code: 'store-read-only' });
    expect(String(failure)).to.include('PostgreSQL takes no writes at the moment: cannot execute CREATE TABLE');
    expect(own.totalCount, 'connections that were kept').to.equal(0);
    await own.end();
  });

  it('closes a connection whose session the server has ended, and asks nothing more of it', async () => {
    const pid = await pidOf(connection.query);
    const failure = await failureOf(
      connection.transaction((query) => query('SELECT pg_terminate_backend(pg_backend_pid())')),
    );
    expect(failure).to.include({ kind: 'unavailable', code: 'store-unavailable' });
    expect(await pidOf(connection.query)).not.to.equal(pid);
  });

  it('names no machine, user or database of the connection string in an error or its cause', async () => {
    const { hostname, port } = new URL(place.url);
    for (const url of [
      `postgres://test@canary.invalid:${port}/postgres`,
      `postgres://canary@${hostname}:${port}/postgres`,
      `postgres://test@${hostname}:${port}/canary`,
      `postgres://test@127.0.0.1:1/canary`,
    ]) {
      const own = new pg.Pool({ connectionString: url });
      const failure = (await failureOf(new PostgresConnection(own, 'public').query('SELECT 1'))) as Error;
      expect(failure).to.include({ kind: 'unavailable' });
      const shown = [failure.stack, (failure.cause as Error).stack, (failure.cause as Error).message].join();
      expect(shown.replaceAll(/\(.*?\)|at .*/g, '')).to.not.match(/canary|127\.0\.0\.1/);
      await own.end();
    }
  });

  it('rejects work that goes on after a statement of it has failed', async () => {
    const ignoring = connection.transaction((query) => query('SELECT 1 / 0').catch(() => []));
    expect(String(await failureOf(ignoring))).to.include('nothing was stored');
  });

  it('is closed for all calls, and leaves the pool to the host', async () => {
    const other = new PostgresConnection(pool, 'public');
    await other.close();
    await other.close();
    for (const call of [other.query('SELECT 1'), other.transaction((query) => query('SELECT 1'))])
      expect(await failureOf(call)).to.include({ kind: 'unavailable', code: 'store-closed' });
    expect((await pool.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
  });
});
