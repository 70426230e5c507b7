import { DomainError, type Currency, type DeveloperId, type Storage } from 'automation-marketplace';
import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { auditEntry, numbers, offer } from '../../contracts/offers.js';
import { describePostgres, runSql } from '../../support/postgres.js';
import { postgresStorage } from './storage.js';

const OTHERS = `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`;
const TERMINATE = (condition: string) => `SELECT pg_terminate_backend(pid) FROM (${OTHERS} AND ${condition}) AS others`;
const SLOW_COMMIT = `
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(5); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON automations DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait()`;

describePostgres('PostgreSQL that fails', (newUrl) => {
  let url = '';
  let storage: Storage;
  beforeEach(async () => {
    url = await newUrl();
    storage = postgresStorage(url);
    await storage.prepare({ currency: 'USD' as Currency });
  });
  afterEach(() => storage.close());

  /** Ends the connections of the storage on which statements of this form run, and how the call ended. */
  async function cut(call: Promise<unknown>, statement: string): Promise<unknown> {
    const outcome = call.catch((error: unknown) => (error instanceof DomainError ? error.kind : error));
    await setTimeout(500);
    await runSql(url, TERMINATE(`query ~ '^\\s*${statement}'`));
    return outcome;
  }

  const total = async () => (await storage.automations.list({ page: { number: 1, limit: 1 } })).total;

  it('is unavailable where there is no server, also to writes', async () => {
    const absent = postgresStorage('postgres://test@127.0.0.1:1/postgres');
    for (const call of [() => absent.ping(), () => absent.automations.add([offer(1)]), () => absent.categories.list()])
      expect(await call().catch((error: unknown) => error)).to.include({ kind: 'unavailable', name: 'DomainError' });
    await absent.close();
  });

  it('loses idle connections, and the next call has another one', async () => {
    await storage.ping();
    await runSql(url, TERMINATE('true'));
    await setTimeout(200);
    await storage.ping();
  });

  it('is unavailable when the connection is lost before the end of a transaction, and nothing is stored', async () => {
    const locked = runSql(url, 'BEGIN; LOCK TABLE audit; SELECT pg_sleep(2)');
    await setTimeout(200);
    const adding = storage.automations.add([offer(1, { auditEntry: auditEntry(1) })]);
    expect(await cut(adding, 'INSERT INTO audit')).to.equal('unavailable');
    await locked;
    expect(await total()).to.equal(0);
  });

  it('leaves the outcome unknown when the connection is lost during COMMIT', async () => {
    await runSql(url, SLOW_COMMIT);
    expect(await cut(storage.automations.add([offer(1)]), 'COMMIT')).to.equal('outcome-unknown');
  });

  it('goes on when the sequence is below the highest number, and a check reports and repairs that', async () => {
    await storage.automations.add(numbers(100).map((n) => offer(n)));
    const damage = () => runSql(url, "SELECT setval('automations_number_seq', 1)");
    await damage();
    expect(await storage.automations.add([offer(101)])).to.deep.equal([{ outcome: 'stored' }]);
    await damage();
    const description = 'the sequence is below the highest number';
    expect(await storage.check({ repair: false })).to.deep.equal([{ description, repaired: false }]);
    expect(await storage.check({ repair: true })).to.deep.equal([{ description, repaired: true }]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    expect(await total()).to.equal(101);
  });

  it('finds nothing for a text that it cannot store', async () => {
    for (const id of ['oauth:\0', 'oauth:\uD800']) {
      const developerId = id as DeveloperId;
      expect(await storage.developers.find(developerId)).to.equal(undefined);
      expect(await storage.auditLog.list({ developerId, limit: 1 })).to.deep.equal([]);
      expect(await storage.archive.scan({ developerId, order: 'oldest-first', limit: 1 })).to.deep.equal([]);
    }
  });
});
