import { expect } from 'chai';
import Libsql from 'libsql';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ScanningSearch } from '../../../adapters/storage/index.js';
import { sqliteStorage, type SqliteStorage } from '../../../adapters/sqlite/index.js';
import type { Automation } from '../../../domain/automation.js';
import type { SearchOrder, SearchPage, SearchQuery } from '../../../domain/ports.js';
import {
  ADA,
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  numbers,
  revision,
  storeMany,
  TOOLS,
} from '../../contracts/offers.js';
import { Stores } from './stores.js';

const WORDS = ['send', 'slack', 'invoice', 'co-op', 'Überweisung', 'サーバーAI', 'हिन्दी', 'sendet', 's3', 'slackbot', 'x'];
const ORDERS: readonly SearchOrder[] = ['newest', 'price', '-price', 'best'];

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] ?? expect.fail();

function text(n: number, count: number): string {
  return numbers(count)
    .map((place) => pick(WORDS, Math.floor((n * 7_919 + place * place * 104_729) / 13)))
    .join(' ');
}

function sample(n: number): Automation {
  return automation(n, {
    title: text(n, 1 + (n % 3)),
    description: text(n + 1_000_003, 2 + (n % 4)),
    price: { ...automation(n).price, minorUnits: (n * 37) % 50 },
    categoryId: pick([TOOLS, GAMES, TOOLS], n),
    developerId: pick([ADA, BOB], n),
  });
}

async function fill({ automations }: SqliteStorage, count: number): Promise<void> {
  await storeMany(automations, numbers(count).map((n) => ({ automation: sample(n) })));
}

const TERMS = [
  { words: [], prefix: 's' },
  { words: [], prefix: 'send' },
  { words: ['send'], prefix: 'slack' },
  { words: ['ai'], prefix: 'サ' },
  { words: ['co', 'op'], prefix: 'uber' },
  { words: ['हिन्दी'], prefix: 'i' },
  { words: ['nothing'], prefix: 's' },
];

function queries(): readonly SearchQuery[] {
  const filters: readonly Partial<SearchQuery>[] = [
    { status: 'on-sale' },
    { status: 'on-sale', category: TOOLS },
    { status: 'on-sale', lowestPrice: 10, highestPrice: 20 },
    { status: 'on-sale', category: GAMES, highestPrice: 30 },
    { status: 'withdrawn' },
    { status: 'withdrawn', developerId: ADA },
    { developerId: BOB },
    { developerId: ADA, category: TOOLS, lowestPrice: 5 },
    { status: 'on-sale', developerId: BOB },
    {},
  ];
  const terms = [{}, ...TERMS.map((each) => ({ terms: each }))];
  const orders = ORDERS.flatMap((order) => terms.map((each) => ({ order, ...each })));
  const all = orders.flatMap((one) =>
    filters.map((filter, n) => ({ ...one, ...filter, countCategories: n % 2 === 0 })),
  );
  return all
    .filter((one) => one.order !== 'best' || 'terms' in one)
    .flatMap((one) => [1, 2, 9, 60].map((number) => ({ ...one, page: { number, limit: 7 } })))
    .filter((_, n) => n % 7 === 0);
}

async function assertAsScanned(storage: SqliteStorage): Promise<void> {
  const scanning = new ScanningSearch(storage.archive);
  for (const query of queries()) {
    const [found, expected] = [await storage.search.search(query), await scanning.search(query)];
    expect(withoutZeros(found), JSON.stringify(query)).to.deep.equal(withoutZeros(expected));
  }
}

function withoutZeros({ categoryCounts, ...page }: SearchPage): unknown {
  const counts = categoryCounts && Object.fromEntries(Array.from(categoryCounts).filter(([, count]) => count > 0));
  return { ...page, counts };
}

/** Waits until the index is complete. */
async function search(storage: SqliteStorage, query: SearchQuery): Promise<SearchPage> {
  for (;;)
    try {
      return await storage.search.search(query);
    } catch (error) {
      if ((error as { code?: string }).code !== 'search-incomplete') throw error;
      await setTimeout(10);
    }
}

/** What hands can do to the index of words. */
const DAMAGES: Readonly<Record<string, string>> = {
  'all blocks deleted': 'DELETE FROM words_data',
  'blocks scrambled': 'UPDATE words_data SET block = randomblob(length(block)) WHERE id > 10',
  'the structure deleted': 'DELETE FROM words_data WHERE id = 10',
  'the list of pages deleted': 'DELETE FROM words_idx',
  'the list of automations deleted': 'DELETE FROM words_docsize',
  'the configuration deleted': 'DELETE FROM words_config',
  'some automations deleted from it': 'DELETE FROM words WHERE rowid % 3 = 0',
  'other words stored': `REPLACE INTO words (rowid, title, description)
    VALUES (5, 'wrong', 'words'), (9999, 'send', '')`,
  'the table dropped': 'DROP TABLE words',
  'a table of it dropped': 'DROP TABLE words_docsize',
};

describe('Searches in SQLite find what a search that reads everything finds', function () {
  this.timeout(60_000);
  const stores = new Stores();
  afterEach(() => stores.close());

  for (const [name, count] of [['before the index has words', 300], ['with a lot in the index', 800]] as const)
    for (const place of ['in memory', 'in a file'])
      it(`${name}, ${place}, also after revisions and withdrawals`, async () => {
        const storage = stores.storage(place === 'in memory' ? ':memory:' : stores.newFile());
        await storage.prepare({ currency: automation(1).price.currency });
        await fill(storage, count);
        for (const n of numbers(count).filter((each) => each % 11 === 0))
          await storage.automations.withdraw(automationIdOf(n), { at: at(n) });
        for (const n of numbers(count).filter((each) => each % 13 === 5 && each % 11 !== 0))
          await storage.automations.revise(revision(sample(n), { title: 'slack x', categoryId: GAMES }));
        await assertAsScanned(storage);
      });

  const ALL = { page: { number: 1, limit: 100 }, order: 'newest', terms: { words: [], prefix: 's' } } as const;

  async function assertRight(storage: SqliteStorage): Promise<void> {
    expect(await search(storage, ALL)).to.deep.equal(await new ScanningSearch(storage.archive).search(ALL));
  }

  for (const [name, sql] of Object.entries(DAMAGES))
    it(`after damage while two handles are in use, and a repair: ${name}`, async () => {
      const file = stores.newFile();
      const [one, other] = [stores.storage(file), stores.storage(file)];
      for (const each of [one, other]) await each.prepare({ currency: automation(1).price.currency });
      await fill(one, 1_200);
      await assertRight(one);
      const hand = new Libsql(file, { timeout: 5_000 });
      hand.exec(sql);
      hand.close();
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

  it('when an index is of another rule, and when searching by words was off for a while', async () => {
    const file = stores.newFile();
    const first = stores.storage(file);
    await fill(first, 600);
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

  it('in a copy of the store', async () => {
    const [storage, copy] = [stores.storage(stores.newFile()), stores.newFile()];
    await fill(storage, 700);
    await assertRight(storage);
    await storage.backup(copy);
    await assertRight(stores.storage(copy));
    expect(await stores.storage(copy).check({ repair: false })).to.deep.equal([]);
  });

  it('after a process was killed while it built the index', async () => {
    const file = stores.newFile();
    const filled = sqliteStorage(file, { search: false });
    await fill(filled, 6_000);
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
    expect(await search(storage, query)).to.deep.equal(await new ScanningSearch(storage.archive).search(query));
  });
});
