import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { DomainError, type DeveloperId, type Storage } from '../../../application/index.js';
import { PostgresConnection } from '../../../adapters/sql/postgresql/connection.js';
import { apiKey } from '../../contracts/keys.js';
import { ADA, at, auditEntry, numbers, offer, USD } from '../../contracts/offers.js';
import { describePostgres, runSql, startPostgres, type PostgresPlace } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';

const FULL = `RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';`;

describePostgres('PostgreSQL that fails', (newPlace) => {
  let place: PostgresPlace;
  let table: (name: string) => string;
  let storage: Storage;
  beforeEach(async function () {
    this.timeout(60_000);
    place = await newPlace();
    table = (name) => `"${place.schema}".${name}`;
    storage = openPostgres(place, {}, { application_name: place.schema });
    await storage.prepare({ currency: USD });
  });
  afterEach(() => storage.close());

  const sql = (...statements: readonly string[]) => runSql(place.url, ...statements);
  const total = async () => (await storage.automations.list({ page: { number: 1, limit: 1 } })).total;
  const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

  /** Ends the connections of the storage whose statement has this form. */
  const cut = (statement = '') =>
    sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = '${place.schema}' AND query ~ '^\\s*${statement}'`);

  /** Has a statement run at each new automation: a trigger for rows, or one that waits for the commit. */
  const atEachAutomation = (body: string, kind = 'TRIGGER', when = '') =>
    sql(
      `CREATE OR REPLACE FUNCTION ${table('injected()')} RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN ${body} RETURN NULL; END $$`,
      `CREATE ${kind} injected AFTER INSERT ON ${table('automations')} ${when}
       FOR EACH ROW EXECUTE FUNCTION ${table('injected()')}`,
    );

  it('is unavailable where there is no server, with the reason in words', async () => {
    const absent = openPostgres({ url: 'postgres://test@127.0.0.1:1/postgres', schema: 'public' });
    for (const call of [() => absent.ping(), () => absent.automations.add([offer(1)]), () => absent.categories.list()])
      expect(await failureOf(call()))
        .to.include({ kind: 'unavailable', code: 'store-unavailable' })
        .and.to.have.property('message', 'PostgreSQL cannot be reached: connect ECONNREFUSED 127.0.0.1:1');
    await absent.close();
  });

  it('is unavailable once the server has stopped, and the process goes on', async () => {
    const server = await startPostgres();
    const other = openPostgres({ url: server.url, schema: 'market' });
    await other.prepare({ currency: USD });
    await server.stop();
    for (const call of [() => other.ping(), () => other.automations.add([offer(1)])])
      expect(await failureOf(call())).to.include({ kind: 'unavailable', code: 'store-unavailable' });
    await other.close();
  }).timeout(60_000);

  it('loses idle connections, and the next call has another one', async () => {
    await storage.ping();
    await cut();
    await setTimeout(200);
    await storage.ping();
  });

  it('is unavailable when the connection is lost before the end of a transaction, and nothing is stored', async () => {
    const locked = sql(`BEGIN; LOCK TABLE ${table('audit')}; SELECT pg_sleep(2)`);
    await setTimeout(200);
    const adding = failureOf(storage.automations.add([offer(1, { auditEntry: auditEntry(1) })]));
    await setTimeout(500);
    await cut('INSERT INTO .*audit');
    expect(await adding).to.include({ kind: 'unavailable' });
    await locked;
    expect(await total()).to.equal(0);
  });

  it('leaves the outcome unknown when the connection is lost during COMMIT', async () => {
    await atEachAutomation('PERFORM pg_sleep(3);', 'CONSTRAINT TRIGGER', 'DEFERRABLE INITIALLY DEFERRED');
    const adding = failureOf(storage.automations.add([offer(1)]));
    await setTimeout(500);
    await cut('COMMIT');
    expect(await adding).to.include({ kind: 'outcome-unknown', code: 'no-answer' });
  });

  it('stores nothing when the disk is full, says so, and can be read', async () => {
    await storage.automations.add([offer(1)]);
    await atEachAutomation(FULL);
    const failure = await failureOf(storage.automations.add([offer(2)]));
    expect(failure).to.include({ kind: 'unavailable', code: 'store-full' });
    expect((failure as Error).message).to.equal(
      'PostgreSQL has no room left: could not extend file: No space left on device',
    );
    expect(await storage.ping()).to.equal('read-only');
    expect(await total()).to.equal(1);
    await sql(`DROP TRIGGER injected ON ${table('automations')}`);
    await storage.automations.add([offer(2)]);
    expect(await storage.ping()).to.equal('ready');
  });

  it('stores an offer once after deadlocks and serialization failures', async () => {
    await sql(`CREATE SEQUENCE ${table('attempts')}`);
    await atEachAutomation(
      `IF nextval('${table('attempts')}') < 3 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40P01'; END IF;`,
    );
    expect(await storage.automations.add([offer(1)])).to.deep.equal([{ outcome: 'stored' }]);
    expect(await total()).to.equal(1);
  });

  it('is unavailable when deadlocks do not end', async () => {
    await atEachAutomation(`RAISE EXCEPTION 'again' USING ERRCODE = '40001';`);
    expect(await failureOf(storage.automations.add([offer(1)]))).to.include({ kind: 'unavailable' });
    expect(await total()).to.equal(0);
  });

  it('gives up a write that waits for a lock after 5 s, and nothing is stored', async () => {
    const locker = new pg.Client(place.url);
    await locker.connect();
    await locker.query(`BEGIN; LOCK TABLE ${table('automations')} IN EXCLUSIVE MODE`);
    const begun = performance.now();
    expect(await failureOf(storage.automations.add([offer(1)]))).to.include({ kind: 'unavailable' });
    expect(performance.now() - begun).to.be.within(4_500, 6_000);
    await locker.end();
    await setTimeout(500);
    expect(await total()).to.equal(0);
  }).timeout(20_000);

  it('goes on when a sequence is below the highest number, and a check reports and repairs that', async () => {
    await storage.automations.add(numbers(100).map((n) => offer(n)));
    const damage = () => sql(`SELECT setval('${table('automations_number_seq')}', 1)`);
    await damage();
    expect(await storage.automations.add([offer(101)])).to.deep.equal([{ outcome: 'stored' }]);
    for (const n of numbers(30)) await storage.developers.register(`developer-${n}` as DeveloperId, at(n));
    await sql(`SELECT setval('${table('developers_position_seq')}', 1)`);
    expect(await storage.developers.register(ADA, at(0))).to.equal(true);
    for (const n of numbers(30)) await storage.keys.add(apiKey(n));
    await sql(`SELECT setval('${table('api_keys_position_seq')}', 1)`);
    await storage.keys.add(apiKey(31));
    await damage();
    const description = 'the sequence of the table automations is below its highest number';
    expect(await storage.check({ repair: false })).to.deep.equal([{ description, repaired: false }]);
    expect(await storage.check({ repair: true })).to.deep.equal([{ description, repaired: true }]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    expect(await total()).to.equal(101);
  });

  it('finds nothing for a text that it cannot store', async () => {
    for (const id of ['oauth:\0', 'oauth:\uD800']) {
      const developerId = id as DeveloperId;
      expect(await storage.developers.find(developerId)).to.equal(undefined);
      expect(await storage.developers.suspend(developerId, new Date(), { keepOneOperator: true })).to.equal(undefined);
      expect(await storage.auditLog.list({ developerId, limit: 1 })).to.deep.equal([]);
      expect(await storage.archive.scan({ developerId, order: 'oldest-first', limit: 1 })).to.deep.equal([]);
      expect(await failureOf(storage.developers.register(developerId, new Date()))).to.be.an('error');
    }
  });

  it('reads integers as numbers whatever the parsers of the host', async () => {
    const types = { getTypeParser: () => () => 'of the host' } as unknown as pg.CustomTypesConfig;
    const own = openPostgres(place, {}, { types });
    await own.automations.add([offer(1)]);
    expect(await own.automations.list({ page: { number: 1, limit: 1 } })).to.deep.include({ total: 1 });
    await own.close();
  });
});

