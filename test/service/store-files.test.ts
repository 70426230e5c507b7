import { expect } from 'chai';
import Libsql from 'libsql';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { SqliteDatabase } from '../../adapters/sqlite/index.js';
import { readConfig } from '../../composition/config.js';
import { compose } from '../../composition/container.js';
import { Workplace } from '../support/process.js';

describe('A store that the service cannot work with is refused and left alone', function () {
  this.timeout(30_000);
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  /** That the service does not start over this folder, and with which words for people. */
  async function expectRefused(why: RegExp, folder = place.folder): Promise<void> {
    const refusal = await compose(readConfig({ DATA_DIR: folder })).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Error).with.property('message').that.matches(why);
  }

  it('the file of a newer version', async () => {
    new SqliteDatabase(place.database).close();
    change(place.database, 'PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
    const before = readFileSync(place.database);
    const { code, stdout, stderr } = await place.run(['serve']);
    expect(stderr).to.match(/^\S+marketplace\.db was written by a newer version of this program: .+\n$/);
    expect(stdout).to.equal('');
    expect(code).to.equal(1);
    expect(readFileSync(place.database).equals(before)).to.equal(true);
  });

  it('the database of another program', async () => {
    change(place.database, 'CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)');
    const before = readFileSync(place.database);
    await expectRefused(/marketplace\.db is an SQLite database of another program/);
    expect(readFileSync(place.database).equals(before)).to.equal(true);
  });

  it('the database of another program that counts its schema as we do', async () => {
    change(place.database, 'CREATE TABLE songs (title TEXT); PRAGMA user_version = 1');
    await expectRefused(/marketplace\.db is an SQLite database of another program/);
  });

  it('a text', async () => {
    const text = 'This is no database.\n'.repeat(100);
    writeFileSync(place.database, text);
    await expectRefused(/marketplace\.db cannot be opened as a store: .*not a database/);
    expect(readFileSync(place.database, 'utf8')).to.equal(text);
  });

  it('a folder where the file should be', async () => {
    mkdirSync(place.database);
    await expectRefused(/marketplace\.db cannot be opened as a store: it must be a file that this user may read and write$/);
  });

  it('a data folder that cannot be made', async () => {
    writeFileSync(place.path('file'), '');
    await expectRefused(/^DATA_DIR must name a folder/, place.path('file'));
    await expectRefused(/^DATA_DIR must name a folder/, place.path('file/below'));
    await expectRefused(/^DATA_DIR must name a folder/, '/proc/none/below');
  });

  it('a data folder that is made, level by level, is for its user alone', async () => {
    const { store } = await compose(readConfig({ DATA_DIR: place.path('new/below') }));
    await store.close();
    for (const folder of ['new', 'new/below']) expect(statSync(place.path(folder)).mode & 0o777).to.equal(0o700);
  });
});

function change(file: string, sql: string): void {
  const database = new Libsql(file);
  database.exec(sql);
  database.close();
}
