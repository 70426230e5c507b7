import { expect } from 'chai';
import Libsql from 'libsql';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ScanningSearch } from '../../../adapters/storage/index.js';
import { sqliteStorage, type SqliteStorage } from '../../../adapters/sqlite/index.js';
import { WORD_RULE } from '../../../adapters/sqlite/searches.js';
import { at, automation, automationIdOf, GAMES, numbers, revision } from '../../contracts/offers.js';
import { sample, searched } from '../../contracts/searches.js';
import { assertAsScanned, fill } from '../../support/searches.js';
import { byHand, Stores, untilIndexed } from './stores.js';

/** What hands can do to the index of words. */
const DAMAGES: Readonly<Record<string, string>> = {
  'all blocks deleted': 'DELETE FROM words_data',
  'blocks scrambled': 'UPDATE words_data SET block = randomblob(length(block)) WHERE id > 10',
  'the structure deleted': 'DELETE FROM words_data WHERE id = 10',
  // A segment of one page is found without the list.
  'the list of pages deleted': `INSERT INTO words (words) VALUES ('optimize'); DELETE FROM words_idx`,
  'the list of automations deleted': 'DELETE FROM words_docsize',
  'the configuration deleted': 'DELETE FROM words_config',
  'some automations deleted from it': 'DELETE FROM words WHERE rowid % 3 = 0',
  'other words stored': `REPLACE INTO words (rowid, title, description)
    VALUES (5, 'wrong', 'words'), (9999, 'send', '')`,
  'the table dropped': 'DROP TABLE words',
  'a table of it dropped': 'DROP TABLE words_docsize',
};

async function preparedAndFilled(storage: SqliteStorage, count: number): Promise<void> {
  await storage.prepare({ currency: automation(1).price.currency });
  await fill(storage, count);
}