describePostgres('A connection to PostgreSQL', (newPlace) => {
  let pool: pg.Pool;
  let connection: PostgresConnection;
  before(async function () {
    this.timeout(60_000);
    const { url, schema } = await newPlace();
    pool = new pg.Pool({ connectionString: url, max: 2 });
    connection = new PostgresConnection(pool, schema);
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
    const failure = await failureOf(connection.query('SELECT pg_sleep(10)'));
    expect(failure).to.include({ kind: 'unavailable', message: 'PostgreSQL cannot be reached: Query read timeout' });
    expect(performance.now() - begun).to.be.within(1_900, 3_000);
    const [next] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(next?.pid).not.to.equal(pid);
  }).timeout(10_000);

  it('gives up a search after 5 s', async () => {
    const failure = await failureOf(connection.search((query) => query('SELECT pg_sleep(10)')));
    expect(failure).to.include({ kind: 'unavailable', code: 'search-too-slow' });
  }).timeout(10_000);

  it('gives up a call that gets no connection of the pool', async () => {
    const taken = [await pool.connect(), await pool.connect()];
    expect(await failureOf(connection.query('SELECT 1'))).to.include({
      kind: 'unavailable',
      message: 'PostgreSQL cannot be reached: no connection of the pool has become free',
    });
    for (const client of taken) client.release();
    expect(await connection.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    expect(pool.idleCount, 'connections that came back').to.equal(pool.totalCount);
  }).timeout(10_000);

  it('loses a transaction in which the process does nothing for 3 s', async () => {
    const stalled = connection.transaction(async (query) => {
      await query('SELECT 1');
      await setTimeout(4_000);
      await query('SELECT 1');
    });
    expect(await failureOf(stalled))
      .to.be.instanceOf(DomainError)
      .and.to.include({ kind: 'unavailable' });
  }).timeout(10_000);

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
