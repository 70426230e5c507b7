import { expect } from 'chai';
import type { Db, MongoClient } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAutomationArchive,
  MongoAutomationRepository,
  MongoCatalogueSearch,
  MongoCategoryRepository,
  newMongoClient,
  recordCurrency,
  ping,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import { BLOCK_SIZE } from '../../../adapters/storage/block-counts.js';
import type { CategoryId } from '../../../domain/category.js';
import { DEFAULT_CURRENCY } from '../../../domain/currency.js';
import type { SearchQuery } from '../../../domain/ports.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../../domain/api-key.js';
import {
  ADA,
  at,
  auditEntry,
  automationIdOf,
  BOB,
  fileOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  offerWithFile,
  query,
  TOOLS,
} from '../../contracts/offers.js';
import { scansOf, Wire, type Command, type Scan } from './plans.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

const COUNT = 2_000;
const FILE = new Uint8Array([1]);
const KEYS = 40;
/** One in a hundred; some side by side, and the newest and the oldest. */
const WITHDRAWN = [
  1, 50, 51, 52, 400, 402, 404, 700, 701, 990, 1_000, 1_200, 1_400, 1_500, 1_501, 1_600, 1_900, 1_980, 1_999, 2_000,
];
const SCOPES = [undefined, TOOLS, GAMES];
const LIMIT = 20;

function apiKey(n: number): ApiKey {
  return {
    id: `key-${n}` as ApiKeyId,
    hash: `hash ${n}`,
    prefix: 'amk_',
    developerId: n % 2 === 0 ? ADA : BOB,
    name: `Key ${n}`,
    scopes: [],
    createdAt: at(n),
  };
}

