import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { automationIdOf, mixedOffers, offer, store, USD, withdrawal } from '../../contracts/offers.js';
import { ACTIONS, type Action } from './killed-actions.js';
import { untilKilled } from '../../support/killed-process.js';
import { describeMongod } from '../../support/mongodb.js';
import { command, eventually, ReplicaSet } from '../../support/replica-set.js';

const WRITER = new URL('./killed-writer.js', import.meta.url);
/** The time after which a server ends a transaction, and the time until its next look. */
const MAX_LOST_MS = 95_000;

describeMongod('A MongoDB transaction of a process that was killed', function (this: Mocha.Suite) {
  this.timeout(150_000);
  let set: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(1, 2_000, { secret: 'akeyofatleastsixcharacters' });
    await command(set.url, { createUser: 'root', pwd: 'root', roles: ['root'] });
    const root = new MongoClient(urlOf('root:root', 'admin'));
    for (const user of ['ada', 'bob'])
      await root.db('market').command({ createUser: user, pwd: 'secret', roles: ['readWrite'] });
    await root.close();
  });
  after(() => set.stop());
  const urlOf = (user: string, database = 'market') =>
    `mongodb://${user}@${set.nodes[0]?.address ?? ''}/${database}?replicaSet=rs0`;

  const openTransactions = async () => {
    const { transactions } = await command(urlOf('root:root', 'admin'), { serverStatus: 1 });
    return (transactions as { currentOpen: number }).currentOpen;
  };

  const killedUnder = async (user: string, killed: string, action: Action, first: number) => {
    const client = newMongoClient(urlOf(user));
    const storage = mongoStorage(client.db('market'));
    await storage.prepare({ currency: USD });
    await client.db('market').collection('audit').deleteMany({});
    const close = () => storage.close().then(() => client.close());
    if (first === 0) await store(storage.automations, ...mixedOffers(20));
    await untilKilled(WRITER, [urlOf(killed), 'market', action, '2']);
    expect(await openTransactions()).to.equal(1);
    await store(storage.automations, offer(1_000 + first));
    await storage.automations.withdraw(automationIdOf(1 + first), withdrawal(1));
    expect(await openTransactions(), 'while others write').to.equal(1);
    return { storage, close };
  };

  it('holds up others for about a minute, with what it was writing alone, if they cannot end it', async () => {
    const { storage, close } = await killedUnder('bob:secret', 'ada:secret', 'revise', 0);
    const refusal: unknown = await ACTIONS.withdraw.act(storage).catch((error: unknown) => error);
    expect(refusal).to.include({ kind: 'unavailable' });
    expect(await eventually(() => ACTIONS.revise.act(storage), MAX_LOST_MS)).to.equal(0);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    await close();
  });

  it('is ended by a process of the same user, which has readWrite alone', async () => {
    const { storage, close } = await killedUnder('bob:secret', 'bob:secret', 'withdraw', 2);
    const began = performance.now();
    expect(await ACTIONS.withdraw.act(storage)).to.equal(-1);
    expect(performance.now() - began).to.be.above(1_000);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
    await close();
  });
});
