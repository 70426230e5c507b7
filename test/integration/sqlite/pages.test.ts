import { expect } from 'chai';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { GAMES, mixedOffers, query, storeMany, TOOLS } from '../../contracts/offers.js';
import { byHand, readByHand, Stores } from './stores.js';

const COUNT = 400;
const LIMIT = 7;

/** Numbers by which pages cross small blocks, large blocks, and both; others leave blocks out. */
const GAPS: Readonly<Record<string, string>> = {
  'as they came': 'number',
  'one in each small block': 'number * 256',
  'a few in each large block': 'number * 5000',
  'the last and the first of a large block': '(number + 1) / 2 * 16384 - number % 2',
};

describe('Pages of SQLite over automations with gaps between their numbers', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  async function listed({ automations }: SqliteStorage, category?: typeof TOOLS): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let number = 1; ; number += 1) {
      const { items } = await automations.list(query(number, LIMIT, category));
      ids.push(...items.map(({ id }) => id));
      if (items.length === 0) return ids;
    }
  }

  for (const [name, number] of Object.entries(GAPS))
    it(`are the slices of one list: ${name}`, async () => {
      const file = stores.newFile();
      const storage = await stores.prepared(file);
      await storeMany(storage.automations, mixedOffers(COUNT));
      byHand(file, `UPDATE automations SET number = -(${number}); UPDATE automations SET number = -number`);
      byHand(
        file,
        `UPDATE automations SET withdrawn_at = 5, withdrawn_by = 'developer'
        WHERE substr(id, -1) IN ('1', '5', 'a')`,
      );
      for (const category of [undefined, TOOLS, GAMES]) {
        const condition = category === undefined ? '' : `AND category_id = '${category}'`;
        const all = readByHand(
          file,
          `SELECT id FROM automations WHERE withdrawn_at IS NULL ${condition} ORDER BY number DESC`,
        );
        expect(all.length).to.be.within(50, COUNT - 50);
        expect(await listed(storage, category)).to.deep.equal(all);
        expect((await storage.automations.list(query(1, 1, category))).total).to.equal(all.length);
      }
    });
});
