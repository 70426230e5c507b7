import { expect } from 'chai';
import Libsql from 'libsql';
import type { SqliteStorage } from '../../../adapters/sqlite/index.js';
import { GAMES, TOOLS, at, automationIdOf, mixedOffers, query, storeMany, USD } from '../../contracts/offers.js';
import { Stores } from './stores.js';

const SIZE = 2_000;

/** What hands can do to the counts. Each leaves the automations as they are. */
const DAMAGES: Readonly<Record<string, string>> = {
  'all rows deleted': 'DELETE FROM block_counts',
  'every third row deleted': 'DELETE FROM block_counts WHERE block % 3 = 0',
  'plausible false counts': 'UPDATE block_counts SET on_sale = (on_sale * 7 + block) % 256',
  'impossible counts': `UPDATE block_counts SET
    on_sale = CASE block % 3 WHEN 0 THEN -9223372036854775808 WHEN 1 THEN 9223372036854775807 ELSE 70000 END`,
  'counts of blocks that do not exist': `INSERT INTO block_counts VALUES
    (-5, 'tools', 100, 1), (9000000000000000, 'tools', 100, 2), (4000, 'games', 100, 100000), (3, 'none', 9, 4)`,
  'change numbers set to 0': 'UPDATE block_counts SET change = 0, on_sale = 1',
  'the highest change numbers': 'UPDATE block_counts SET change = 9223372036854775807, on_sale = 1',
};

describe('Counts that were damaged by hand while the service runs', function () {
  this.timeout(30_000);
  const stores = new Stores();
  let one: SqliteStorage;
  let other: SqliteStorage;
  let hand: Libsql.Database;
  beforeEach(async () => {
    const file = stores.newFile();
    [one, other] = [stores.storage(file), stores.storage(file)];
    hand = new Libsql(file, { timeout: 5_000 });
    await one.prepare({ currency: USD });
    await storeMany(one.automations, mixedOffers(SIZE));
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
    expect(await automations.withdraw(automationIdOf(n), { at: at(0) })).to.equal('withdrawn');
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

  it('a repair that cannot go on has corrected what it could, also in a process that had read the damage', async () => {
    hand.exec(`UPDATE block_counts SET on_sale = 1;
      INSERT INTO block_counts VALUES (9000000000000000, 'tools', 1, 1);
      CREATE TRIGGER stop BEFORE UPDATE ON block_counts WHEN new.block = 9000000000000000
        BEGIN SELECT raise(ABORT, 'stopped'); END`);
    const late = stores.storage(fileOf(hand));
    expect((await late.automations.list(query(1, 10))).total).to.be.below(SIZE);
    const failure = await one.check({ repair: true }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('message', 'stopped');
    await assertRight(late, 'the one that had read the damage');
  });

  it('are described by category and numbers', async () => {
    hand.exec(`UPDATE block_counts SET on_sale = 100 WHERE block = 1 AND category_id = 'tools'`);
    expect(await one.check({ repair: true })).to.deep.equal([
      { description: 'category "tools", numbers 256 to 511: counted 100, there are 128', repaired: true },
    ]);
  });

  it('automations deleted, copied and moved by hand are counted at once', async () => {
    hand.exec(`DELETE FROM automations WHERE seq IN (5, 300, 2000);
      UPDATE automations SET category_id = 'games' WHERE seq BETWEEN 500 AND 600;
      UPDATE automations SET seq = 5000 WHERE seq = 7;
      INSERT INTO automations SELECT seq + 10000, 'copy-' || id, category_id, developer_id, title, price, currency,
        created_at, updated_at, withdrawn_at, withdrawn_reason, NULL, NULL, NULL, description
        FROM automations WHERE seq BETWEEN 10 AND 20`);
    for (const storage of [one, other]) await assertRight(storage, 'at once');
    expect(await one.check({ repair: false })).to.deep.equal([]);
    await useAll(one, 1);
  });

  it('a check lets other requests in between', async () => {
    const order: string[] = [];
    const checked = one.check({ repair: false }).then(() => order.push('checked'));
    await new Promise((resolve) => setImmediate(resolve));
    const listed = one.automations.list(query(1, 10)).then(() => order.push('listed'));
    await Promise.all([checked, listed]);
    expect(order).to.deep.equal(['listed', 'checked']);
  });

  it('keys of sign-in names that do not fit the names, also exchanged ones, are made again', async () => {
    for (const name of ['ada', 'bob']) {
      const invitation = { hash: name, until: at(10) };
      await one.developers.invite(name as Parameters<typeof one.developers.invite>[0], invitation, at(0));
      await one.developers.activate(name, { signInName: name.toUpperCase(), passwordHash: 'x', at: at(0) });
    }
    hand.exec(`UPDATE developers SET sign_in_key = NULL;
      UPDATE developers SET sign_in_key = iif(id = 'ada', 'bob', 'ada')`);
    expect((await one.developers.findBySignInName('Ada'))?.id).to.equal('bob');
    expect(await one.check({ repair: true })).to.deep.equal([
      { description: 'developer "ada": the key of the sign-in name', repaired: true },
      { description: 'developer "bob": the key of the sign-in name', repaired: true },
    ]);
    expect((await one.developers.findBySignInName('Ada'))?.id).to.equal('ada');
  });
});

function fileOf(database: Libsql.Database): string {
  const [row] = database.prepare('PRAGMA database_list').all() as { file: string }[];
  return row?.file ?? expect.fail();
}
