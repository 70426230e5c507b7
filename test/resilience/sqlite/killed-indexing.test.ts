import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { searched } from '../../contracts/searches.js';
import { readByHand, Stores, untilComplete } from '../../integration/sqlite/stores.js';
import { fill } from '../../support/searches.js';

const ALL = { page: { number: 1, limit: 100 }, order: 'newest', terms: searchTerms('s') } as const;

describe('Searches in SQLite find what a search that reads everything finds', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  it('after a process was killed while it made the words', async () => {
    const file = stores.newFile();
    const filled = await stores.prepared(file, { search: false });
    await fill(filled, 6_000);
    await filled.close();
    const child = fork(new URL('../../integration/sqlite/idle-process.js', import.meta.url), [file]);
    while (Number(readByHand(file, 'SELECT count(*) FROM words')[0]) === 0) await setTimeout(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const storage = await stores.prepared(file);
    await untilComplete(file);
    expect(await searched(storage.search, ALL)).to.deep.equal(await new ScanningSearch(storage.archive).search(ALL));
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });
});
