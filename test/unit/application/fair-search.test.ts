import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { FairSearch, type FairSearchOptions } from '../../../application/fair-search.js';
import { newCore } from '../../../application/index.js';
import { OPERATOR } from '../../../domain/access.js';
import type { DomainError } from '../../../domain/errors.js';
import { newPage } from '../../../domain/page.js';
import type { SearchPage, SearchQuery } from '../../../domain/ports.js';
import { ada, bob, settled } from './people.js';
import { signedIn } from '../../support/signed-in.js';

/** A search of a store that ends when it is told to. Each result has the number of its search as its total. */
function openSearch(options: FairSearchOptions = {}) {
  const asked: SearchQuery[] = [];
  const ends: (() => void)[] = [];
  const search = (query: SearchQuery) => {
    const total = asked.push(query);
    return new Promise<SearchPage>((resolve) => ends.push(() => resolve({ items: [], total })));
  };
  const endNext = async () => {
    ends.shift()?.();
    await settled();
  };
  const searches = new FairSearch({ search }, options);
  const outcomes: string[] = [];
  const ask = (client: string, number: number) => {
    const query: SearchQuery = { page: newPage({ page: number }), order: 'price', status: 'on-sale' };
    const done = (text: string) => outcomes.push(`${client} ${text}`);
    return searches.search(query, client).then(
      ({ total }) => done(`search ${total}`),
      (error: unknown) => done((error as DomainError).code),
    );
  };
  return { search, ask, asked, outcomes, endNext };
}

describe('Searches in fair shares', () => {
  it('run 2 at the same time, and 64 wait; one more is refused', async () => {
    const { ask, asked, outcomes } = openSearch();
    for (let n = 1; n <= 2 + 64; n += 1) void ask('ada', n);
    await settled();
    expect([asked.length, outcomes]).to.deep.equal([2, []]);
    void ask('ada', 99);
    await settled();
    expect([asked.length, outcomes]).to.deep.equal([2, ['ada too-many-searches']]);
  });

  it('of a client come before all that another waits for', async () => {
    const { ask, outcomes, endNext } = openSearch({ atOnce: 1 });
    for (let n = 1; n <= 65; n += 1) void ask('eve', n);
    void ask('ada', 1);
    await settled();
    expect(outcomes).to.deep.equal(['eve too-many-searches']);
    await endNext();
    await endNext();
    expect(outcomes.slice(1)).to.deep.equal(['eve search 1', 'ada search 2']);
  });

  it('that are equal share one that begins after they were asked for', async () => {
    const { ask, asked, outcomes, endNext } = openSearch({ atOnce: 1 });
    for (const client of ['ada', 'bob', 'eve']) void ask(client, 7);
    void ask('bob', 8);
    for (let n = 0; n < 3; n += 1) await endNext();
    expect(asked.map(({ page }) => page.number)).to.deep.equal([7, 7, 8]);
    expect(outcomes).to.deep.equal(['ada search 1', 'bob search 2', 'eve search 2', 'bob search 3']);
  });

  it('fail as too slow after their time, and keep their place until the store has ended them', async () => {
    const { ask, asked, outcomes, endNext } = openSearch({ atOnce: 1, maxMs: 1 });
    await ask('ada', 1);
    expect(outcomes).to.deep.equal(['ada search-too-slow']);
    void ask('bob', 2);
    await settled();
    expect(asked).to.have.length(1);
    await endNext();
    expect(asked).to.have.length(2);
  });

  it('that wait too long are refused and never begin', async () => {
    const { ask, asked, outcomes, endNext } = openSearch({ atOnce: 1, maxWaitMs: 1 });
    void ask('ada', 1);
    await ask('bob', 2);
    await endNext();
    expect([asked.length, outcomes]).to.deep.equal([1, ['bob too-many-searches', 'ada search 1']]);
  });

  it('are those of the API, the catalogue and the panel together, by developer and by network', async () => {
    const { search, asked, endNext } = openSearch();
    const { marketplace, catalogue, records } = newCore({ ...inMemoryStorage(), search: { search } });
    const running = Array.from({ length: 2 }, (_, n) => catalogue.find({ q: `eve ${n}` }, '192.0.2.1'));
    const waiting = [
      catalogue.find({ q: 'eve' }, '192.0.2.1'),
      catalogue.ofDeveloper(ada.developerId, newPage({}), undefined, '192.0.2.1'),
      marketplace.listAutomations(ada, { q: 'ada' }),
      records.find(signedIn(ada), { q: 'also ada' }),
      records.find({ ...OPERATOR, operatorId: bob.developerId }, { q: 'bob' }),
    ];
    await settled();
    for (let n = 0; n < 7; n += 1) await endNext();
    await Promise.all([...running, ...waiting]);
    const words = asked.map(({ terms }) => (terms?.terms ?? []).map(({ text }) => text).join(' '));
    expect(words.slice(2)).to.deep.equal(['ada', 'bob', 'eve', 'also ada', '']);
  });
});
