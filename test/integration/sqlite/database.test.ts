import { expect } from 'chai';
import Libsql from 'libsql';
import { fork } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import {
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDeveloperRepository,
} from '../../../adapters/sqlite/index.js';
import { ConnectionExecutor } from '../../../adapters/sqlite/executor.js';
import { writesOf } from '../../../adapters/sqlite/writes.js';
import { openConnection, prepareRows } from '../../../adapters/sqlite/connection.js';
import { DomainError } from '../../../domain/errors.js';
import { invitation } from '../../contracts/developers.js';
import { ADA, at, automationIdOf, offer, query, USD } from '../../contracts/offers.js';
import { failureOf } from '../../unit/domain/failure.js';
import { Stores } from './stores.js';

describe('A database on SQLite', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  it('syncs each commit to the disk before it is acknowledged', () => {
    const connection = openConnection(stores.newFile());
    const valueOf = (pragma: string) => connection.prepare(`PRAGMA ${pragma}`).raw().get();
    expect([valueOf('synchronous'), valueOf('journal_mode')]).to.deep.equal([[2], ['wal']]);
    connection.close();
  });

  it('whose commit fails cannot tell whether it was done, and goes on', async () => {
    const file = stores.newFile();
    stores.database(file);
    const connection = openConnection(file);
    connection.exec(`PRAGMA foreign_keys = ON;
      CREATE TABLE children (category TEXT REFERENCES categories DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER fail AFTER INSERT ON settings WHEN new.value = 'EUR'
        BEGIN INSERT INTO children VALUES ('none'); END;`);
    const writer = new ConnectionExecutor(connection, 'IMMEDIATE', writesOf(connection));
    const { kind, code } = await failureOf(() => writer.run('recordCurrency', ['EUR' as typeof USD]));
    expect([kind, code]).to.deep.equal(['outcome-unknown', 'commit-failed']);
    expect(await writer.run('recordCurrency', [USD])).to.equal('USD');
    await writer.close();
  });

  it('that is closed is unavailable, whatever is asked of it; to close it again is no error', async () => {
    for (const file of [':memory:', stores.newFile()]) {
      const database = await stores.prepared(file);
      const [categories, automations] = [
        new SqliteCategoryRepository(database),
        new SqliteAutomationRepository(database),
      ];
      await categories.save([]);
      await database.close();
      await database.close();
      const asked = [
        () => categories.list(),
        () => categories.save([]),
        () => automations.list(query(1, 10)),
        () => automations.find(automationIdOf(1)),
        () => database.ping(),
        () => database.backup(stores.newFile()),
      ];
      for (const ask of asked) expect((await failureOf(ask)).kind).to.equal('unavailable');
    }
  });

  it('that is closed while it waits for another process is unavailable, and nothing was done', async () => {
    const file = stores.newFile();
    const ours = stores.database(file);
    const another = new Libsql(file);
    another.exec('BEGIN IMMEDIATE');
    const failure = failureOf(() => ours.write('recordCurrency', USD));
    await setTimeout(300);
    await ours.close();
    expect((await failure).kind).to.equal('unavailable');
    another.exec('COMMIT');
    expect(another.prepare('SELECT count(*) FROM settings').raw().get()).to.deep.equal([0]);
    another.close();
  });

  it('lets a write end that was asked for before it is closed', async () => {
    const database = await stores.prepared(stores.newFile());
    const added = new SqliteAutomationRepository(database).add([offer(1)]);
    await database.close();
    expect(await added).to.deep.equal([{ outcome: 'stored' }]);
  });

  it('reads while a write waits for another process', async () => {
    const file = stores.newFile();
    const database = await stores.prepared(file);
    const automations = new SqliteAutomationRepository(database);
    await automations.add([offer(1)]);
    const another = new Libsql(file);
    another.exec('BEGIN IMMEDIATE');
    const added = automations.add([offer(2)]);
    const start = performance.now();
    for (let n = 0; n < 20; n += 1) expect((await automations.list(query(1, 10))).total).to.equal(1);
    expect(performance.now() - start).to.be.below(1_000);
    another.exec('COMMIT');
    another.close();
    expect(await added).to.deep.equal([{ outcome: 'stored' }]);
  });

  it('has a total that fits the page while automations are added', async () => {
    for (const file of [':memory:', stores.newFile()]) {
      const automations = new SqliteAutomationRepository(await stores.prepared(file));
      await automations.add([offer(1)]);
      await automations.list(query(1, 10));
      const [{ items, total }] = await Promise.all([automations.list(query(1, 20)), automations.add([offer(2)])]);
      expect(items, file).to.have.length(total);
      expect((await automations.list(query(1, 20))).total, file).to.equal(2);
    }
  });

  it('reads on with a statement that failed once', () => {
    const connection = openConnection(stores.newFile());
    const rows = prepareRows<{ value: string }>(connection, ['value'], 'FROM (SELECT json(?) AS value)');
    for (const value of ['1', '2']) {
      for (let failure = 0; failure < 2; failure += 1) expect(() => rows('{')).to.throw('malformed JSON');
      expect(rows(value)).to.deep.equal([{ value }]);
    }
    connection.close();
  });

  it('rejects with the errors of the domain, kind, code, fields and all', async () => {
    for (const file of [':memory:', stores.newFile()]) {
      const developers = new SqliteDeveloperRepository(await stores.prepared(file));
      for (const n of [1, 2]) await developers.invite(n === 1 ? ADA : ('bob' as typeof ADA), invitation(n), at(0));
      const activate = (n: number) =>
        developers.activate(invitation(n).hash, { signInName: 'ada', passwordHash: 'x', at: at(0) });
      expect(await activate(1)).to.equal(true);
      const error = await activate(2).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(DomainError).with.property('code', 'sign-in-name-taken');
      expect((error as DomainError).fields).to.have.length(1);
    }
  });

  it('goes on after its thread has ended: what was under way is unknown, the next write is done', async () => {
    const database = await stores.prepared(stores.newFile());
    const automations = new SqliteAutomationRepository(database);
    await automations.add([offer(1)]);
    const poisoned = { ...offer(2), automation: Object.assign({}, offer(2).automation, { title: () => 'none' }) };
    expect(await automations.add([poisoned as never]).catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await automations.add([offer(3)])).to.deep.equal([{ outcome: 'stored' }]);
  });

  it('does not keep its process alive', async () => {
    const child = fork(new URL('./idle-process.js', import.meta.url), [stores.newFile()]);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).to.equal(0);
  }).timeout(20_000);

  it('is made once when eight processes open a new file at once', async () => {
    const file = stores.newFile();
    const children = Array.from({ length: 8 }, () => fork(new URL('./idle-process.js', import.meta.url), [file]));
    const codes = await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    expect(codes).to.deep.equal(Array.from({ length: 8 }, () => 0));
    const automations = new SqliteAutomationRepository(stores.database(file));
    expect((await automations.list(query(1, 10))).total).to.equal(8);
  }).timeout(30_000);
});
