import { expect } from 'chai';
import { SqliteAutomationRepository } from '../../../adapters/sqlite/index.js';
import { searchesOf } from '../../../adapters/sqlite/searches.js';
import { automation, numbers, storeMany } from '../../contracts/offers.js';
import { collectGarbage } from '../../support/garbage.js';
import { Stores } from './stores.js';

const WAITING = 2_000;

describe('A search in SQLite that compares long texts by itself', function () {
  this.timeout(60_000);
  const stores = new Stores();
  afterEach(() => stores.close());

  it('keeps the words of some of them', async () => {
    const database = stores.database();
    await database.write('keepWords', { renew: true });
    const offers = numbers(WAITING).map((n) => ({ automation: automation(n, { description: textOf(n) }) }));
    await storeMany(new SqliteAutomationRepository(database), offers);
    const { search } = searchesOf(database);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const terms = { words: [], prefix: 'w1999x1' };
    expect(search({ page: { number: 1, limit: 10 }, order: 'newest', terms }).total).to.equal(1);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).to.be.below(75 * 1024 * 1024);
  });
});

/** Returns a text of nearly 10,000 characters, all of whose words are its own. */
function textOf(n: number): string {
  return numbers(1_000).map((word) => `w${n}x${word}`).join(' ');
}
