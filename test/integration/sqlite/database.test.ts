import { expect } from 'chai';
import Libsql from 'libsql';
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { SqliteConnection } from '../../../adapters/sql/sqlite/connection.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { DomainError } from '../../../domain/errors.js';
import { activation, invitation, inviting } from '../../contracts/developers.js';
import { ADA, at, automationIdOf, numbers, offer, query, storeMany, USD } from '../../contracts/offers.js';
import { failureOf } from '../../unit/domain/failure.js';
import { byHand, readByHand, Stores } from './stores.js';

describe('A store in an SQLite file', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  it('is synced to the disk at each commit, before it is acknowledged', async () => {
    const connection = stores.keep(new SqliteConnection(stores.newFile()));
    const [row] = await connection.query(
      'SELECT synchronous, journal_mode FROM pragma_synchronous, pragma_journal_mode',
    );
    expect(row).to.deep.equal({ synchronous: 2, journal_mode: 'wal' });
  });

  it('is refused in memory, with a sentence that names what is for that', () => {
    for (const file of [':memory:', ''])
      expect(() => sqliteStorage(file)).to.throw(/inMemoryStorage\(\) of \.\/in-memory/);
  });

  it('whose commit fails cannot tell whether it was done, and goes on', async () => {
    const connection = stores.keep(new SqliteConnection(stores.newFile()));
    await connection.build(async (run) => {
      await run('PRAGMA defer_foreign_keys = ON');
      await run('CREATE TABLE parents (id TEXT PRIMARY KEY)');
      await run('CREATE TABLE children (parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED)');
    });
    await connection.use((database) => database.exec('PRAGMA foreign_keys = ON'));
    const insert = (table: string) => () =>
      connection.transaction((run) => run(`INSERT INTO ${table} VALUES ('none')`));
    const { kind, code } = await failureOf(insert('children'));
    expect([kind, code]).to.deep.equal(['outcome-unknown', 'commit-failed']);
    await insert('parents')();
    expect(await connection.query('SELECT id FROM parents')).to.deep.equal([{ id: 'none' }]);
  });

  it('that is closed is unavailable, whatever is asked of it; to close it again is no error', async () => {
    const { automations, categories, ...storage } = await stores.prepared();
    await categories.save([]);
    await storage.close();
    await storage.close();
    const asked = [
      () => categories.list(),
      () => categories.save([]),
      () => automations.list(query(1, 10)),
      () => automations.find(automationIdOf(1)),
      () => storage.search.search({ page: { number: 1, limit: 10 }, order: 'newest' }),
      () => storage.check({ repair: false }),
      () => storage.ping(),
      () => storage.backup(stores.newFile()),
    ];
    for (const ask of asked) expect((await failureOf(ask)).kind).to.equal('unavailable');
  });

  it('that is closed while it waits for another process is unavailable, and nothing was done', async () => {
    const file = stores.newFile();
    const ours = await stores.prepared(file);
    const another = new Libsql(file, { timeout: 5_000 });
    another.exec('BEGIN IMMEDIATE');
    const failure = failureOf(() => ours.automations.add([offer(1)]));
    await setTimeout(300);
    await ours.close();
    expect((await failure).kind).to.equal('unavailable');
    another.exec('COMMIT');
    another.close();
    expect(readByHand(file, 'SELECT count(*) FROM automations')).to.deep.equal([0]);
  });

  it('lets a write end that was asked for before it is closed, and rejects a check', async () => {
    const storage = await stores.prepared();
    const added = storage.automations.add([offer(1)]);
    const checked = storage.check({ repair: false }).catch((error: unknown) => error);
    await storage.close();
    expect(await added).to.deep.equal([{ outcome: 'stored' }]);
    expect(await checked).to.include({ kind: 'unavailable', code: 'store-closed' });
  });

  it('reads while a write waits for another process', async () => {
    const file = stores.newFile();
    const { automations } = await stores.prepared(file);
    await automations.add([offer(1)]);
    const another = new Libsql(file, { timeout: 5_000 });
    another.exec('BEGIN IMMEDIATE');
    let isSettled = false;
    const added = automations.add([offer(2)]).finally(() => (isSettled = true));
    for (let n = 0; n < 20; n += 1) expect((await automations.list(query(1, 10))).total).to.equal(1);
    expect(isSettled, 'the write is done before the reads').to.equal(false);
    another.exec('COMMIT');
    another.close();
    expect(await added).to.deep.equal([{ outcome: 'stored' }]);
  });

  it('has a total that fits the page while automations are added', async () => {
    const { automations } = await stores.prepared();
    await automations.add([offer(1)]);
    const [{ items, total }] = await Promise.all([automations.list(query(1, 20)), automations.add([offer(2)])]);
    expect(items).to.have.length(total);
    expect((await automations.list(query(1, 20))).total).to.equal(2);
  });

  it('lists what another process has committed, also when it kept the page', async () => {
    const file = stores.newFile();
    const [one, other] = [await stores.prepared(file), stores.storage(file)];
    for (let n = 1; n <= 5; n += 1) {
      await one.automations.add([offer(n)]);
      for (const { automations } of [one, other]) expect((await automations.list(query(1, 20))).total).to.equal(n);
    }
  });

  it('reads on with a statement that failed once', async () => {
    const connection = stores.keep(new SqliteConnection(stores.newFile()));
    const rows = (value: string) => connection.query('SELECT json($1) AS value', [value]);
    for (const value of ['1', '2']) {
      for (let failure = 0; failure < 2; failure += 1)
        expect(await rows('{').catch((error: unknown) => error)).to.have.property('message', 'malformed JSON');
      expect(await rows(value)).to.deep.equal([{ value }]);
    }
  });

  it('rejects with the errors of the domain, kind, code, fields and all', async () => {
    const { developers } = await stores.prepared();
    for (const n of [1, 2])
      await developers.invite(n === 1 ? ADA : ('bob' as typeof ADA), inviting(invitation(n), at(0)));
    const activate = (n: number) => developers.activate(invitation(n).hash, activation('ada', { at: at(0) }));
    expect(await activate(1)).to.equal(true);
    const error = await activate(2).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'sign-in-name-taken');
    expect((error as DomainError).fields).to.have.length(1);
  });

  it('rejects with the cause of a failure in a thread', async () => {
    const file = stores.newFile();
    const { automations } = await stores.prepared(file);
    byHand(file, `CREATE TRIGGER stop BEFORE INSERT ON automations BEGIN SELECT raise(ABORT, 'stopped'); END`);
    const error = await automations.add([offer(1)]).catch((reason: unknown) => reason);
    expect(error).to.include({ message: 'stopped', code: 'SQLITE_CONSTRAINT_TRIGGER' });
  });

  it('names the file when it is damaged', async () => {
    const file = stores.newFile();
    const intact = await stores.prepared(file);
    await storeMany(
      intact.automations,
      numbers(1_000).map((n) => offer(n)),
    );
    await intact.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x55, Math.floor(bytes.length * 0.8)));
    const { automations, archive } = stores.storage(file);
    const calls = [() => automations.add([offer(1_001)]), () => archive.scan({ order: 'newest-first', limit: 1_000 })];
    for (const call of calls) {
      const failure = await failureOf(call);
      expect([failure.kind, failure.code]).to.deep.equal(['unavailable', 'store-damaged']);
      expect(failure.message).to.include(file);
      expect(failure.cause)
        .to.have.property('code')
        .that.matches(/^SQLITE_(CORRUPT|NOTADB)$/);
    }
  });

  it('goes on after a call whose arguments cannot be sent', async () => {
    const { automations } = await stores.prepared();
    const poisoned = { ...offer(2), automation: Object.assign({}, offer(2).automation, { title: () => 'none' }) };
    expect(await automations.add([poisoned as never]).catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await automations.add([offer(3)])).to.deep.equal([{ outcome: 'stored' }]);
  });

  it('does not keep its process alive', async () => {
    const child = fork(new URL('./idle-process.js', import.meta.url), [stores.newFile()]);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).to.equal(0);
  });

  it('is made once when eight processes open a new file at once', async () => {
    const file = stores.newFile();
    const children = Array.from({ length: 8 }, () => fork(new URL('./idle-process.js', import.meta.url), [file]));
    const codes = await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    expect(codes).to.deep.equal(Array.from({ length: 8 }, () => 0));
    expect((await stores.storage(file).automations.list(query(1, 10))).total).to.equal(8);
  });

  it('of another currency is refused, and stays as it was', async () => {
    const file = stores.newFile();
    await stores.prepared(file);
    const failure = await failureOf(() => stores.storage(file).prepare({ currency: 'EUR' as typeof USD }));
    expect(failure.code).to.equal('other-currency');
    expect(readByHand(file, `SELECT value FROM settings WHERE name = 'currency'`)).to.deep.equal(['USD']);
  });
});
