import { expect } from 'chai';
import Libsql from 'libsql';
import { checkStore } from '../../../adapters/sql/check.js';
import type { Query } from '../../../adapters/sql/connection.js';
import { SqliteConnection } from '../../../adapters/sql/sqlite/connection.js';
import { translated } from '../../../adapters/sql/sqlite/failures.js';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { GAMES, TOOLS, at, automationIdOf, mixedOffers, query, storeMany } from '../../contracts/offers.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { Stores } from '../../integration/sqlite/stores.js';

const SIZE = 2_000;

/** What hands can do to the counts. Each leaves the automations as they are. */
const DAMAGES: Readonly<Record<string, string>> = {
  'all rows deleted': 'DELETE FROM counts',
  'every third row deleted': 'DELETE FROM counts WHERE block % 3 = 0',
  'the large blocks deleted': 'DELETE FROM counts WHERE size = 16384',
  'plausible false counts': 'UPDATE counts SET on_sale = (on_sale * 7 + block) % 256',
  'impossible counts': `UPDATE counts SET
    on_sale = CASE block % 3 WHEN 0 THEN -900000000 WHEN 1 THEN 900000000 ELSE 70000 END`,
  'counts of blocks that do not exist': `INSERT INTO counts VALUES
    (256, 'tools', -5, 100), (16384, 'tools', 9000000000000, 100), (256, 'games', 4000, 100000), (256, 'none', 3, 9)`,
};