describeMongo('What MongoDB does for a command', (url) => {
  const databases = new ScratchDatabases();
  let client: MongoClient;
  let db: Db;
  let wire: Wire;
  before(async () => {
    db = await databases.open(monitored(url()));
    client = db.client;
    wire = new Wire(client);
    const automations = new MongoAutomationRepository(db);
    const offers = mixedOffers(COUNT).map((one, n) => {
      if (n % 10 === 0) return { ...one, idempotencyKey: `key ${n}`, idempotencyKeyUntil: at(n) };
      return n % 100 === 7 ? offerWithFile(n + 1, FILE, { file: fileOf(FILE, { platform: 'n8n' }) }) : one;
    });
    for (let start = 0; start < COUNT; start += 500) await automations.add(offers.slice(start, start + 500));
    for (const n of WITHDRAWN) await automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    await automations.stop();
    await new MongoCategoryRepository(db).save([TOOLS, GAMES].map((id) => ({ id, name: id })));
    const keys = new MongoApiKeyRepository(db);
    for (const n of numbers(KEYS)) await keys.add({ key: apiKey(n), entries: [] });
  });
  after(() => databases.release());

  /** What each read among the commands scans; one that scans all automations fails. */
  const scans = async (commands: readonly Command[]): Promise<readonly Scan[]> => {
    const reads = commands.filter(({ name }) => name === 'find' || name === 'aggregate');
    const found = (await Promise.all(reads.map((command) => scansOf(command, db)))).flat();
    for (const { collection, stages } of found)
      if (collection === 'automations' || collection === 'api_keys') expect(stages).not.to.include('COLLSCAN');
    return found;
  };
  const scansDuring = async (work: () => Promise<unknown>) => scans(await wire.during(work));

  /** A repository that has read the counts, and does nothing in the background. */
  const informed = async () => {
    const automations = new MongoAutomationRepository(db);
    await automations.stop();
    await automations.list(query(1_000, 100));
    return automations;
  };
  describe('for a page', () => {
    for (const scope of SCOPES)
      it(`of ${scope ?? 'all'} it reads the state and the page, and looks at a block of keys at most`, async () => {
        const { total } = await (await informed()).list(query(1, 1, scope));
        const last = Math.ceil(total / LIMIT);
        for (const number of [1, 2, Math.ceil(last / 2), last]) {
          const automations = await informed();
          const commands = await wire.during(() => automations.list(query(number, LIMIT, scope)));
          const ofPages = commands.filter(({ document }) => 'skip' in document);
          const found = await scans(commands);
          const [page] = await scans(ofPages);
          expect(ofPages.length).to.equal(1);
          expect(page?.returned).to.equal(number === last ? total - (last - 1) * LIMIT : LIMIT);
          for (const { keys } of found) expect(keys).to.be.at.most(2 * BLOCK_SIZE);
        }
      });

    for (const scope of SCOPES)
      it(`behind one, of ${scope ?? 'all'}, it looks at the key of each on the page, at any depth`, async () => {
        for (const n of [COUNT, 1_999, 1_201, 1_000, 704, 60]) {
          const automations = await informed();
          const page = { after: automationIdOf(n), limit: LIMIT };
          const commands = await wire.during(() => automations.list({ page, category: scope, whole: true }));
          expect(commands.map(({ name }) => name)).to.deep.equal(['aggregate', 'find', 'find']);
          const [start, found] = await scans(commands.filter(({ name }) => name === 'find'));
          expect(start).to.include({ keys: 1, returned: 1 });
          expect(found).to.include({ keys: LIMIT, returned: LIMIT });
        }
      });

    it('past the end it reads the state alone', async () => {
      const automations = await informed();
      const commands = await wire.during(() => automations.list(query(500, LIMIT)));
      expect(commands.map(({ name }) => name)).to.deep.equal(['aggregate']);
    });

    it('that was read before it reads the state alone', async () => {
      const automations = await informed();
      await automations.list(query(3, LIMIT));
      const commands = await wire.during(() => automations.list(query(3, LIMIT)));
      expect(commands.map(({ name }) => name)).to.deep.equal(['aggregate']);
    });

    it('among ten asked for at once it reads two states at most', async () => {
      const automations = await informed();
      const pages = numbers(10).map((n) => query(n, LIMIT, SCOPES[n % 3]));
      const commands = await wire.during(() => Promise.all(pages.map((page) => automations.list(page))));
      const states = commands.filter(({ document }) => document['aggregate'] === 'counts');
      expect(states.length, 'states').to.be.at.most(2);
    });
  });

  it('for a part from either end on it looks at a key for each, and at one for where it starts', async () => {
    const archive = new MongoAutomationArchive(db);
    const wanted = [{}, { status: 'on-sale' }, { status: 'withdrawn' }, { developerId: ADA }] as const;
    for (const order of ['newest-first', 'oldest-first'] as const)
      for (const each of [...wanted, { developerId: ADA, status: 'on-sale' } as const])
        for (const after of [undefined, automationIdOf(1_000)]) {
          const part = { ...each, order, limit: LIMIT, ...(after && { after }) };
          const found = await scansDuring(() => archive.scan(part));
          for (const { keys, returned, stages } of found) {
            expect(keys, JSON.stringify(part)).to.be.at.most(returned + 70);
            expect(stages, JSON.stringify(part)).not.to.include('SORT');
          }
        }
  });

  it('for an automation by its id it looks at one key, and for several at two each at most', async () => {
    const automations = new MongoAutomationRepository(db);
    const [one] = await scansDuring(() => automations.find(automationIdOf(7)));
    expect(one).to.include({ keys: 1, returned: 1 });
    const found = await scansDuring(() => Promise.all(numbers(30).map((n) => automations.find(automationIdOf(n)))));
    expect(found.length).to.equal(2);
    expect(found.reduce((sum, { keys }) => sum + keys, 0)).to.be.at.most(60);
  });

  it('for a create it looks at the holders of keys and ids at a few keys each', async () => {
    const automations = await informed();
    const keyed = numbers(5).map((n) => offer(COUNT + 2 + n, { key: `key ${n * 10}`, createdAt: at(-1) }));
    const held = await scansDuring(() => automations.add(keyed));
    for (const { keys } of held) expect(keys).to.be.at.most(6 * keyed.length);
  });

  it(
    'for a category that was found lately it does nothing, until it is saved here; ' +
      'and it never takes one for missing that has come',
    async () => {
      const categories = new MongoCategoryRepository(db);
      const other = new MongoCategoryRepository(db);
      expect(await categories.find('late' as CategoryId)).to.equal(undefined);
      await other.save([{ id: 'late' as CategoryId, name: 'Late' }]);
      expect(await categories.find('late' as CategoryId)).to.include({ name: 'Late' });
      const commands = await wire.during(async () => {
        for (let n = 0; n < 5; n += 1) expect(await categories.find('late' as CategoryId)).to.include({ name: 'Late' });
      });
      expect(commands).to.deep.equal([]);
      await categories.save([{ id: 'late' as CategoryId, name: 'Later' }]);
      expect(await categories.find('late' as CategoryId)).to.include({ name: 'Later' });
    },
  );

  it('for a create by itself it reserves a number, and has one transaction without a read', async () => {
    const automations = await informed();
    await automations.add([offer(9_001)]);
    const commands = await wire.during(() => automations.add([offer(9_002, { auditEntry: auditEntry(9_002) })]));
    const names = ['findAndModify', 'insert', 'insert', 'update', 'commitTransaction'];
    expect(commands.map(({ name }) => name)).to.deep.equal(names);
    expect(commands.map(({ document }) => document['autocommit'] === false)).to.deep.equal(names.map((_, n) => n > 0));
    expect(commands[3]?.document['update'], 'the last step').to.equal('count_deltas');
  });

  for (const [title, wanted] of [
    ['', {}],
    [' and the counts of its categories', { countCategories: true }],
    [' in a category', { category: TOOLS }],
    [' by price', { order: 'price' }],
  ] as const)
    it(`for the automations of a platform${title} it looks at the keys of those alone`, async () => {
      const query: SearchQuery = { page: { number: 1, limit: 5 }, order: 'newest', status: 'on-sale', platform: 'n8n' };
      const search = new MongoCatalogueSearch(db);
      const commands = await wire.during(() => search.search({ ...query, ...wanted }));
      const reads = (await scans(commands)).filter(({ collection }) => collection === 'automations');
      expect(reads.length).to.be.at.least(3);
      for (const { keys } of reads) expect(keys).to.be.at.most(COUNT / 100 + 1);
    });

  it('for a sweep it looks at the expired keys alone', async () => {
    const looks = await scansDuring(async () => {
      expect(await new MongoAutomationRepository(db).freeIdempotencyKeys(at(200))).to.be.within(19, 21);
    });
    expect(looks).to.have.length(1);
    expect(looks[0]?.keys).to.be.at.most(1);
  });

  it('for API keys it looks at one index key each', async () => {
    const keys = new MongoApiKeyRepository(db);
    const [byId] = await scansDuring(() => keys.find('key-7' as ApiKeyId));
    const [byHash] = await scansDuring(() => keys.findByHash('hash 7'));
    for (const one of [byId, byHash]) expect(one).to.include({ keys: 1, returned: 1 });
    const [ofOne] = await scansDuring(() => keys.list({ limit: 1_000, developerId: ADA }));
    const [all] = await scansDuring(() => keys.list({ limit: 1_000 }));
    const [ofNobody] = await scansDuring(() => keys.list({ limit: 1_000, developerId: 'nobody' as DeveloperId }));
    expect([ofOne, all, ofNobody].map((one) => one?.returned)).to.deep.equal([KEYS / 2, KEYS, 0]);
    for (const one of [ofOne, all, ofNobody]) {
      expect(one?.keys).to.be.at.most((one?.returned ?? 0) + 1);
      expect(one?.stages).not.to.include('SORT');
    }
  });

  it('has a limit of time for every command, those of the step included', async () => {
    const limited = await wire.during(async () => {
      await prepareMongo(db);
      await recordCurrency(db, DEFAULT_CURRENCY);
      await ping(db);
      const automations = new MongoAutomationRepository(db);
      const categories = new MongoCategoryRepository(db);
      const keys = new MongoApiKeyRepository(db);
      await automations.add([offer(5_001, { key: 'a' }), offer(5_002, { key: 'a' }), offer(5_001, { key: 'b' })]);
      await automations.add([offer(5_003, { key: 'c', until: at(1) })]);
      await automations.add([offer(5_004, { key: 'c', createdAt: at(2) })]);
      await automations.list(query(1, 10, TOOLS));
      await automations.find(automationIdOf(1));
      await automations.withdraw(automationIdOf(5_001), { at: at(1), by: 'developer' });
      const archive = new MongoAutomationArchive(db);
      await archive.scan({ order: 'oldest-first', limit: 1_000, after: automationIdOf(1) });
      await archive.findAny(automationIdOf(1));
      await automations.countByCategory();
      await automations.freeIdempotencyKeys(at(10_000));
      await categories.list();
      await categories.find(TOOLS);
      await keys.add({ key: apiKey(1_001), entries: [] });
      await keys.replace(apiKey(1_001).id, { successor: apiKey(1_002), until: at(5), entries: [] });
      await keys.revoke(apiKey(1_002).id, { at: at(6), entries: [] });
      await keys.noteUse(apiKey(1_002).id, at(6));
      await keys.list({ limit: LIMIT });
      await keys.countActive(ADA, at(1));
      await keys.removeEnded(at(1));
      await automations.stop();
    });
    const unlimited = limited.filter(({ document }) => document['maxTimeMS'] === undefined);
    expect(unlimited.map(({ name }) => name).filter((name) => name !== 'endSessions')).to.deep.equal([]);
    for (const { name, document } of limited.filter(({ document: each }) => each['maxTimeMS'] !== undefined)) {
      const ofReads = READS.includes(name) || document['maxTimeMS'] === 2_000;
      expect(document['maxTimeMS'], name).to.equal(ofReads ? 2_000 : name === 'createIndexes' ? 30 * 60_000 : 5_000);
    }
    expect(limited.length).to.be.greaterThan(50);
    const ofWrites = limited.filter(({ document }) => document['txnNumber'] !== undefined);
    for (const { name, document } of ofWrites)
      if (document['autocommit'] === undefined || name === 'commitTransaction')
        expect(document['writeConcern'], JSON.stringify(document)).to.satisfy(isDurable(document));
  });
});

