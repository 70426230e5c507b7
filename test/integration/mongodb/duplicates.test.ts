import { expect } from 'chai';
import { mongoStorage, type MongoStorage } from '../../../adapters/mongodb/index.js';
import { invitation, inviting } from '../../contracts/developers.js';
import { ADA, at, auditEntry, automationIdOf, BOB, offer, query, store } from '../../contracts/offers.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { Wire } from './plans.js';

describeMongo('MongoDB: what repeating does not help', (url) => {
  const databases = new ScratchDatabases();
  let storage: MongoStorage;
  let wire: Wire;
  beforeEach(async () => {
    const db = await databases.open(monitored(url()));
    storage = mongoStorage(db);
    wire = new Wire(db.client);
  });
  afterEach(async () => {
    await storage.close();
    await databases.release();
  });

  const failureAtOnce = async (work: () => Promise<unknown>) => {
    let failure: unknown;
    const sent = await wire.during(async () => {
      failure = await work().catch((error: unknown) => error);
    });
    expect(sent.filter(({ name }) => name === 'abortTransaction')).to.have.length(1);
    expect(String(failure)).to.include('E11000 duplicate key error');
  };

  it('an automation whose audit entry has a stored id is refused, and nothing is stored', async () => {
    await store(storage.automations, offer(1, { auditEntry: auditEntry(1) }));
    await failureAtOnce(() => storage.automations.add([offer(2, { key: 'key', auditEntry: auditEntry(1) })]));
    expect((await storage.automations.list(query(1, 10))).items.map(({ id }) => id)).to.deep.equal([automationIdOf(1)]);
    expect(await storage.automations.add([offer(2, { key: 'key', auditEntry: auditEntry(2) })])).to.deep.equal([
      { outcome: 'stored' },
    ]);
  });

  it('an invitation with the token of another developer is refused at once', async () => {
    await storage.developers.invite(ADA, inviting(invitation(1), at(0)));
    await failureAtOnce(() => storage.developers.invite(BOB, inviting(invitation(1), at(0))));
    expect(await storage.developers.find(BOB)).to.equal(undefined);
  });
});
