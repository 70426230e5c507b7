import { expect } from 'chai';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { SqliteConnection } from '../../../adapters/sql/sqlite/connection.js';
import { sqlStorage } from '../../../adapters/sql/storage.js';
import { storeWords } from '../../../adapters/sql/words.js';
import { WORD_RULE } from '../../../domain/words.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { at, automationIdOf, GAMES, numbers, revision, USD } from '../../contracts/offers.js';
import { sample, sampleOffer, searched } from '../../contracts/searches.js';
import { assertAsScanned, fill } from '../../support/searches.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { byHand, readByHand, Stores, untilComplete } from './stores.js';

/** What hands can do to the words, and the number of automations that have others then. */
const DAMAGES: Readonly<Record<string, readonly [sql: string, count: number]>> = {
  'some automations deleted from it': ['DELETE FROM words WHERE rowid % 3 = 0', 266],
  'other words stored': [
    `REPLACE INTO words (rowid, title, description, runs) VALUES (5, 'wrong', 'words', ''), (9999, 'send', '', '')`,
    2,
  ],
  'an automation deleted': ['DELETE FROM automations WHERE number = 7', 1],
  'texts changed': [`UPDATE automations SET title = 'Quince' WHERE number BETWEEN 100 AND 109`, 10],
  'withdrawn by hand': [`UPDATE automations SET withdrawn_at = 5, withdrawn_by = 'operator' WHERE number = 55`, 2],
};

const ALL = { page: { number: 1, limit: 100 }, order: 'newest', terms: searchTerms('s') } as const;

describe('Searches in SQLite find what a search that reads everything finds', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  async function filled(file: string, count: number): Promise<SqliteStorage> {
    const storage = await stores.prepared(file);
    await fill(storage, count);
    return storage;
  }

  async function assertRight(storage: SqliteStorage): Promise<void> {
    expect(await searched(storage.search, ALL)).to.deep.equal(await new ScanningSearch(storage.archive).search(ALL));
  }

  it('after revisions and withdrawals, in every order', async () => {
    const storage = await filled(stores.newFile(), 800);
    for (const n of numbers(800).filter((each) => each % 11 === 0))
      await storage.automations.withdraw(automationIdOf(n), { by: 'operator', at: at(n) });
    for (const n of numbers(800).filter((each) => each % 13 === 5 && each % 11 !== 0))
      await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
    await assertAsScanned(storage);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  const market = newSqliteFile();
  before(async () => {
    await filled(market, 800);
    await stores.close();
  });

  for (const [name, [sql, count]] of Object.entries(DAMAGES))
    it(`after damage, and a check with repair: ${name}`, async () => {
      const file = stores.copyOf(market);
      const storage = await stores.prepared(file);
      byHand(file, sql);
      const description = `the search index has other words for ${count} automations`;
      expect(await storage.check({ repair: false })).to.deep.equal([{ description, repaired: false }]);
      expect(await storage.check({ repair: true })).to.deep.equal([{ description, repaired: true }]);
      await assertRight(storage);
      expect(await storage.check({ repair: false })).to.deep.equal([]);
    });

  it('when searching by words was off for a while', async () => {
    const file = stores.newFile();
    await (await filled(file, 600)).close();
    const off = await stores.prepared(file, { search: false });
    expect(readByHand(file, 'SELECT count(*) FROM words')).to.deep.equal([0]);
    await off.automations.add([sampleOffer(601)]);
    expect(readByHand(file, 'SELECT count(*) FROM words')).to.deep.equal([0]);
    const failure = await off.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-off' });
    expect((await off.search.search({ page: ALL.page, order: 'price' })).total).to.equal(601);
    await off.close();
    const on = await stores.prepared(file);
    await untilComplete(file);
    await assertRight(on);
  });

  it('when an index is of an older rule: it is unavailable until the words are made again', async () => {
    const file = stores.newFile();
    const first = await filled(file, 600);
    byHand(file, `UPDATE settings SET value = '1' WHERE name = 'words'; UPDATE words SET title = 'older'`);
    byHand(file, `INSERT INTO settings VALUES ('wordsUpTo', '100')`);
    const failure = await first.search.search(ALL).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'search-incomplete' });
    const second = await stores.prepared(file);
    await untilComplete(file);
    expect(readByHand(file, `SELECT value FROM settings WHERE name = 'words'`)).to.deep.equal([String(WORD_RULE)]);
    for (const storage of [first, second]) await assertRight(storage);
  });

  it('an index of a newer rule stays', async () => {
    const file = stores.newFile();
    await filled(file, 10);
    byHand(file, `UPDATE settings SET value = '99999999' WHERE name = 'words'`);
    await assertRight(await stores.prepared(file));
    expect(readByHand(file, `SELECT value FROM settings WHERE name = 'words'`)).to.deep.equal(['99999999']);
  });

  it('an index of a newer rule is left as it is by a check', async () => {
    const file = stores.newFile();
    const storage = await filled(file, 10);
    byHand(file, `UPDATE settings SET value = '99999999' WHERE name = 'words'; UPDATE words SET title = 'newer'`);
    expect(await storage.check({ repair: true })).to.deep.equal([]);
    expect(readByHand(file, 'SELECT DISTINCT title FROM words')).to.deep.equal(['newer']);
  });

  it('what a process stores that searches by no words, while another one does', async () => {
    const file = stores.newFile();
    const off = await stores.prepared(file, { search: false });
    const on = await stores.prepared(file);
    await untilComplete(file);
    await fill(off, 20);
    await assertRight(on);
  });

  it('and a process that searches by no words makes none for a store without an index', async () => {
    const connection = stores.keep(new SqliteConnection(stores.newFile()));
    await sqlStorage(connection, { search: false }).prepare({ currency: USD });
    const unread = {
      ...sample(1),
      get title(): string {
        throw new Error('the title was cut into words');
      },
    };
    await connection.transaction((query) => storeWords(query, connection.dialect, [unread], false));
  });

  it('in a copy of the store', async () => {
    const copy = stores.newFile();
    await (await filled(stores.newFile(), 700)).backup(copy);
    const storage = await stores.prepared(copy);
    await assertRight(storage);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });
});
