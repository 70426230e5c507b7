import { expect } from 'chai';
import Libsql from 'libsql';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { USD } from '../../contracts/offers.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { readConfig } from '../../../composition/config/config.js';
import { openStore } from '../../../composition/program/store.js';
import { Workplace } from '../../support/process.js';

describe('A store that the service cannot work with is refused and left alone', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  /** That the service does not start over this folder, and with which words for people. */
  async function expectRefused(why: RegExp, folder = place.folder): Promise<void> {
    const refusal = await openStore(readConfig({ DATA_DIR: folder })).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Error).with.property('message').that.matches(why);
  }

  it('the file of a newer version', async () => {
    const storage = sqliteStorage(place.database);
    await storage.prepare({ currency: USD });
    await storage.close();
    change(place.database, `UPDATE settings SET value = '999' WHERE name = 'schema'; PRAGMA wal_checkpoint(TRUNCATE)`);
    const before = readFileSync(place.database);
    const { code, stdout, stderr } = await place.run(['serve']);
    expect(stderr).to.match(/^\/.*\/marketplace\.db was written by a newer version of this program: .+\n$/);
    expect(stdout).to.equal('');
    expect(code).to.equal(1);
    expect(readFileSync(place.database).equals(before)).to.equal(true);
  });

  it('the database of another program', async () => {
    change(place.database, 'CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)');
    const before = readFileSync(place.database);
    await expectRefused(/^\/.*\/marketplace\.db is an SQLite database of another program/);
    expect(readFileSync(place.database).equals(before)).to.equal(true);
  });

  it('the database of another program that counts its schema as we do', async () => {
    change(place.database, 'CREATE TABLE songs (title TEXT); PRAGMA application_id = 1');
    await expectRefused(/^\/.*\/marketplace\.db is an SQLite database of another program/);
  });

  it('a text', async () => {
    const text = 'This is no database.\n'.repeat(100);
    writeFileSync(place.database, text);
    await expectRefused(/^\/.*\/marketplace\.db cannot be opened as a store: .*not a database/);
    expect(readFileSync(place.database, 'utf8')).to.equal(text);
  });

  it('a folder where the file should be', async () => {
    mkdirSync(place.database);
    await expectRefused(
      /^\/.*\/marketplace\.db cannot be opened as a store: it must be a file that this user may read and write$/,
    );
  });

  it('a data folder that cannot be made', async () => {
    writeFileSync(place.path('file'), '');
    await expectRefused(/^DATA_DIR must name a folder/, place.path('file'));
    await expectRefused(/^DATA_DIR must name a folder/, place.path('file/below'));
    await expectRefused(/^DATA_DIR must name a folder/, '/proc/none/below');
  });

  it('a data folder that is made, level by level, is for its user alone', async () => {
    const { storage } = await openStore(readConfig({ DATA_DIR: place.path('new/below') }));
    await storage.close();
    for (const folder of ['new', 'new/below']) expect(statSync(place.path(folder)).mode & 0o777).to.equal(0o700);
  });
});

describe('The files of a store', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('are for its user alone, also in a folder that was there', async () => {
    chmodSync(place.folder, 0o755);
    const service = await place.serve();
    const files = readdirSync(place.folder);
    expect(files).to.have.members(['marketplace.db', 'marketplace.db-shm', 'marketplace.db-wal']);
    for (const name of files) expect(statSync(place.path(name)).mode & 0o777, name).to.equal(0o600);
    await service.stop();
  });

  it('keep the rights that they were given', async () => {
    await (await place.serve()).stop();
    chmodSync(place.database, 0o640);
    await (await place.serve()).stop();
    expect(statSync(place.database).mode & 0o777).to.equal(0o640);
  });

  it('are not made by a command that needs a store, which names DATA_DIR instead', async () => {
    const mistyped = place.path('mistyped');
    mkdirSync(place.path('empty'));
    for (const words of [
      ['backup', place.path('copy')],
      ['automations', 'export', place.path('copy')],
      ['keys', 'list'],
      ['audit'],
      ['developers', 'suspend', 'ada'],
    ])
      for (const folder of [mistyped, place.path('empty')]) {
        const { code, stdout, stderr } = await place.run(words, { DATA_DIR: folder });
        expect({ code, stdout }, words.join(' ')).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.match(
          new RegExp(`^DATA_DIR must name a folder with a store: there is no ${folder}/marketplace\\.db\\. .*\n$`),
        );
      }
    expect(readdirSync(place.folder)).to.deep.equal(['empty']);
    expect(readdirSync(place.path('empty'))).to.deep.equal([]);
  });

  it('are made by a command that puts the first into a store', async () => {
    const issue = ['keys', 'issue', '--developer', 'ada'];
    const { code, stdout, stderr } = await place.run(issue, { DATA_DIR: place.path('new') });
    expect(code).to.equal(0);
    expect(stderr).to.match(new RegExp(`^new store: ${place.path('new')}/marketplace\\.db\n`));
    expect((await place.run(issue, { DATA_DIR: place.path('new') })).stderr).not.to.include('new store');
    expect(stdout).to.match(/^amk_/);
    expect((await place.run(['keys', 'list'], { DATA_DIR: place.path('new') })).code).to.equal(0);
  });
});

function change(file: string, sql: string): void {
  const database = new Libsql(file, { timeout: 5_000 });
  database.exec(sql);
  database.close();
}
