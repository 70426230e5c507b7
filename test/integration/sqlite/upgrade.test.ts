import { expect } from 'chai';
import Libsql from 'libsql';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../../adapters/sqlite/index.js';
import { invitation } from '../../contracts/developers.js';
import { apiKey, assertKept } from '../../contracts/keys.js';
import { ADA, at } from '../../contracts/offers.js';
import { Workplace } from '../../support/process.js';

/** What the file had not before developers had accounts. */
const YOUNGER = ['developers', 'sessions', 'audit'];

describe('An SQLite file from before developers had accounts', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
    const database = new SqliteDatabase(place.database);
    await new SqliteApiKeyRepository(database).add(apiKey(1));
    database.close();
    const file = new Libsql(place.database);
    for (const table of YOUNGER) file.exec(`DROP TABLE ${table}`);
    file.exec('PRAGMA user_version = 1');
    file.close();
  });
  afterEach(() => place.clear());

  it('is brought up to date, keeps what it had, and takes them then', async () => {
    const database = new SqliteDatabase(place.database);
    await assertKept(new SqliteApiKeyRepository(database), apiKey(1));
    const developers = new SqliteDeveloperRepository(database);
    await developers.invite(ADA, invitation(1), at(0));
    expect(await developers.list()).to.have.length(1);
    expect(await new SqliteSessionRepository(database).endExpired(at(0))).to.equal(0);
    expect(await new SqliteAuditLog(database).list({ limit: 1 })).to.deep.equal([]);
    database.close();
  });

  it('is so again when two processes open it at once', async () => {
    const runs = await Promise.all([1, 2].map(() => place.run(['developers', 'list', '--json'])));
    for (const { code, stdout } of runs) expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '[]\n' });
  });
});