const READS = ['find', 'aggregate', 'hello', 'ping', 'listCollections'];

/** Returns the test of a write concern. The counter alone waits for one machine. */
function isDurable({ findAndModify }: Command['document']) {
  return (concern: { readonly w?: unknown; readonly j?: unknown } | undefined) =>
    findAndModify === 'counters' ? concern?.w === 1 : concern?.w === 'majority' && concern.j === true;
}

describe('A client for MongoDB', () => {
  it('waits for nothing for ever, and asks for what is durable', async () => {
    const client = newMongoClient('mongodb://127.0.0.1:27017');
    const { options } = client;
    expect(options).to.include({
      retryReads: true,
      retryWrites: true,
      socketTimeoutMS: 5_000,
      waitQueueTimeoutMS: 500,
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 2_000,
    });
    expect(options.maxPoolSize).to.be.within(1, 100);
    expect(options.writeConcern).to.deep.include({ w: 'majority', journal: true });
    expect(options.readConcern.level).to.equal('majority');
    expect(options.readPreference.mode).to.equal('primary');
    await client.close();
  });

  it('takes times and sizes from its connection string, but for none at all', async () => {
    const named = 'maxpoolsize=7&waitQueueTimeoutMS=900&socketTimeoutMS=0&appName=shop&localThresholdMS=0';
    const client = newMongoClient(`mongodb://127.0.0.1:27017/?${named}`);
    expect(client.options).to.include({
      maxPoolSize: 7,
      waitQueueTimeoutMS: 900,
      socketTimeoutMS: 5_000,
      appName: 'shop',
      connectTimeoutMS: 2_000,
      localThresholdMS: 0,
    });
    await client.close();
  });

  it('lets no connection string weaken what it asks for', async () => {
    const weak = 'w=1&journal=false&readConcernLevel=local&readPreference=secondary&retryWrites=false&retryReads=false';
    const client = newMongoClient(`mongodb://127.0.0.1:27017/?${weak}`);
    expect(client.options).to.include({ retryReads: true, retryWrites: true });
    expect(client.options.writeConcern).to.deep.include({ w: 'majority', journal: true });
    expect(client.options.readConcern.level).to.equal('majority');
    expect(client.options.readPreference.mode).to.equal('primary');
    await client.close();
  });
});
