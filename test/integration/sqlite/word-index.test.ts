import { expect } from 'chai';
import Libsql from 'libsql';
import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { SqliteAutomationRepository, type SqliteDatabase, type SqliteStorage } from '../../../adapters/sqlite/index.js';
import { WordIndex } from '../../../adapters/sqlite/word-index.js';
import { automation, numbers, query } from '../../contracts/offers.js';
import { fill } from '../../support/searches.js';
import { Stores, untilIndexed } from './stores.js';

const CURRENCY = automation(1).price.currency;
const DAMAGED = new Error('fts5: corruption found');

describe('The index of words in SQLite, in the background', function () {
  this.timeout(30_000);
  const stores = new Stores();
  afterEach(() => stores.close());

  /** Returns an index over a database whose lots fail when `isFailing` says so, and what it was asked to write. */
  function indexOf(database: SqliteDatabase, isFailing: (lot: number) => boolean) {
    const writes: string[] = [];
    const atOnce = { now: 0, most: 0 };
    const index = new WordIndex({
      prepare: (sql) => database.prepare(sql),
      readOne: (work) => database.readOne(work),
      write: async (name, ...args) => {
        writes.push(name);
        if (name !== 'indexWords') return database.write(name, ...args);
        atOnce.most = Math.max(atOnce.most, (atOnce.now += 1));
        await setImmediate();
        atOnce.now -= 1;
        if (isFailing(writes.filter((each) => each === 'indexWords').length)) throw DAMAGED;
        return database.write(name, ...args);
      },
    });
    return { index, writes, atOnce };
  }

  it('stores one lot at a time, also after damage, whatever else starts it', async () => {
    const database = stores.database();
    const { index, atOnce } = indexOf(database, (lot) => lot === 1);
    await fill({ automations: new SqliteAutomationRepository(database) }, 3_000);
    await index.begin();
    for (let n = 0; n < 30; n += 1) {
      await setImmediate();
      index.advance();
    }
    expect(atOnce.most).to.equal(1);
    while (waitingIn(database) >= 128) await setTimeout(5);
  });

  it('stores the words of six of the longest texts in one transaction', async () => {
    const database = stores.database();
    const sizes: number[] = [];
    const index = new WordIndex({
      prepare: (sql) => database.prepare(sql),
      readOne: (work) => database.readOne(work),
      write: async (name, ...args) => {
        if (name !== 'indexWords') return database.write(name, ...args);
        const before = waitingIn(database);
        const answer = await database.write(name, ...args);
        sizes.push(before - waitingIn(database));
        return answer;
      },
    });
    const longest = numbers(140).map((n) => ({ automation: automation(n, { description: 'x'.repeat(10_000) }) }));
    await new SqliteAutomationRepository(database).add(longest);
    await index.begin();
    while (waitingIn(database) >= 128) await setTimeout(5);
    expect(sizes.slice(0, 2)).to.deep.equal([6, 6]);
  });

  it('stops when a new index is damaged again before it is complete; the next call tries again', async () => {
    const database = stores.database();
    const { index, writes } = indexOf(database, (lot) => lot % 2 === 0);
    await fill({ automations: new SqliteAutomationRepository(database) }, 1_200);
    await index.begin();
    while (writes.length < 6) await setTimeout(5);
    await setTimeout(50);
    const tries = ['indexWords', 'indexWords', 'keepWords', 'indexWords', 'indexWords'];
    expect(writes).to.deep.equal(['keepWords', ...tries]);
    index.advance();
    while (writes.length <= 1 + tries.length) await setTimeout(5);
  });

  describe('when a page of the automations cannot be read', () => {
    const ALL = { page: { number: 1, limit: 1 }, order: 'newest', terms: { words: [], prefix: 's' } } as const;

    it('stays as it is when a search needs the page; other searches go on', async () => {
      const { storage, file } = await storeWithBadPage(true);
      const everything = { ...ALL, page: { number: 1, limit: 1_200 } };
      const failure = await storage.search.search(everything).catch((error: unknown) => error);
      expect(failure).to.include({ kind: 'unavailable', code: 'store-damaged' });
      expect((failure as Error).message).to.include(`the SQLite store ${file} is damaged`);
      expect(await commitsOf(file)).to.equal(0);
      expect((await storage.search.search(ALL)).total).to.be.above(1_000);
    });

    it('comes to rest while it is built', async () => {
      const { storage, file } = await storeWithBadPage(false);
      await storage.prepare({ currency: CURRENCY });
      await setTimeout(1_000);
      expect(await commitsOf(file)).to.equal(0);
      expect((await storage.automations.list(query(1, 10))).total).to.equal(1_200);
    });

    it('is not found damaged by a check, which fails', async () => {
      const { storage, file } = await storeWithBadPage(true);
      const failure = await storage.check({ repair: true }).catch((error: unknown) => error);
      expect(failure).to.include({ kind: 'unavailable', code: 'store-damaged' });
      expect((failure as Error).message).to.include(`the SQLite store ${file} is damaged`);
      expect(await commitsOf(file)).to.equal(0);
    });

    /** Opens a store whose third page of automations cannot be read. */
    async function storeWithBadPage(isIndexed: boolean): Promise<{ storage: SqliteStorage; file: string }> {
      const file = stores.newFile();
      const filled = stores.storage(file, { search: false });
      await filled.prepare({ currency: CURRENCY });
      await fill(filled, 1_200);
      await filled.close();
      if (isIndexed) await buildIndex(file);
      const hand = new Libsql(file, { timeout: 5_000 });
      hand.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      const leaves = `FROM dbstat WHERE name = 'automations' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2`;
      const [offset] = hand.prepare(`SELECT pgoffset ${leaves}`).raw().get() as [number];
      hand.close();
      const opened = openSync(file, 'r+');
      writeSync(opened, Buffer.from([0xff]), 0, 1, offset);
      closeSync(opened);
      return { storage: stores.storage(file), file };
    }

    async function buildIndex(file: string): Promise<void> {
      const storage = stores.storage(file);
      await storage.prepare({ currency: CURRENCY });
      await untilIndexed(file);
      await storage.close();
    }

    /** Returns how often a commit of others shows within half a second. */
    async function commitsOf(file: string): Promise<number> {
      const hand = new Libsql(file, { timeout: 5_000 });
      const version = hand.prepare('PRAGMA data_version').raw();
      const seen = new Set<number>();
      for (const end = performance.now() + 500; performance.now() < end; ) {
        seen.add((version.get() as [number])[0]);
        await setTimeout(5);
      }
      hand.close();
      return seen.size - 1;
    }
  });
});

function waitingIn(database: SqliteDatabase): number {
  const [waiting] = database.prepare('SELECT count(*) FROM unindexed').raw().get() as [number];
  return waiting;
}