describe('Counts that were damaged by hand while the service runs', () => {
  const stores = new Stores();
  let one: SqliteStorage;
  let other: SqliteStorage;
  let hand: Libsql.Database;
  const filled = newSqliteFile();
  before(async () => {
    const storage = await stores.prepared(filled);
    await storeMany(storage.automations, mixedOffers(SIZE));
    await stores.close();
  });
  beforeEach(async () => {
    const file = stores.copyOf(filled);
    [one, other] = [stores.storage(file), stores.storage(file)];
    hand = new Libsql(file, { timeout: 5_000 });
    for (const { automations } of [one, other]) expect((await automations.list(query(1, 10))).total).to.equal(SIZE);
  });
  afterEach(async () => {
    hand.close();
    await stores.close();
  });

  /** Asks for pages, counts and changes, none of which may fail. */
  async function useAll(storage: SqliteStorage, n: number): Promise<void> {
    const { automations } = storage;
    for (const category of [undefined, TOOLS, GAMES])
      for (const page of [1, 7, 50, 199, 200, 201, 10_000]) await automations.list(query(page, 10, category));
    await automations.countByCategory();
    await automations.add([mixedOffers(SIZE + n).at(-1) ?? expect.fail()]);
    expect(await automations.withdraw(automationIdOf(n), { at: at(0), by: 'developer' })).to.equal('withdrawn');
  }

  async function assertRight(storage: SqliteStorage, handle: string): Promise<void> {
    const count = (condition: string) =>
      (hand.prepare(`SELECT count(*) FROM automations WHERE ${condition}`).raw().get() as [number])[0];
    const onSale = 'withdrawn_at IS NULL';
    const { total, items } = await storage.automations.list(query(1, 10));
    expect([total, items.length], handle).to.deep.equal([count(onSale), 10]);
    const counts = await storage.automations.countByCategory();
    expect(counts.get(TOOLS), handle).to.equal(count(`${onSale} AND category_id = 'tools'`));
    expect(counts.get(GAMES), handle).to.equal(count(`${onSale} AND category_id = 'games'`));
    const last = await storage.automations.list(query(Math.ceil(total / 10), 10));
    expect(last.items, handle).to.have.length(total % 10 === 0 ? 10 : total % 10);
  }

  for (const [name, sql] of Object.entries(DAMAGES))
    it(`${name}: no request fails, and a check with repair makes them right, in every process`, async () => {
      hand.exec(sql);
      await useAll(one, 1);
      await useAll(other, 2);
      await useAll(stores.storage(fileOf(hand)), 3);
      const found = await one.check({ repair: false });
      expect(found).not.to.deep.equal([]);
      expect(found.every(({ repaired }) => !repaired)).to.equal(true);
      const repaired = await one.check({ repair: true });
      expect(repaired.every((each) => each.repaired)).to.equal(true);
      await assertRight(one, 'the one that repaired');
      await assertRight(other, 'another');
      expect(await other.check({ repair: false })).to.deep.equal([]);
      await useAll(one, 4);
      await useAll(other, 5);
      await assertRight(one, 'afterwards');
      await assertRight(other, 'another, afterwards');
    });

  it('two processes that repair at once repair them once', async () => {
    hand.exec('DELETE FROM counts');
    await Promise.all([one, other].map((storage) => storage.check({ repair: true })));
    expect(await one.check({ repair: false })).to.deep.equal([]);
  });

  it('a repair counts while others may write, and its transaction reads no automations', async () => {
    const locked: string[] = [];
    class Watched extends SqliteConnection {
      override build<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
        return super.build((query) =>
          work((sql, values) => {
            locked.push(sql);
            return query(sql, values);
          }),
        );
      }
    }
    hand.exec('DELETE FROM counts');
    const connection = stores.keep(new Watched(fileOf(hand)));
    expect(await checkStore(connection, true)).not.to.deep.equal([]);
    expect(locked).not.to.deep.equal([]);
    expect(locked.filter((sql) => sql.includes('automations'))).to.deep.equal([]);
    await assertRight(one, 'after the repair');
  });

  it('are described by category and numbers', async () => {
    hand.exec(`UPDATE counts SET on_sale = 100 WHERE size = 256 AND block = 1 AND category_id IN ('tools', '')`);
    expect(await one.check({ repair: true })).to.deep.equal([
      { description: 'all categories, numbers 256 to 511: counted 100, there are 256', repaired: true },
      { description: 'category "tools", numbers 256 to 511: counted 100, there are 128', repaired: true },
    ]);
  });

  it('automations deleted, copied and moved by hand are counted at once', async () => {
    hand.exec(`DELETE FROM automations WHERE number IN (5, 300, 2000);
      UPDATE automations SET category_id = 'games' WHERE number BETWEEN 500 AND 600;
      UPDATE automations SET number = 5000 WHERE number = 7;
      INSERT INTO automations (number, id, category_id, developer_id, title, price, currency, created_at, updated_at,
        description)
        SELECT number + 10000, 'copy-' || id, category_id, developer_id, title, price, currency, created_at, updated_at,
        description FROM automations WHERE number BETWEEN 10 AND 20`);
    for (const storage of [one, other]) await assertRight(storage, 'at once');
    expect(await one.check({ repair: true })).to.deep.equal([
      { description: 'the search index has other words for 16 automations', repaired: true },
    ]);
    expect(await one.check({ repair: false })).to.deep.equal([]);
    await useAll(one, 1);
  });

  it('damage of the file itself is found, and said to be for a backup', async () => {
    hand.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'WHERE withdrawn_at IS NULL', 'WHERE withdrawn_at IS NOT NULL')
      WHERE name = 'on_sale_by_developer'`);
    const found = await stores.storage(fileOf(hand)).check({ repair: true });
    expect(found).not.to.deep.equal([]);
    for (const { description, repaired } of found) {
      expect(description).to.match(/^the file is damaged: .*on_sale_by_developer/);
      expect(repaired).to.equal(false);
    }
  });

  it('a check lets other requests in between', async () => {
    const order: string[] = [];
    const checked = one.check({ repair: false }).then(() => order.push('checked'));
    await new Promise((resolve) => setImmediate(resolve));
    const listed = one.automations.list(query(1, 10)).then(() => order.push('listed'));
    await Promise.all([checked, listed]);
    expect(order).to.deep.equal(['listed', 'checked']);
  });
});

function fileOf(database: Libsql.Database): string {
  const [row] = database.prepare('PRAGMA database_list').all() as { file: string }[];
  return row?.file ?? expect.fail();
}

describe('An SQLite file that takes no writes', () => {
  it('is unavailable for a write, which is told from a file that is out of reach', () => {
    for (const [code, kind] of [
      ['SQLITE_READONLY', 'store-read-only'],
      ['SQLITE_READONLY_DIRECTORY', 'store-read-only'],
      ['SQLITE_IOERR', 'store-unavailable'],
    ]) {
      const error = Object.assign(new Error('attempt to write a readonly database'), { code });
      expect(translated(error, 'store.db')).to.include({ kind: 'unavailable', code: kind });
    }
  });
});
