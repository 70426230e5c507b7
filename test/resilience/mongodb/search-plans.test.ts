import { expect } from 'chai';
import type { Db } from 'mongodb';
import { mongoStorage, newMongoClient, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { searchTerms } from '../../../domain/search-terms.js';
import type { SearchOrder, SearchQuery } from '../../../domain/ports.js';
import { ADA, at, automationIdOf, numbers, query, TOOLS, USD } from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo } from '../../support/mongodb.js';
import { fill } from '../../support/searches.js';
import { scansOf, Wire } from '../../integration/mongodb/plans.js';
import { minorUnits } from '../../../domain/price.js';

const AUTOMATIONS: readonly unknown[] = ['automations'];
const COUNT = 1_500;
const LIMIT = 5;
const ORDERS: readonly SearchOrder[] = ['newest', 'price', '-price', 'best'];
const TERMS = ['s', 'ü', 'हि', 'サ バ', 'サーバー', 'c++', 'send slack inv', 'send slack invoice x s3 co op c#'].map(
  searchTerms,
);
const FILTERS: readonly Partial<SearchQuery>[] = [
  { status: 'on-sale' },
  { status: 'on-sale', category: TOOLS },
  { status: 'on-sale', lowestPrice: minorUnits(10), highestPrice: minorUnits(20) },
  { status: 'on-sale', developerId: ADA, highestPrice: minorUnits(20) },
  { status: 'withdrawn' },
  { developerId: ADA },
  { developerId: ADA, countCategories: true },
  {},
];

describeMongo('What MongoDB does for a search', () => {
  let db: Db;
  let wire: Wire;
  let storage: MongoStorage;
  before(async () => {
    db = newMongoClient(monitored(await newMongoUrl())).db();
    wire = new Wire(db.client);
    storage = mongoStorage(db);
    await storage.prepare({ currency: USD });
    await fill(storage, COUNT);
    for (const n of numbers(20))
      await storage.automations.withdraw(automationIdOf(n * 7), { at: at(n), by: 'developer' });
    await storage.check({ repair: true });
    await storage.automations.list(query(1, 1));
  });
  after(async () => {
    await storage.close();
    await db.dropDatabase();
    await db.client.close();
  });

  /** What the reads of a search scan in automations, but for those of the state of the list. */
  const scansDuring = async (wanted: Partial<SearchQuery>) => {
    const all: SearchQuery = { page: { number: 1, limit: LIMIT }, order: 'newest', ...wanted };
    const commands = await wire.during(() => storage.search.search(all));
    const reads = commands.filter(({ document: { find, aggregate } }) => AUTOMATIONS.includes(find ?? aggregate));
    return (await Promise.all(reads.map((command) => scansOf(command, db)))).flat();
  };

  for (const order of ORDERS)
    it(`in the order ${order} it uses an index, with every filter and with words`, async () => {
      for (const filter of FILTERS)
        for (const terms of [undefined, ...TERMS])
          if (order !== 'best' || terms !== undefined) {
            const scans = await scansDuring({ ...filter, order, ...(terms && { terms }) });
            expect(scans.length).to.be.at.least(2);
            for (const { stages } of scans) expect(stages, JSON.stringify([filter, terms])).not.to.include('COLLSCAN');
          }
    });

  for (const order of ['price', '-price'] as const)
    it(`in the order ${order} it reads as many keys as the page has items`, async () => {
      for (const { keys } of await scansDuring({ order, status: 'on-sale' })) expect(keys).to.be.at.most(3 * LIMIT);
    });

  it('for words that many have, it reads about as many automations as the page has items', async () => {
    const scans = await scansDuring({ status: 'on-sale', terms: searchTerms('s') });
    const [page] = scans.filter(({ returned }) => returned === LIMIT);
    expect(page?.keys).to.be.at.most(10 * LIMIT);
  });

  it('counts the automations with a word without a look at them', async () => {
    const wanted = { status: 'on-sale', terms: searchTerms('invoice') } as const;
    const [, count] = await scansDuring(wanted);
    const { total } = await storage.search.search({ page: { number: 1, limit: 1 }, order: 'newest', ...wanted });
    expect(count?.keys).to.be.within(total, total + 5);
    expect(count?.stages).not.to.include('FETCH');
  });
});
