import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { CategoryId, DeveloperId, OAuthRecord, Storage } from '../../../application/index.js';
import { activation, invitation, inviting } from '../../contracts/developers.js';
import { apiKey } from '../../contracts/keys.js';
import { ADA, at, auditEntry, automation, numbers, offer, revise, USD, withdrawal } from '../../contracts/offers.js';
import { describePgBouncer, startPgBouncer } from '../../support/pgbouncer.js';
import {
  describeOwnPostgres,
  describePostgres,
  newPostgresPlace,
  runSql,
  startPostgres,
  type PostgresPlace,
} from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';
import { everythingIn } from './paused-writes.js';
import { session } from '../../contracts/sessions.js';

const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

/** Asserts that reads and writes are unavailable, and returns why. */
async function assertUnavailable(storage: Storage): Promise<readonly string[]> {
  const calls = [() => storage.ping(), () => storage.automations.add([offer(1)]), () => storage.categories.list()];
  const failures = await Promise.all(calls.map((call) => failureOf(call())));
  for (const failure of failures) expect(failure).to.include({ kind: 'unavailable', code: 'store-unavailable' });
  return failures.map((failure) => (failure as Error).message);
}

const FULL = `RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';`;

/** Declares what happens to a store on the server of the tests, or on a pooler in front of it. */
function failures(through: () => string | undefined): void {
  let place: PostgresPlace;
  let table: (name: string) => string;
  let storage: Storage;
  /** The connections of the storage, as the server has them. */
  let connections: string;
  beforeEach(async () => {
    place = await newPostgresPlace();
    connections = `pg_stat_activity WHERE application_name = '${place.schema}'`;
    table = (name) => `"${place.schema}".${name}`;
    const store = { ...place, url: through() ?? place.url };
    storage = openPostgres(store, {}, { application_name: place.schema });
    await storage.prepare({ currency: USD });
  });
  afterEach(() => storage.close());

  const sql = (...statements: readonly string[]) => runSql(place.url, ...statements);
  const lock = async (what: string) => {
    const client = new pg.Client(place.url);
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${what}`);
    return client;
  };
  const total = async () => (await storage.automations.list({ page: { number: 1, limit: 1 } })).total;
  const until = async (condition: string) => {
    while ((await sql(`SELECT ${condition} AS is_so`))[0]?.['is_so'] !== true) await setTimeout(20);
  };
  /** Ends the connections of the storage that are at a statement of this form, once there is one. */
  const cut = async (statement: string) => {
    const those = `${connections} AND state <> 'idle' AND query ~ '^\\s*${statement}'`;
    await until(`EXISTS (SELECT FROM ${those})`);
    await sql(`SELECT pg_terminate_backend(pid) FROM ${those}`);
  };

  /** Has a statement run at each new automation: a trigger for rows, or one that waits for the commit. */
  const atEachAutomation = (body: string, kind = 'TRIGGER', when = '') =>
    sql(
      `CREATE OR REPLACE FUNCTION ${table('injected()')} RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN ${body} RETURN NULL; END $$`,
      `CREATE ${kind} injected AFTER INSERT ON ${table('automations')} ${when}
       FOR EACH ROW EXECUTE FUNCTION ${table('injected()')}`,
    );

  it('loses idle connections, and the next call has another one', async () => {
    await storage.ping();
    await sql(`SELECT pg_terminate_backend(pid) FROM ${connections}`);
    await until(`NOT EXISTS (SELECT FROM ${connections})`);
    await storage.ping();
  });

  it('is unavailable when the connection is lost in a transaction, and stores nothing', async () => {
    const locker = await lock(table('audit'));
    const adding = failureOf(storage.automations.add([offer(1, { auditEntry: auditEntry(1) })]));
    await cut('INSERT INTO .*audit');
    expect(await adding).to.include({ kind: 'unavailable' });
    await locker.end();
    expect(await total()).to.equal(0);
  });

  it('leaves the outcome unknown when the connection is lost during COMMIT', async () => {
    await atEachAutomation('PERFORM pg_sleep(3);', 'CONSTRAINT TRIGGER', 'DEFERRABLE INITIALLY DEFERRED');
    const adding = failureOf(storage.automations.add([offer(1)]));
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
    const locker = await lock(`${table('automations')} IN EXCLUSIVE MODE`);
    const begun = performance.now();
    expect(await failureOf(storage.automations.add([offer(1)]))).to.include({ kind: 'unavailable' });
    expect(performance.now() - begun).to.be.above(4_500);
    await locker.end();
    await until(`NOT EXISTS (SELECT FROM ${connections} AND state <> 'idle')`);
    expect(await total()).to.equal(0);
  });

  it('goes on when a sequence is below the highest number, and a check reports and repairs that', async () => {
    await storage.automations.add(numbers(100).map((n) => offer(n)));
    const damage = () => sql(`SELECT setval('${table('automations_number_seq')}', 1)`);
    await damage();
    expect(await storage.automations.add([offer(101)])).to.deep.equal([{ outcome: 'stored' }]);
    for (const n of numbers(30))
      await storage.developers.register(`developer-${n}` as DeveloperId, { at: at(n), entries: [] });
    await sql(`SELECT setval('${table('developers_position_seq')}', 1)`);
    expect(await storage.developers.register(ADA, { at: at(0), entries: [] })).to.equal(true);
    for (const n of numbers(30)) await storage.keys.add({ key: apiKey(n), entries: [] });
    await sql(`SELECT setval('${table('api_keys_position_seq')}', 1)`);
    await storage.keys.add({ key: apiKey(31), entries: [] });
    await damage();
    const description = 'the sequence of the table automations is below its highest number';
    expect(await storage.check({ repair: false })).to.deep.equal([{ description, repaired: false }]);
    expect(await storage.check({ repair: true })).to.deep.equal([{ description, repaired: true }]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    expect(await total()).to.equal(101);
  });

  it('finds nothing for a text that it cannot store', async () => {
    for (const id of ['ada\0', 'ada\uD800']) {
      const developerId = id as DeveloperId;
      expect(await storage.developers.find(developerId)).to.equal(undefined);
      expect(
        await storage.developers.suspend(developerId, { at: new Date(), keepOneOperator: true, entries: [] }),
      ).to.equal(undefined);
      expect(await storage.auditLog.list({ developerId, limit: 1 })).to.deep.equal([]);
      expect(await storage.archive.scan({ developerId, order: 'oldest-first', limit: 1 })).to.deep.equal([]);
      expect(await failureOf(storage.developers.register(developerId, { at: new Date(), entries: [] }))).to.be.an(
        'error',
      );
    }
  });

  it('stores no text that it cannot hold: each write of one fails, and nothing of it is stored', async () => {
    const { automations, categories, developers, keys, auditLog, oauthRecords } = storage;
    const one = automation(1, { developerId: ADA });
    await automations.add([{ automation: one }]);
    await developers.invite(ADA, inviting(invitation(1), at(0)));
    await keys.add({ key: apiKey(1), entries: [] });
    const record = { kind: 'app', id: 'one', content: {} };
    const writes: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
      'a create': (title) => automations.add([offer(2, { title })]),
      'a revision': (title) => revise(automations, one, { title }),
      'the reason of a withdrawal': (reason) => automations.withdraw(one.id, withdrawal(1, { reason })),
      'a category': (name) => categories.save([{ id: 'x' as CategoryId, name }]),
      'a public name': (publicName) => developers.setProfile(ADA, { profile: { publicName }, entries: [] }),
      'a website': (website) => developers.setProfile(ADA, { profile: { website }, entries: [] }),
      'a name to sign in with': (name) => developers.activate(invitation(1).hash, activation(name, { at: at(0) })),
      'an invitation': (hash) => developers.invite('bob' as DeveloperId, inviting({ ...invitation(2), hash }, at(0))),
      'a key': (name) => keys.add({ key: { ...apiKey(2), name }, entries: [] }),
      'the name of a key': (name) => keys.rename(apiKey(1).id, { name, entries: [] }),
      'a session': (hash) =>
        developers.activate(invitation(1).hash, activation('Ada', { session: { ...session(1), hash } })),
      'an entry of the audit': (file) => auditLog.append([{ ...auditEntry(1), file }]),
      'a record': async (uid) => oauthRecords?.upsert({ ...record, uid } as OAuthRecord),
      'an address': (address) => storage.prepare({ address }),
    };
    const before = await everythingIn(storage);
    for (const text of ['a\0b', 'a\uD800b'])
      for (const [what, write] of Object.entries(writes))
        expect(await failureOf(write(text)), `${what} with ${JSON.stringify(text)}`).to.be.an('error');
    expect(await everythingIn(storage)).to.deep.equal(before);
  });

  it('reads integers as numbers whatever the parsers of the host', async () => {
    const types = { getTypeParser: () => () => 'of the host' } as unknown as pg.CustomTypesConfig;
    const own = openPostgres(place, {}, { types });
    await own.automations.add([offer(1)]);
    expect(await own.automations.list({ page: { number: 1, limit: 1 } })).to.deep.include({ total: 1 });
    await own.close();
  });
}

describePostgres('PostgreSQL that fails', () => {
  failures(() => undefined);

  it('is unavailable where there is no server, with the reason in words', async () => {
    const absent = openPostgres({ url: 'postgres://test@127.0.0.1:1/postgres', schema: 'public' });
    for (const message of await assertUnavailable(absent))
      expect(message).to.equal('PostgreSQL cannot be reached: connect ECONNREFUSED');
    await absent.close();
  });
});

describePgBouncer('PostgreSQL that fails behind PgBouncer', (pooled) => failures(pooled));

describeOwnPostgres('PostgreSQL that ends', () => {
  it('is unavailable once the server has stopped, and the process goes on', async () => {
    const server = await startPostgres();
    const other = openPostgres({ url: server.url, schema: 'market' });
    await other.prepare({ currency: USD });
    await server.stop();
    await assertUnavailable(other);
    await other.close();
  });

  describePgBouncer('behind PgBouncer', () => {
    it('is unavailable while the server is away, or the pooler, and good again when they are back', async () => {
      const server = await startPostgres();
      const pooler = await startPgBouncer(server.url);
      const other = openPostgres({ url: pooler.url, schema: 'market' });
      await other.prepare({ currency: USD });
      await server.restart(async () => void (await assertUnavailable(other)));
      while ((await other.ping().catch(() => undefined)) !== 'ready') await setTimeout(100);
      await pooler.stop();
      await assertUnavailable(other);
      await other.close();
      await server.stop();
    });
  });
});
