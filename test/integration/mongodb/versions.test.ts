import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import {
  mongoStorage,
  newMongoClient,
  prepareMongo,
  recordCurrency,
  type MongoStorage,
} from '../../../adapters/mongodb/index.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { ApiKeyId } from '../../../domain/api-key.js';
import { contentText, type AutomationId } from '../../../domain/automation.js';
import {
  addOne,
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  offer,
  query,
  store,
  TOOLS,
} from '../../contracts/offers.js';
import { newMongoUrl } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { searched } from '../../contracts/searches.js';
import { addAsFirst, firstIdOf, makeFirstVersion, readFirstVersion, withdrawAsFirst } from './first-version.js';
import { allDevelopers } from '../../contracts/developers.js';

describeMongo('A MongoDB store that the first version made', () => {
  let db: Db;
  let storage: MongoStorage;
  beforeEach(async () => {
    db = newMongoClient(await newMongoUrl()).db();
    await makeFirstVersion(db);
    storage = mongoStorage(db);
  });
  afterEach(async () => {
    await storage.close();
    await db.dropDatabase();
    await db.client.close();
  });

  const titles = async () => (await storage.automations.list(query(1, 100))).items.map(({ title }) => title);
  const TERMS = { words: ['two', 'lines'], prefix: 'firs' };
  const foundTitles = async (terms = TERMS) => {
    const wanted = { page: query(1, 100).page, order: 'newest', status: 'on-sale', terms } as const;
    return (await searched(storage.search, wanted)).items.map(({ automation: { title } }) => title);
  };
  /** As several processes that start at once do it, and again. */
  const prepare = async () => {
    await Promise.all([1, 2, 3].map(() => prepareMongo(db)));
    await prepareMongo(db);
  };
  const progress = (change: Document) =>
    db.collection<{ _id: string }>('settings').updateOne({ _id: 'upgrade' }, { $set: change });

  it('is taken over field for field', async () => {
    await prepare();
    expect(await titles()).to.deep.equal(['First 6', 'First 5', 'First 3', 'First 2']);
    expect(await storage.automations.countByCategory()).to.deep.equal(
      new Map([
        [GAMES, 2],
        [TOOLS, 2],
      ]),
    );
    const second = automation(2, {
      id: firstIdOf(2) as AutomationId,
      title: 'First 2',
      description: 'What $first 2 does.\nIn two lines.',
      price: { minorUnits: 299, currency: automation(0).price.currency },
      categoryId: GAMES,
      createdAt: at(2_000),
    });
    expect(await storage.automations.find(second.id)).to.deep.equal(second);
    const withdrawn = await storage.archive.scan({ order: 'oldest-first', status: 'withdrawn', limit: 10 });
    expect(withdrawn.map((one) => one.withdrawn)).to.deep.equal([
      { at: at(9_500) },
      { at: at(9_000), reason: 'No $longer made' },
    ]);
    expect(await foundTitles()).to.deep.equal(await titles());
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  it('keeps its idempotency keys, with the hash of the request', async () => {
    await prepare();
    const again = await addOne(storage.automations, offer(1, { key: 'request:two' }));
    const found = await storage.automations.find(firstIdOf(2) as AutomationId);
    const requestHash = createHash('sha256')
      .update(found ? contentText(found) : '')
      .digest('hex');
    expect(again).to.deep.equal({ outcome: 'earlier', automation: found, requestHash });
    expect(await addOne(storage.automations, offer(1, { key: 'import:abc:1' }))).to.deep.equal({ outcome: 'stored' });
    const developerId = 'oauth:Bob 🙂' as DeveloperId;
    const imported = await addOne(storage.automations, offer(2, { key: 'import:abc:1', developerId }));
    expect(imported).to.have.property('outcome', 'earlier');
    expect(await storage.automations.freeIdempotencyKeys(at(1e9))).to.equal(1);
  });

  it('keeps its categories, accounts, keys, sessions, audit and currency', async () => {
    await prepare();
    expect(await storage.categories.list()).to.have.deep.members([
      { id: TOOLS, name: 'Tools' },
      { id: GAMES, name: 'Games & more' },
    ]);
    expect(await storage.keys.find('key-1' as ApiKeyId)).to.deep.include({ name: 'One', expiresAt: at(1e10) });
    const ada = await storage.developers.findBySignInName('ADA');
    expect(ada).to.include({ passwordHash: 'scrypt$x', role: 'developer' });
    expect(await storage.sessions.findByHash('c'.repeat(64))).to.deep.include({ createdAt: at(2) });
    const entries = await storage.auditLog.list({ limit: 10 });
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'automation-withdrawn',
      'automation-published',
      'developer-invited',
    ]);
    expect(entries[1]).to.deep.include({ at: at(2), address: '127.0.0.1', requestId: 'r-1' });
    expect(await recordCurrency(db, 'EUR')).to.equal('USD');
  });

  it('takes roles, public names, and addresses of sessions, with the validators of its collections', async () => {
    await prepare();
    const { developers, sessions } = storage;
    const ada = await developers.findBySignInName('ADA');
    const profile = { publicName: 'Ada', website: 'https://ada.example' };
    expect(await developers.setProfile(ada?.id ?? BOB, profile)).to.equal(true);
    expect(await developers.setRole(ada?.id ?? BOB, 'operator')).to.include({ id: ada?.id });
    await developers.invite(BOB, { hash: 'b', until: at(1) }, at(0), 'buyer');
    const taken = developers.setProfile(BOB, { publicName: 'ADA' }).catch((error: unknown) => error);
    expect(await taken).to.have.property('code', 'public-name-taken');
    const known = await allDevelopers(developers);
    expect(known.map(({ role, publicName }) => [role, publicName])).to.deep.include.members([
      ['operator', 'Ada'],
      ['buyer', undefined],
    ]);
    await sessions.add({ hash: 's', developerId: BOB, createdAt: at(0), until: at(1), address: '192.0.2.1' });
    expect(await sessions.list(BOB)).to.have.length(1);
  });

  it('goes on: new automations are above the others, and those can be changed', async () => {
    await prepare();
    await store(storage.automations, offer(7), offer(8));
    expect(await storage.automations.withdraw(firstIdOf(5) as AutomationId, { at: at(1) })).to.equal('withdrawn');
    expect(await titles()).to.deep.equal(['Automation 8', 'Automation 7', 'First 6', 'First 3', 'First 2']);
  });

  it('is taken over although it was interrupted', async () => {
    await prepare();
    const all = await db.collection('automations_v2').find().sort({ seq: 1 }).toArray();
    await progress({ 'value.automations': 2, 'value.audit': 1, 'value.isComplete': false });
    await db.collection('automations_v2').deleteMany({ seq: { $gt: 4 } });
    await db.collection('audit_v2').deleteMany({ _id: { $gt: '01900000-0000-7000-9000-000000000002' } as never });
    await db.collection('counters').deleteMany({});
    await prepare();
    expect(await db.collection('automations_v2').find().sort({ seq: 1 }).toArray()).to.deep.equal(all);
    expect(await storage.auditLog.list({ limit: 10 })).to.have.length(3);
    await store(storage.automations, offer(7));
    expect((await titles())[0]).to.equal('Automation 7');
  });

  it('stays as it is, for processes of the first version', async () => {
    const before = await readFirstVersion(db);
    await prepare();
    await store(storage.automations, offer(7));
    await storage.automations.withdraw(firstIdOf(5) as AutomationId, { at: at(1) });
    expect(await readFirstVersion(db)).to.deep.equal(before);
  });

  it('gives what such a process adds and withdraws later to the next start', async () => {
    await prepare();
    await store(storage.automations, offer(7), offer(8));
    await addAsFirst(db, 7);
    await withdrawAsFirst(db, 3);
    expect(await titles()).to.have.length(6);
    await prepare();
    await store(storage.automations, offer(9));
    expect(await titles()).to.deep.equal([
      ...['Automation 9', 'First 7', 'Automation 8', 'Automation 7', 'First 6', 'First 5', 'First 2'],
    ]);
    const third = await storage.archive.findAny(firstIdOf(3) as AutomationId);
    expect(third?.withdrawn).to.deep.equal({ at: new Date(1), reason: 'By the $first' });
    expect(await foundTitles({ words: ['was', 'there'], prefix: 'be' })).to.deep.equal(['First 7']);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  it('does not bring back what was removed or withdrawn since', async () => {
    await prepare();
    await db.collection('automations_v2').deleteOne({ seq: 2 });
    await storage.automations.withdraw(firstIdOf(6) as AutomationId, { at: at(1) });
    await withdrawAsFirst(db, 3);
    await prepare();
    expect(await titles()).to.deep.equal(['First 5']);
  });

  it('leaves alone what a later version has added: fields, indexes and collections', async () => {
    await prepare();
    await store(storage.automations, offer(4));
    const before = await storage.automations.find(automationIdOf(4));
    for (const name of ['automations_v2', 'chapters', 'api_keys', 'settings', 'counters'])
      await db.collection(name).updateMany({}, { $set: { later: { of: ['another', 'kind'] } } });
    await db.collection('later').insertOne({ some: 'thing' });
    await db.collection('automations_v2').createIndexes([{ key: { later: 1 }, name: 'later' }]);
    await prepare();
    expect(await storage.automations.find(automationIdOf(4))).to.deep.equal(before);
    expect(await storage.automations.withdraw(automationIdOf(4), { at: at(1) })).to.equal('withdrawn');
    expect(await titles()).to.have.length(4);
    expect(Object.keys((await storage.keys.find('key-1' as ApiKeyId)) ?? {})).not.to.include('later');
    expect(await db.collection('later').countDocuments()).to.equal(1);
    expect((await db.collection('automations_v2').indexes()).map(({ name }) => name)).to.include('later');
  });
});
