import { expect } from 'chai';
import { UUID, type Db, type MongoClient } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAutomationRepository,
  MongoCategoryRepository,
  newMongoClient,
  recordCurrency,
  ping,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { CategoryId } from '../../../domain/category.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../../domain/api-key.js';
import {
  ADA,
  at,
  automationIdOf,
  BOB,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  query,
  TOOLS,
} from '../../contracts/offers.js';
import { scansOf, Wire, type Command, type Scan } from './plans.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';

const COUNT = 2_000;
const KEYS = 40;
/** One in a hundred; some side by side, and the newest and the oldest. */
const WITHDRAWN = [
  1, 50, 51, 52, 400, 402, 404, 700, 701, 990, 1_000, 1_200, 1_400, 1_500, 1_501, 1_600, 1_900, 1_980, 1_999, 2_000,
];
const SCOPES = [undefined, TOOLS, GAMES];
const LIMIT = 20;

const readsWithdrawn = ({ document }: Command): boolean =>
  document['find'] === 'automations' && document['limit'] !== undefined;

/** As if an older version had withdrawn what this one has. */
async function forgetLatest(db: Db): Promise<void> {
  await db.collection('tallies').updateMany({}, { $unset: { latest: '' } });
}

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
    await automations.add(
      mixedOffers(COUNT).map((one, n) =>
        n % 10 === 0 ? { ...one, idempotencyKey: `key ${n}`, idempotencyKeyUntil: at(n) } : one,
      ),
    );
    for (const n of WITHDRAWN) await automations.withdraw(automationIdOf(n), { at: at(1) });
    await forgetLatest(db);
    await new MongoCategoryRepository(db).save([TOOLS, GAMES].map((id) => ({ id, name: id })));
    const keys = new MongoApiKeyRepository(db);
    for (const n of numbers(KEYS)) await keys.add(apiKey(n));
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

  /** A repository that knows the withdrawals and nothing more: no page. */
  const informed = async () => {
    const automations = new MongoAutomationRepository(db);
    for (const scope of SCOPES) await automations.list(query(1_000, 100, scope));
    return automations;
  };

  describe('for a page', () => {
    for (const scope of SCOPES)
      it(`of ${scope ?? 'all'} it looks at a key for each item and one for the total, on the first, ` +
        'a middle and the last page', async () => {
        const { total } = await (await informed()).list(query(1, 1, scope));
        const last = Math.ceil(total / LIMIT);
        for (const number of [1, 2, Math.ceil(last / 2), last]) {
          const automations = await informed();
          const found = await scansDuring(() => automations.list(query(number, LIMIT, scope)));
          const [numbering, tally, page, ...more] = found;
          expect(more).to.deep.equal([]);
          expect(numbering).to.include({ collection: 'automations', keys: 1 });
          expect(tally?.keys).to.be.at.most(2);
          expect(page?.returned).to.equal(number === last ? total - (last - 1) * LIMIT : LIMIT);
          expect(page?.keys).to.be.at.most((page?.returned ?? 0) + 1);
        }
      });

    it('past the end it looks at the total alone', async () => {
      const automations = await informed();
      expect(await scansDuring(() => automations.list(query(500, LIMIT)))).to.have.length(2);
    });

    it('among ten asked for at once it looks at no more keys, in two commands', async () => {
      const automations = await informed();
      const pages = numbers(10).map((n) => query(n, LIMIT, SCOPES[n % 3]));
      const commands = await wire.during(async () => {
        await automations.list(query(1, 100));
        await Promise.all(pages.map((page) => automations.list(page)));
      });
      const found = (await scans(commands)).filter(({ collection }) => collection === 'automations');
      expect(commands.length, 'commands').to.be.at.most(8);
      expect(found.reduce((sum, { keys }) => sum + keys, 0)).to.be.at.most(101 + 10 * (LIMIT + 1) + SCOPES.length);
    });

    it('it reads the list of withdrawals from an index that has no others, ' +
      'and only when there is a new one', async () => {
      const automations = new MongoAutomationRepository(db);
      const found = await scansDuring(() => automations.list(query(500, LIMIT)));
      expect(found.map(({ keys }) => keys).sort((one, other) => other - one)[0]).to.be.within(
        WITHDRAWN.length,
        WITHDRAWN.length + 1,
      );
      const again = await scansDuring(() => automations.list(query(500, LIMIT)));
      expect(Math.max(...again.map(({ keys }) => keys))).to.be.at.most(2);
    });
  });

  it('for thousands of withdrawals it asks for some at a time, and misses none; ' +
    'of one more for that alone', async () => {
    const [count, each] = [5_000, 3];
    const other = await databases.open(monitored(url()));
    const commands = new Wire(other.client);
    await other.collection<{ _id: UUID }>('automations').insertMany(
      numbers(count).map((number) => ({
        ...{
          _id: new UUID(automationIdOf(number)),
          number,
          category_number: number,
          category_id: TOOLS,
          title: `${number}`,
          description: 'x',
        },
        ...{ price: 0, currency: 'USD', developer_id: ADA, created_at: at(number) },
        ...(number % each !== 0 && { withdrawn_at: at(0) }),
      })),
    );
    const withdrawn = count - Math.floor(count / each);
    await other
      .collection<{ _id: string }>('tallies')
      .insertMany(['', TOOLS].map((_id) => ({ _id, withdrawn, highest_withdrawn: count })));
    const automations = new MongoAutomationRepository(other);
    for (const category of [undefined, TOOLS]) {
      const sent = await commands.during(async () => {
        const { items, total } = await automations.list({
          ...(category && { category }),
          page: { number: 2, limit: 100 },
        });
        expect(total).to.equal(count - withdrawn);
        expect(items.map(({ title }) => Number(title))).to.deep.equal(numbers(100).map((n) => 4_998 - each * (99 + n)));
      });
      expect(sent.filter(readsWithdrawn)).to.have.length(2);
    }
    for (const [n, isOfOlder] of [
      [3, false],
      [6, false],
      [9, true],
      [12, false],
    ] as const) {
      await new MongoAutomationRepository(other).withdraw(automationIdOf(n), { at: at(1) });
      if (isOfOlder) await forgetLatest(other);
      const sent = await commands.during(async () => {
        expect((await automations.list(query(1, 100))).total).to.equal(count - withdrawn - n / each);
      });
      expect(sent.filter(readsWithdrawn), String(n)).to.have.length(isOfOlder ? 2 : 0);
    }
    expect((await automations.list({ page: { number: 17, limit: 100 } })).items.at(-1)?.title).to.equal('15');
  });

  it('for a part from the oldest on it looks at a key for each, ' +
    'at one for where it starts and at one for how far the numbers go', async () => {
    for (const limit of [LIMIT, 1_000])
      for (const after of [undefined, 49, 52, 1_000, 1_499, 1_990, 2_000]) {
        const automations = await informed();
        const part = { limit, ...(after && { after: automationIdOf(after) }) };
        const found = await scansDuring(() => automations.listOldestFirst(part));
        const left = numbers(COUNT).filter((n) => n > (after ?? 0) && !WITHDRAWN.includes(n)).length;
        const [start, numbering, tally, items] = after === undefined ? [undefined, ...found] : found;
        expect(start?.keys ?? 1).to.equal(1);
        expect(numbering).to.include({ collection: 'automations', keys: 1 });
        expect(tally?.keys).to.be.at.most(2);
        expect(items?.returned ?? 0).to.equal(Math.min(limit, left));
        expect(items?.keys ?? 0).to.be.at.most((items?.returned ?? 0) + 1);
        expect(items?.stages ?? []).not.to.include('SORT');
      }
  });

  it('for the counts by category it skips from one to the next', async () => {
    const [skipped] = await scansDuring(() => new MongoAutomationRepository(db).countByCategory());
    expect(skipped).to.include({ collection: 'automations', returned: 2 });
    expect(skipped?.keys).to.be.at.most(3);
  });

  it('for the reasons of withdrawals it looks at two keys each at most', async () => {
    const automations = new MongoAutomationRepository(db);
    const found = await scansDuring(() => automations.withdrawalReasons(numbers(100).map(automationIdOf)));
    expect(found.length).to.equal(1);
    expect(found[0]).to.include({ collection: 'automations' });
    expect(found[0]?.keys).to.be.at.most(200);
  });

  it('for an automation by its id it looks at one key, and for several at two each at most', async () => {
    const automations = new MongoAutomationRepository(db);
    const [one] = await scansDuring(() => automations.find(automationIdOf(7)));
    expect(one).to.include({ keys: 1, returned: 1 });
    const found = await scansDuring(() => Promise.all(numbers(30).map((n) => automations.find(automationIdOf(n)))));
    expect(found.length).to.equal(2);
    expect(found.reduce((sum, { keys }) => sum + keys, 0)).to.be.at.most(60);
  });

  it('for a create it looks at the numbers, and for the holders of keys at two keys each', async () => {
    const automations = await informed();
    const created = await scansDuring(() =>
      automations.add([offer(COUNT + 1), offer(COUNT + 2, { categoryId: GAMES })]),
    );
    for (const { collection, keys } of created) expect(keys).to.be.at.most(collection === 'tallies' ? 6 : 1);
    const keyed = numbers(5).map((n) => offer(COUNT + 2 + n, { key: `key ${n * 10}`, createdAt: at(-1) }));
    const held = await scansDuring(() => automations.add(keyed));
    for (const { keys } of held) expect(keys).to.be.at.most(2 * keyed.length);
    const taken = await scansDuring(() => automations.add([offer(3, { key: 'key 20', createdAt: at(5_000) })]));
    for (const { keys } of taken) expect(keys).to.be.at.most(2);
  });

  it('for a category that was found lately it does nothing, until it is saved here; ' +
    'and it never takes one for missing that has come', async () => {
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
  });

  it('for a create by itself it sends one command, when the last one is known', async () => {
    const automations = new MongoAutomationRepository(db);
    await automations.add([offer(9_001)]);
    const commands = await wire.during(async () => {
      for (let n = 0; n < 20; n += 1) await automations.add([offer(9_002 + n)]);
    });
    const names = commands.map(({ name }) => name);
    expect(names.filter((name) => name === 'insert')).to.have.length(20);
    expect(
      commands.filter(({ name, document }) => name !== 'insert' && document['find'] !== 'turn_notes'),
    ).to.deep.equal([]);
    expect(names.length).to.be.at.most(40);
  });

  it('for a sweep it looks at the expired keys alone', async () => {
    const [expired, rest] = await scansDuring(async () => {
      expect(await new MongoAutomationRepository(db).freeIdempotencyKeys(at(200))).to.be.within(19, 21);
    });
    for (const one of [expired, rest]) expect(one?.keys).to.be.at.most(1);
  });

  it('for API keys it looks at one index key each', async () => {
    const keys = new MongoApiKeyRepository(db);
    const [byId] = await scansDuring(() => keys.find('key-7' as ApiKeyId));
    const [byHash] = await scansDuring(() => keys.findByHash('hash 7'));
    for (const one of [byId, byHash]) expect(one).to.include({ keys: 1, returned: 1 });
    const [ofOne] = await scansDuring(() => keys.list(ADA));
    const [all] = await scansDuring(() => keys.list());
    const [ofNobody] = await scansDuring(() => keys.list('nobody' as DeveloperId));
    expect([ofOne, all, ofNobody].map((one) => one?.returned)).to.deep.equal([KEYS / 2, KEYS, 0]);
    for (const one of [ofOne, all, ofNobody]) {
      expect(one?.keys).to.be.at.most((one?.returned ?? 0) + 1);
      expect(one?.stages).not.to.include('SORT');
    }
  });

  it('has a limit of time for every command, those of the step and of transactions included', async () => {
    const limited = await wire.during(async () => {
      await prepareMongo(db);
      await recordCurrency(db, 'USD');
      await ping(db);
      const automations = new MongoAutomationRepository(db);
      const categories = new MongoCategoryRepository(db);
      const keys = new MongoApiKeyRepository(db);
      await automations.add([offer(5_001, { key: 'a' }), offer(5_002, { key: 'a' }), offer(5_001, { key: 'b' })]);
      await automations.add([offer(5_003, { key: 'c', until: at(1) })]);
      await automations.add([offer(5_004, { key: 'c', createdAt: at(2) })]);
      await automations.list(query(1, 10, TOOLS));
      await automations.find(automationIdOf(1));
      await automations.withdraw(automationIdOf(5_001), { at: at(1) });
      await automations.listOldestFirst({ limit: 1_000, after: automationIdOf(1) });
      await automations.countByCategory();
      await automations.freeIdempotencyKeys(at(10_000));
      await categories.list();
      await categories.find(TOOLS);
      await keys.add(apiKey(1_001));
      await keys.replace(apiKey(1_001).id, apiKey(1_002), at(5));
      await keys.revoke(apiKey(1_002).id, at(6));
      await keys.noteUse(apiKey(1_002).id, at(6));
      await keys.list();
    });
    const unlimited = limited.filter(({ document }) => document['maxTimeMS'] === undefined);
    expect(unlimited.map(({ name }) => name).filter((name) => name !== 'endSessions')).to.deep.equal([]);
    const longer = limited.filter(({ document }) => document['maxTimeMS'] > 2_000);
    expect(longer.every(({ name }) => name === 'createIndexes')).to.equal(true);
    expect(limited.length).to.be.greaterThan(40);
    for (const { document } of limited)
      if (document['insert'] !== undefined && document['autocommit'] === undefined)
        expect(document['writeConcern']).to.deep.equal({ w: 'majority', j: true });
  });
});

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