describe('Searches in SQLite find what a search that reads everything finds', function () {
  this.timeout(60_000);
  const stores = new Stores();
  afterEach(() => stores.close());

  for (const [name, count] of [['before the index has words', 300], ['with a lot in the index', 800]] as const)
    for (const place of ['in memory', 'in a file'])
      it(`${name}, ${place}, also after revisions and withdrawals`, async () => {
        const storage = stores.storage(place === 'in memory' ? ':memory:' : stores.newFile());
        await preparedAndFilled(storage, count);
        for (const n of numbers(count).filter((each) => each % 11 === 0))
          await storage.automations.withdraw(automationIdOf(n), { at: at(n) });
        for (const n of numbers(count).filter((each) => each % 13 === 5 && each % 11 !== 0))
          await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
        await assertAsScanned(storage);
      });

  const ALL = { page: { number: 1, limit: 100 }, order: 'newest', terms: { words: [], prefix: 's' } } as const;

  async function assertRight(storage: SqliteStorage): Promise<void> {
    expect(await searched(storage.search, ALL)).to.deep.equal(await new ScanningSearch(storage.archive).search(ALL));
  }

  for (const [name, sql] of Object.entries(DAMAGES))
    it(`after damage while two handles are in use, and a repair: ${name}`, async () => {
      const file = stores.newFile();
      await preparedAndFilled(stores.storage(file, { search: false }), 1_200);
      const [one, other] = [stores.storage(file), stores.storage(file)];
      for (const each of [one, other]) {
        await each.prepare({ currency: automation(1).price.currency });
        await untilIndexed(file);
        // Its thread does one write after the other: after this one it has no lot to store.
        await each.categories.save([]);
      }
      await assertRight(one);
      byHand(file, sql);
      for (const [n, each] of [one, other].entries()) {
        await each.automations.add([{ automation: sample(2_000 + n) }]);
        await each.automations.withdraw(automationIdOf(10 + n), { at: at(n) });
        await each.automations.revise(revision(sample(20 + n), { title: 'slack x' }));
      }
      const found = await one.check({ repair: false });
      expect(found.map(({ description }) => description).join()).to.include('search index');
      await one.check({ repair: true });
      for (const each of [one, other, stores.storage(file)]) await assertRight(each);
      expect(await one.check({ repair: false })).to.deep.equal([]);
    });

  for (const [name, sql] of Object.entries(DAMAGES))
    it(`after damage while the store was closed, and a repair: ${name}`, async () => {
      const file = stores.newFile();
      const first = stores.storage(file);
      await preparedAndFilled(first, 1_200);
      await assertRight(first);
      await first.close();
      byHand(file, sql);
      const storage = stores.storage(file);
      await storage.prepare({ currency: automation(1).price.currency });
      await storage.check({ repair: true });
      await assertRight(storage);
      expect(await storage.check({ repair: false })).to.deep.equal([]);
    });

  it('when an index is of another rule, and when searching by words was off for a while', async () => {
    const file = stores.newFile();
    const first = stores.storage(file);
    await preparedAndFilled(first, 600);
    await assertRight(first);
    await first.close();
    const hand = new Libsql(file, { timeout: 5_000 });
    hand.exec(`UPDATE settings SET value = 'earlier' WHERE name = 'words'; DELETE FROM unindexed`);
    await assertRight(stores.storage(file));
    const off = sqliteStorage(file, { search: false });
    await off.prepare({ currency: automation(1).price.currency });
    const tables = hand.prepare(`SELECT count(*) FROM sqlite_schema WHERE name LIKE '%words%' OR name = 'unindexed'`);
    expect(tables.raw().get()).to.deep.equal([0]);
    const failure = await off.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-off' });
    expect((await off.search.search({ page: ALL.page, order: 'price' })).total).to.equal(600);
    await off.automations.add([{ automation: sample(601) }]);
    await off.close();
    hand.close();
    await assertRight(stores.storage(file));
  });

  for (const isChecked of [false, true])
    it(`after one of another rule took its place, at once after ${isChecked ? 'a check' : 'a search'}`, async () => {
      const file = stores.newFile();
      const storage = stores.storage(file);
      await preparedAndFilled(storage, 600);
      await assertRight(storage);
      byHand(file, `UPDATE settings SET value = 'another' WHERE name = 'words'; DELETE FROM unindexed`);
      if (isChecked) expect(await storage.check({ repair: true })).to.deep.equal([]);
      else expect(await storage.search.search(ALL).catch(String)).to.include('being built');
      expect((await storage.search.search(ALL)).total).to.be.above(0);
      await assertRight(storage);
    });

  it('when a process of another rule writes, which leaves the index, since it does not search', async () => {
    const file = stores.newFile();
    const service = stores.storage(file);
    await preparedAndFilled(service, 600);
    await assertRight(service);
    const hand = new Libsql(file, { timeout: 5_000 });
    hand.exec(`UPDATE settings SET value = 'another' WHERE name = 'words'`);
    const other = stores.storage(file);
    await other.prepare({ currency: automation(1).price.currency });
    await other.check({ repair: false });
    await other.automations.add([{ automation: sample(601) }]);
    expect(hand.prepare(`SELECT value FROM settings WHERE name = 'words'`).raw().get()).to.deep.equal(['another']);
    hand.exec(`UPDATE settings SET value = '${WORD_RULE}' WHERE name = 'words'`);
    hand.close();
    await assertRight(service);
  });

  it('after the record of the index was removed while it was in use', async () => {
    const file = stores.newFile();
    const storage = stores.storage(file);
    await preparedAndFilled(storage, 600);
    await assertRight(storage);
    byHand(file, `DELETE FROM settings WHERE name = 'words'`);
    await assertRight(storage);
  });

  it('in a copy of the store', async () => {
    const [storage, copy] = [stores.storage(stores.newFile()), stores.newFile()];
    await preparedAndFilled(storage, 700);
    await assertRight(storage);
    await storage.backup(copy);
    await assertRight(stores.storage(copy));
    expect(await stores.storage(copy).check({ repair: false })).to.deep.equal([]);
  });

  it('after a process was killed while it built the index', async () => {
    const file = stores.newFile();
    const filled = sqliteStorage(file, { search: false });
    await preparedAndFilled(filled, 6_000);
    await filled.close();
    const child = fork(new URL('./indexing-process.js', import.meta.url), [file]);
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const storage = stores.storage(file);
    await assertRight(storage);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  it('in a store that is larger than what a search compares by itself, whose index is built later', async () => {
    const storage = stores.storage();
    await fill(storage, 5_000);
    const query = { page: { number: 1, limit: 3 }, order: 'newest', terms: { words: [], prefix: 's' } } as const;
    const failure = await storage.search.search(query).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-incomplete' });
    const expected = await new ScanningSearch(storage.archive).search(query);
    expect(await searched(storage.search, query)).to.deep.equal(expected);
  });
});
