import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { MongoApiKeyRepository, MongoAutomationRepository, newMongoClient, prepareMongo } from '../../adapters/mongodb/index.js';
import type { AutomationId } from '../../domain/automation.js';
import { DomainError } from '../../domain/errors.js';
import { numbers, offer } from '../contracts/offers.js';
import { badNetwork } from '../mongodb/bad-network.js';
import { ReplicaSet } from '../mongodb/replica-set.js';
import { describeMongod } from '../support/mongodb.js';
import { startProcess } from '../support/process.js';
import type { NetworkFault } from '../support/tcp-proxy.js';

const FAULTS: readonly NetworkFault[] = [
  { kind: 'delay', milliseconds: 500 },
  { kind: 'black-hole' },
  { kind: 'reset' },
  { kind: 'cut', bytes: 1_500 },
];

describeMongod('A MongoDB that is hard to reach', function (this: Mocha.Suite) {
  this.timeout(60_000);
  let set: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(1);
  });
  after(() => set.stop());

  for (const fault of FAULTS)
    it(`behind a ${fault.kind}, answers or fails in time, and is well soon after`, async () => {
      const { figures, violations } = await badNetwork(set.nodes[0] as (typeof set.nodes)[0], fault, 3_000);
      console.log(`      ${Object.entries(figures).map(([figure, value]) => `${figure} ${value}`).join(' · ')}`);
      expect(violations).to.deep.equal([]);
      expect(figures['longest read ms']).to.be.at.most(3_500);
      expect(figures['longest write ms']).to.be.at.most(13_000);
      expect(figures['well after ms']).to.be.at.most(5_000);
    });

  it('with far too few connections, answers 500 calls at once or fails as unavailable', async () => {
    const { options } = newMongoClient(set.url);
    const { waitQueueTimeoutMS, serverSelectionTimeoutMS, socketTimeoutMS } = options;
    const client = new MongoClient(set.url, { waitQueueTimeoutMS, serverSelectionTimeoutMS, socketTimeoutMS, maxPoolSize: 2 });
    const db = client.db(`pool-${randomUUID()}`);
    await prepareMongo(db);
    const keys = new MongoApiKeyRepository(db);
    const automations = new MongoAutomationRepository(db);
    const start = performance.now();
    const calls = numbers(500).map((n) => {
      if (n % 5 === 0) return automations.find(randomUUID() as AutomationId);
      return keys.findByHash(`hash ${n}`);
    });
    const creates = automations.add([offer(1)]);
    const outcomes = await Promise.allSettled([...calls, creates]);
    expect(performance.now() - start).to.be.at.most(1_500);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const reason of reasons) expect(reason).to.be.instanceOf(DomainError).with.property('kind', 'unavailable');
    expect(await keys.findByHash('hash 1')).to.equal(undefined);
    await client.close();
  });

  it('when it comes after the service has started, makes it ready', async () => {
    const [node] = set.nodes as [(typeof set.nodes)[0]];
    await node.kill();
    const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL: `mongodb://${node.address}/late?replicaSet=rs0` });
    try {
      const status = async (path: string) => (await fetch(`${service.url}${path}`)).status;
      expect(await status('/livez')).to.equal(200);
      expect(await status('/readyz')).to.equal(503);
      await node.start();
      await set.primary();
      const deadline = performance.now() + 3_000;
      while ((await status('/readyz')) !== 200 && performance.now() < deadline) await setTimeout(50);
      expect(await status('/readyz')).to.equal(200);
      expect(await status('/livez')).to.equal(200);
    } finally {
      await service.kill();
    }
  });
});
