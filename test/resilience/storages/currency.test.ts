import Libsql from 'libsql';
import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import {
  callerOf,
  importKey,
  newCore,
  OPERATOR,
  parseCurrency,
  parseDeveloperId,
  type Core,
  type DomainError,
  type DraftOutcome,
  type Storage,
} from '../../../application/index.js';
import { mixedOffers, store, USD } from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { openPostgres } from '../../support/postgres-storage.js';
import { describePostgres, runSql } from '../../support/postgres.js';
import { newSqliteFile } from '../../support/sqlite-file.js';

const YEN = parseCurrency('JPY');
const ADA = callerOf({ isSignedIn: true, developerId: parseDeveloperId('ada'), role: 'developer' });
const DRAFT = { title: 'Sort my inbox', description: 'Labels what matters.', price: 9.99, categoryId: 'tools' };

/** A store that is not prepared. */
interface Opened {
  readonly storage: Storage;
}

/** Of these, others than we can write to the store. */
interface OpenedByOthers extends Opened {
  /** Gives all automations prices in dollars. */
  readonly toDollars: () => Promise<unknown>;
}

const codeOf = (error: unknown) => (error as Partial<DomainError>).code;
const codeOfRefusal = (outcome: DraftOutcome | undefined) =>
  outcome?.outcome === 'refused' ? outcome.error.code : outcome?.outcome;

async function codesOfImport({ transfer }: Core): Promise<readonly unknown[]> {
  const codes: unknown[] = [];
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  const moved = { ...DRAFT, ...times, id: '01900000-0000-7000-8000-000000000009', developerId: 'ada', currency: 'USD' };
  await transfer.import(OPERATOR, { developer: 'ada' }, async (session) => {
    codes.push(codeOfRefusal((await session.createBatch([{ draft: DRAFT, key: importKey('file', 1) }]))[0]));
    codes.push(codeOfRefusal((await session.importBatch([moved]))[0]));
  });
  return codes;
}

function currencySuite(open: () => Promise<Opened>): void {
  let storage: Storage;
  beforeEach(async () => {
    ({ storage } = await open());
  });
  afterEach(() => storage.close());

  const prepare = async () => {
    await storage.prepare({ currency: YEN });
    await storage.categories.save([{ id: DRAFT.categoryId as never, name: 'Tools' }]);
  };

  it('is that of a core which is made after it was recorded', async () => {
    await prepare();
    const { marketplace, catalogue } = newCore(storage);
    expect([marketplace.currency, catalogue.currency]).to.deep.equal([YEN, YEN]);
    expect(codeOf(await marketplace.createAutomation(ADA, DRAFT).catch((error: unknown) => error))).to.equal(
      'invalid-fields',
    );
    const { price } = await marketplace.createAutomation(ADA, { ...DRAFT, price: 900 });
    expect(price).to.deep.equal({ minorUnits: 900, currency: YEN });
    expect((await marketplace.listAutomations(ADA, { priceMin: 900, priceMax: 900 })).total).to.equal(1);
  });

  it('is not that of another core: such a core is refused at once', async () => {
    await prepare();
    expect(() => newCore(storage, { currency: 'USD' }))
      .to.throw('the prices in this store are in JPY, not in USD')
      .with.property('code', 'other-currency');
  });

  it('is that of every price: a core that was made before it was recorded stores nothing', async () => {
    const early = newCore(storage);
    await prepare();
    const { id } = await newCore(storage).marketplace.createAutomation(ADA, { ...DRAFT, price: 900 });
    const creating = early.marketplace.createAutomation(ADA, DRAFT);
    expect(codeOf(await creating.catch((error: unknown) => error))).to.equal('other-currency');
    const revising = early.marketplace.reviseAutomation(OPERATOR, id, { price: 9.99 });
    expect(codeOf(await revising.catch((error: unknown) => error))).to.equal('other-currency');
    expect(await codesOfImport(early)).to.deep.equal(['other-currency', 'other-currency']);
    const { items } = await storage.automations.list({ page: { number: 1, limit: 10 } });
    expect(items.map(({ price }) => price)).to.deep.equal([{ minorUnits: 900, currency: YEN }]);
  });

  it('must be one of ISO 4217, and what is prepared has no other options', async () => {
    const failureOf = (options: object | null) => storage.prepare(options as never).catch((error: unknown) => error);
    expect(codeOf(await failureOf({ currency: 'jpy' }))).to.equal('unknown-currency');
    for (const [options, message] of [
      [{ curency: YEN }, 'prepare has no option curency; it has currency, address'],
      [null, 'prepare takes its options as an object, not as null; it has currency, address'],
      [{ address: 5 }, 'the address must be a text'],
    ] as const)
      expect(String(await failureOf(options))).to.include(message);
  });
}

function sharedSuite(open: () => Promise<OpenedByOthers>): void {
  currencySuite(open);

  it('is checked: prices in another one are reported by their number, and stay', async () => {
    const { storage, toDollars } = await open();
    await storage.prepare({ currency: YEN });
    const inYen = mixedOffers(3).map(({ automation }) => ({
      automation: { ...automation, price: { ...automation.price, currency: YEN } },
    }));
    await store(storage.automations, ...inYen);
    await toDollars();
    const description = '3 automations have their prices in USD, and the store is in JPY: withdraw and publish again';
    for (const repair of [false, true])
      expect(await storage.check({ repair })).to.deep.equal([{ description, repaired: false }]);
    await storage.close();
  });
}

describe('The currency of a store in memory', () => {
  currencySuite(async () => ({ storage: inMemoryStorage() }));

  it('is that of the first price where none was recorded: another core is refused then', async () => {
    const storage = inMemoryStorage();
    await storage.categories.save([{ id: DRAFT.categoryId as never, name: 'Tools' }]);
    const [dollars, yen] = [newCore(storage), newCore(storage, { currency: 'JPY' })];
    await dollars.marketplace.createAutomation(ADA, DRAFT);
    const creating = yen.marketplace.createAutomation(ADA, { ...DRAFT, price: 900 });
    expect(codeOf(await creating.catch((error: unknown) => error))).to.equal('other-currency');
    expect(() => newCore(storage, { currency: 'JPY' })).to.throw('the prices in this store are in USD, not in JPY');
    expect(codeOf(await storage.prepare({ currency: YEN }).catch((error: unknown) => error))).to.equal(
      'other-currency',
    );
    expect(await storage.prepare({})).to.deep.equal({ currency: USD });
  });
});

describe('The currency of a store in SQLite', () => {
  sharedSuite(async () => {
    const file = newSqliteFile();
    const toDollars = async () => {
      const hand = new Libsql(file, { timeout: 5_000 });
      hand.exec("UPDATE automations SET currency = 'USD'");
      hand.close();
    };
    return { storage: sqliteStorage(file), toDollars };
  });
});

describePostgres('The currency of a store in PostgreSQL', (newPlace) => {
  sharedSuite(async () => {
    const place = await newPlace();
    const toDollars = () => runSql(place.url, `UPDATE "${place.schema}".automations SET currency = 'USD'`);
    return { storage: openPostgres(place), toDollars };
  });
});

describeMongo('The currency of a store in MongoDB', () => {
  sharedSuite(async () => {
    const client = newMongoClient(await newMongoUrl());
    const db = client.db();
    const storage = mongoStorage(db);
    const toDollars = () => db.collection('automations').updateMany({}, { $set: { currency: 'USD' } });
    const close = async () => {
      await storage.close();
      await db.dropDatabase();
      await client.close();
    };
    return { storage: { ...storage, close }, toDollars };
  });
});
